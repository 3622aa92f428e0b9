package blocks

import (
	"sync"

	"strata/anvil/block"
)

// part is a part of a face that must be covered for something to hold on to it.
type part uint8

const (
	whole  part = iota // the whole face
	centre             // 2/16 wide, for torches and what hangs
	rim                // all but the middle 12/16, for rails and bells
	parts
)

// coverage says, for a shape, which parts of which faces are covered: bit
// direction*parts+part.
var coverage = sync.OnceValue(func() map[uint16]uint32 {
	m := map[uint16]uint32{}
	for i := range block.StateCount {
		s := block.State(i)
		if _, ok := m[s.CollisionShape()]; !ok {
			m[s.CollisionShape()] = cover(s.Collision())
		}
	}
	return m
})

func cover(boxes []block.Box) uint32 {
	var bits uint32
	for d := block.Down; d <= block.East; d++ {
		for k := whole; k < parts; k++ {
			if covers(boxes, d, k) {
				bits |= 1 << (int(d)*int(parts) + int(k))
			}
		}
	}
	return bits
}

// covers looks at the face in squares of 1/32.
func covers(boxes []block.Box, d block.Direction, k part) bool {
	const n = 32
	for i := range n {
		for j := range n {
			middle := i >= 4 && i < n-4 && j >= 4 && j < n-4
			inner := i >= 14 && i < 18 && j >= 14 && j < 18
			if k == rim && middle || k == centre && !inner {
				continue
			}
			if !touches(boxes, d, (float64(i)+.5)/n, (float64(j)+.5)/n) {
				return false
			}
		}
	}
	return true
}

// touches reports whether some box reaches a point of a face.
func touches(boxes []block.Box, d block.Direction, u, v float64) bool {
	for _, b := range boxes {
		low, high := [3]float64{b.MinY, b.MinZ, b.MinX}, [3]float64{b.MaxY, b.MaxZ, b.MaxX}
		a := int(d >> 1)
		if d&1 == 0 && low[a] > 0 || d&1 == 1 && high[a] < 1 {
			continue
		}
		p, q := (a+1)%3, (a+2)%3
		if low[p] <= u && u <= high[p] && low[q] <= v && v <= high[q] {
			return true
		}
	}
	return false
}

// sturdy reports whether a part of a face holds something. Support shapes are
// collision shapes but for: leaves hold nothing, soul sand and mud are whole,
// snow holds by its layers, scaffolding by its top.
func sturdy(s block.State, d block.Direction, k part) bool {
	switch {
	case s.Leaves(), kind(s) == "powder_snow", kind(s) == "cactus":
		return false
	case s.Block() == block.SoulSand, s.Block() == block.Mud:
		return true
	case s.Block() == block.Snow:
		return d == block.Down || number(s, "layers") == 8
	case s.Block() == block.Scaffolding:
		return d == block.Up
	}
	return coverage()[s.CollisionShape()]>>(int(d)*int(parts)+int(k))&1 != 0
}

// faceFull reports whether a whole face is there to creep on.
func faceFull(s block.State, d block.Direction) bool {
	return sturdy(s, d, whole) || coverage()[s.CollisionShape()]>>(int(d)*int(parts))&1 != 0
}

// holds reports whether the block beside p in direction d holds something at p.
func holds(v View, p Pos, d block.Direction, k part) bool {
	return sturdy(at(v, step(p, d)), d.Opposite(), k)
}
