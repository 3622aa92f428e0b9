package light

import (
	"strata/anvil/block"
)

// naive is a world in the plainest form, the judge of the engine: a box of
// blocks with nothing around it but sky above.
type naive struct {
	width, height, depth int // in blocks; y slowest, x fastest
	states               []block.State
	missing              []bool // by chunk: no light gets in
	levels               []uint8
}

func newNaive(width, height, depth int) *naive {
	n := width * height * depth
	return &naive{
		width: width, height: height, depth: depth,
		states: make([]block.State, n), levels: make([]uint8, n),
		missing: make([]bool, width/16*depth/16),
	}
}

func (n *naive) index(x, y, z int) int { return (y*n.depth+z)*n.width + x }

// inside reports whether there is a block that can have light.
func (n *naive) inside(x, y, z int) bool {
	return x >= 0 && y >= 0 && z >= 0 && x < n.width && y < n.height && z < n.depth &&
		!n.missing[z/16*(n.width/16)+x/16]
}

// light finds the least levels at which each block has what its own emission
// and its neighbors give it.
func (n *naive) light(sky bool) {
	clear(n.levels)
	list := make([]int, 0, len(n.levels))
	listed := make([]bool, len(n.levels))
	add := func(x, y, z int) {
		if i := n.index(x, y, z); !listed[i] {
			listed[i] = true
			list = append(list, i)
		}
	}
	for y := n.height - 1; y >= 0; y-- {
		for z := range n.depth {
			for x := range n.width {
				if n.inside(x, y, z) {
					add(x, y, z)
				}
			}
		}
	}
	for len(list) > 0 {
		i := list[0]
		list = list[1:]
		listed[i] = false
		x, y, z := i%n.width, i/n.width/n.depth, i/n.width%n.depth
		if level := n.given(x, y, z, sky); level > n.levels[i] {
			n.levels[i] = level
			for d := range block.Direction(6) {
				if x, y, z := towards(x, y, z, d); n.inside(x, y, z) {
					add(x, y, z)
				}
			}
		}
	}
}

func towards(x, y, z int, d block.Direction) (int, int, int) {
	switch d {
	case block.Down:
		return x, y - 1, z
	case block.Up:
		return x, y + 1, z
	case block.North:
		return x, y, z - 1
	case block.South:
		return x, y, z + 1
	case block.West:
		return x - 1, y, z
	}
	return x + 1, y, z
}

// given is the level that a block has by its emission and its neighbors.
func (n *naive) given(x, y, z int, sky bool) uint8 {
	s := n.states[n.index(x, y, z)]
	level := 0
	if !sky {
		level = int(s.LightEmission())
	}
	for d := range block.Direction(6) {
		nx, ny, nz := towards(x, y, z, d)
		var from block.State
		var light int
		switch {
		case n.inside(nx, ny, nz):
			from, light = n.states[n.index(nx, ny, nz)], int(n.levels[n.index(nx, ny, nz)])
		case ny == n.height && sky:
			light = 15
		default:
			continue
		}
		if block.FaceBlocksLight(from, s, d.Opposite()) {
			continue
		}
		if d == block.Up && sky && light == 15 && s.PropagatesSkylightDown() {
			level = 15
		}
		level = max(level, light-int(max(1, s.Opacity())))
	}
	return uint8(level)
}
