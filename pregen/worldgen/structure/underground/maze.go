package underground

import (
	"strata/pregen/worldgen/rng"
	"strata/pregen/worldgen/structure"
)

// maze is a structure in the making that grows from piece to piece, none of
// which may meet another.
type maze struct {
	random *rng.Worldgen
	pieces []structure.Piece
}

func (m *maze) add(p structure.Piece) { m.pieces = append(m.pieces, p) }

// met returns the box of the first piece that has a block in common with a box.
func (m *maze) met(b structure.Box) (structure.Box, bool) {
	for _, p := range m.pieces {
		if o := p.Common().Box; o.Meets(b) {
			return o, true
		}
	}
	return structure.Box{}, false
}

func (m *maze) free(b structure.Box) bool {
	_, met := m.met(b)
	return !met
}

// box returns the box around all pieces.
func (m *maze) box() structure.Box {
	b := m.pieces[0].Common().Box
	for _, p := range m.pieces[1:] {
		b = b.With(p.Common().Box)
	}
	return b
}

// raise moves all pieces.
func (m *maze) raise(by int32) {
	for _, p := range m.pieces {
		p.Move(0, by, 0)
	}
}

// underSea is how far below the sea level mineshafts and strongholds stay.
const underSea = 10

// sink moves all pieces to a height between the bottom of the world and
// somewhat below the sea, and returns by how much.
func (m *maze) sink(l *structure.Layouter) int32 {
	box := m.box()
	_, height, _ := box.Span()
	top := height + l.Span.MinY + 1
	if limit := l.SeaLevel - underSea; top < limit {
		top += m.random.IntN(limit - top)
	}
	by := top - box.MaxY
	m.raise(by)
	return by
}

// lift moves all pieces so that the lowest block is at a height from low to
// high, as far as they fit in.
func (m *maze) lift(low, high int32) {
	box := m.box()
	_, height, _ := box.Span()
	bottom := low
	if room := high - low + 1 - height; room > 1 {
		bottom += m.random.IntN(room)
	}
	m.raise(bottom - box.MinY)
}

// beside returns the block outside a side of a box, off blocks from the box's
// lowest corner along that side.
func beside(b structure.Box, side structure.Facing, off int32) (x, z int32) {
	switch side {
	case structure.FacesNorth:
		return b.MinX + off, b.MinZ - 1
	case structure.FacesSouth:
		return b.MinX + off, b.MaxZ + 1
	case structure.FacesWest:
		return b.MinX - 1, b.MinZ + off
	}
	return b.MaxX + 1, b.MinZ + off
}

// alongX reports whether a piece's z axis lies along the world's x axis.
func alongX(f structure.Facing) bool { return f == structure.FacesWest || f == structure.FacesEast }

// flanks returns the sides that count as left and right of a piece: those of
// the lower and the higher coordinates, whichever way the piece faces.
func flanks(f structure.Facing) (left, right structure.Facing) {
	if alongX(f) {
		return structure.FacesNorth, structure.FacesSouth
	}
	return structure.FacesWest, structure.FacesEast
}

// anyFacing draws a facing.
func anyFacing(r *rng.Worldgen) structure.Facing {
	all := [...]structure.Facing{
		structure.FacesNorth, structure.FacesEast, structure.FacesSouth, structure.FacesWest,
	}
	return all[r.IntN(int32(len(all)))]
}

// far reports whether a place is farther than a distance from the lowest corner
// of a box, along x or z.
func far(b structure.Box, x, z, distance int32) bool {
	return max(x-b.MinX, b.MinX-x, z-b.MinZ, b.MinZ-z) > distance
}
