package physics

import (
	"math"

	"strata/anvil/block"
	"strata/anvil/chunk"
)

// View is blocks to move among.
type View interface {
	// Block returns a block, and false if its chunk is not loaded: that is in the
	// way, whole.
	Block(p chunk.BlockPos) (s block.State, loaded bool)
}

// epsilon is what boxes that touch may overlap by.
const epsilon = 1e-7

// Box is the room that something takes.
type Box struct{ MinX, MinY, MinZ, MaxX, MaxY, MaxZ float64 }

// Around returns the box of something whose feet are at a place.
func Around(x, y, z, width, height float64) Box {
	half := width / 2
	return Box{x - half, y, z - half, x + half, y + height, z + half}
}

// Moved returns the box elsewhere.
func (b Box) Moved(dx, dy, dz float64) Box {
	return Box{b.MinX + dx, b.MinY + dy, b.MinZ + dz, b.MaxX + dx, b.MaxY + dy, b.MaxZ + dz}
}

// Grown returns the box with more room on both sides of each axis.
func (b Box) Grown(x, y, z float64) Box {
	return Box{b.MinX - x, b.MinY - y, b.MinZ - z, b.MaxX + x, b.MaxY + y, b.MaxZ + z}
}

// Meets reports whether two boxes have room in common.
func (b Box) Meets(o Box) bool {
	return b.MinX < o.MaxX && b.MaxX > o.MinX && b.MinY < o.MaxY && b.MaxY > o.MinY && b.MinZ < o.MaxZ && b.MaxZ > o.MinZ
}

// swept is the box with all that it passes on a way.
func (b Box) swept(dx, dy, dz float64) Box {
	b.MinX, b.MaxX = b.MinX+min(dx, 0), b.MaxX+max(dx, 0)
	b.MinY, b.MaxY = b.MinY+min(dy, 0), b.MaxY+max(dy, 0)
	b.MinZ, b.MaxZ = b.MinZ+min(dz, 0), b.MaxZ+max(dz, 0)
	return b
}

// Mover moves boxes. The zero Mover is ready.
type Mover struct{ solids []Box }

// Move returns how far a box gets of a way.
func (m *Mover) Move(v View, b Box, dx, dy, dz float64) (float64, float64, float64) {
	if dx == 0 && dy == 0 && dz == 0 {
		return 0, 0, 0
	}
	m.gather(v, b.swept(dx, dy, dz))
	if dy != 0 {
		dy = m.alongY(b, dy)
		b = b.Moved(0, dy, 0)
	}
	zFirst := math.Abs(dx) < math.Abs(dz)
	if zFirst && dz != 0 {
		dz = m.alongZ(b, dz)
		b = b.Moved(0, 0, dz)
	}
	if dx != 0 {
		dx = m.alongX(b, dx)
		b = b.Moved(dx, 0, 0)
	}
	if !zFirst && dz != 0 {
		dz = m.alongZ(b, dz)
	}
	return dx, dy, dz
}

// Free reports whether nothing is in a box. What only touches it is not.
func (m *Mover) Free(v View, b Box) bool {
	m.gather(v, b)
	b = b.Grown(-epsilon, -epsilon, -epsilon)
	for i := range m.solids {
		if m.solids[i].Meets(b) {
			return false
		}
	}
	return true
}

// gather lists what may be in the way in a box: shapes reach at most half a block
// above their own.
func (m *Mover) gather(v View, b Box) {
	m.solids = m.solids[:0]
	low, high := floor(b.MinY-epsilon)-1, floor(b.MaxY+epsilon)
	for z := floor(b.MinZ - epsilon); z <= floor(b.MaxZ+epsilon); z++ {
		for x := floor(b.MinX - epsilon); x <= floor(b.MaxX+epsilon); x++ {
			for y := low; y <= high; y++ {
				m.add(v, chunk.BlockPos{X: x, Y: y, Z: z})
			}
		}
	}
}

func (m *Mover) add(v View, p chunk.BlockPos) {
	x, y, z := float64(p.X), float64(p.Y), float64(p.Z)
	s, loaded := v.Block(p)
	if !loaded {
		m.solids = append(m.solids, Box{x, y, z, x + 1, y + 1, z + 1})
		return
	}
	for _, c := range s.Collision() {
		m.solids = append(m.solids, Box{x + c.MinX, y + c.MinY, z + c.MinZ, x + c.MaxX, y + c.MaxY, z + c.MaxZ})
	}
}

func floor(v float64) int32 { return int32(math.Floor(v)) }

func (m *Mover) alongX(b Box, d float64) float64 {
	for i := range m.solids {
		s := &m.solids[i]
		if b.MaxY-epsilon > s.MinY && b.MinY+epsilon < s.MaxY && b.MaxZ-epsilon > s.MinZ && b.MinZ+epsilon < s.MaxZ {
			d = bounded(d, b.MinX, b.MaxX, s.MinX, s.MaxX)
		}
	}
	return d
}

func (m *Mover) alongY(b Box, d float64) float64 {
	for i := range m.solids {
		s := &m.solids[i]
		if b.MaxX-epsilon > s.MinX && b.MinX+epsilon < s.MaxX && b.MaxZ-epsilon > s.MinZ && b.MinZ+epsilon < s.MaxZ {
			d = bounded(d, b.MinY, b.MaxY, s.MinY, s.MaxY)
		}
	}
	return d
}

func (m *Mover) alongZ(b Box, d float64) float64 {
	for i := range m.solids {
		s := &m.solids[i]
		if b.MaxX-epsilon > s.MinX && b.MinX+epsilon < s.MaxX && b.MaxY-epsilon > s.MinY && b.MinY+epsilon < s.MaxY {
			d = bounded(d, b.MinZ, b.MaxZ, s.MinZ, s.MaxZ)
		}
	}
	return d
}

// bounded is how far something from low to high gets of d before what is from
// otherLow to otherHigh. What it is in already does not hold it.
func bounded(d, low, high, otherLow, otherHigh float64) float64 {
	if d > 0 && high <= otherLow+epsilon {
		return max(min(d, otherLow-high), 0)
	}
	if d < 0 && low >= otherHigh-epsilon {
		return min(max(d, otherHigh-low), 0)
	}
	return d
}
