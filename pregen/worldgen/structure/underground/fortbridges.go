package underground

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/rng"
	"strata/pregen/worldgen/structure"
)

// area is a box in a piece's coordinates: x, y, z of the lowest and the highest
// block.
type area [6]int32

// fill fills areas with a state.
func fill(b *structure.Base, p *structure.Placer, s block.State, areas ...area) {
	for _, a := range areas {
		b.Fill(p, a[0], a[1], a[2], a[3], a[4], a[5], s, s, false)
	}
}

// sides returns a state with the properties of some sides set to true.
func sides(s block.State, names ...string) block.State {
	for _, name := range names {
		s, _ = s.With(name, "true")
	}
	return s
}

// The blocks of fortresses. Fences are named after what they join.
var (
	bricks   = block.NetherBricks.Default()
	openAir  = block.Air.Default()
	fence    = block.NetherBrickFence.Default()
	fenceWE  = sides(fence, "west", "east")
	fenceNS  = sides(fence, "north", "south")
	fenceNSE = sides(fenceNS, "east")
	fenceNSW = sides(fenceNS, "west")
	fenceN   = sides(fence, "north")
	fenceNE  = sides(fenceN, "east")
	fenceNW  = sides(fenceN, "west")
	fenceSE  = sides(fence, "south", "east")
	fenceSW  = sides(fence, "south", "west")
	fenceE   = sides(fence, "east")
	fenceW   = sides(fence, "west")
)

func (f *fortBase) bricks(p *structure.Placer, areas ...area) { fill(&f.Base, p, bricks, areas...) }
func (f *fortBase) air(p *structure.Placer, areas ...area)    { fill(&f.Base, p, openAir, areas...) }

func (f *fortBase) fences(p *structure.Placer, s block.State, areas ...area) {
	fill(&f.Base, p, s, areas...)
}

// pillars fills down to the ground under the columns from x0, z0 to x1, z1.
func (f *fortBase) pillars(p *structure.Placer, x0, z0, x1, z1 int32) {
	for x := x0; x <= x1; x++ {
		for z := z0; z <= z1; z++ {
			f.ColumnDown(p, bricks, x, -1, z)
		}
	}
}

// Place implements structure.Piece.
func (f *fortCrossing) Place(p *structure.Placer) {
	f.bricks(p, area{7, 3, 0, 11, 4, 18}, area{0, 3, 7, 18, 4, 11})
	f.air(p, area{8, 5, 0, 10, 7, 18}, area{0, 5, 8, 18, 7, 10})
	f.bricks(p,
		area{7, 5, 0, 7, 5, 7}, area{7, 5, 11, 7, 5, 18}, area{11, 5, 0, 11, 5, 7}, area{11, 5, 11, 11, 5, 18},
		area{0, 5, 7, 7, 5, 7}, area{11, 5, 7, 18, 5, 7}, area{0, 5, 11, 7, 5, 11}, area{11, 5, 11, 18, 5, 11},
		area{7, 2, 0, 11, 2, 5}, area{7, 2, 13, 11, 2, 18}, area{7, 0, 0, 11, 1, 3}, area{7, 0, 15, 11, 1, 18})
	f.pillars(p, 7, 0, 11, 2)
	f.pillars(p, 7, 16, 11, 18)
	f.bricks(p,
		area{0, 2, 7, 5, 2, 11}, area{13, 2, 7, 18, 2, 11}, area{0, 0, 7, 3, 1, 11}, area{15, 0, 7, 18, 1, 11})
	f.pillars(p, 0, 7, 2, 11)
	f.pillars(p, 16, 7, 18, 11)
}

// Place implements structure.Piece.
func (f *fortBridge) Place(p *structure.Placer) {
	f.bricks(p, area{0, 3, 0, 4, 4, 18})
	f.air(p, area{1, 5, 0, 3, 7, 18})
	f.bricks(p,
		area{0, 5, 0, 0, 5, 18}, area{4, 5, 0, 4, 5, 18},
		area{0, 2, 0, 4, 2, 5}, area{0, 2, 13, 4, 2, 18}, area{0, 0, 0, 4, 1, 3}, area{0, 0, 15, 4, 1, 18})
	f.pillars(p, 0, 0, 4, 2)
	f.pillars(p, 0, 16, 4, 18)
	f.fences(p, fenceNSE, area{0, 1, 1, 0, 4, 1}, area{0, 3, 4, 0, 4, 4}, area{0, 3, 14, 0, 4, 14}, area{0, 1, 17, 0, 4, 17})
	f.fences(p, fenceNSW, area{4, 1, 1, 4, 4, 1}, area{4, 3, 4, 4, 4, 4}, area{4, 3, 14, 4, 4, 14}, area{4, 1, 17, 4, 4, 17})
}

// Place implements structure.Piece. How far the blocks of the bridge reach is
// drawn from its own seed, so that it is the same in each chunk.
func (f *fortEnd) Place(p *structure.Placer) {
	random := rng.NewLegacy(int64(f.seed))
	row := func(x, y, bound int32) {
		f.bricks(p, area{x, y, 0, x, y, random.IntN(bound)})
	}
	for x := range int32(5) {
		for y := int32(3); y <= 4; y++ {
			row(x, y, 8)
		}
	}
	row(0, 5, 8)
	row(4, 5, 8)
	for x := range int32(5) {
		row(x, 2, 5)
	}
	for x := range int32(5) {
		for y := range int32(2) {
			row(x, y, 3)
		}
	}
}

// Place implements structure.Piece.
func (f *fortRoom) Place(p *structure.Placer) {
	f.bricks(p, area{0, 0, 0, 6, 1, 6})
	f.air(p, area{0, 2, 0, 6, 7, 6})
	f.bricks(p,
		area{0, 2, 0, 1, 6, 0}, area{0, 2, 6, 1, 6, 6}, area{5, 2, 0, 6, 6, 0}, area{5, 2, 6, 6, 6, 6},
		area{0, 2, 0, 0, 6, 1}, area{0, 2, 5, 0, 6, 6}, area{6, 2, 0, 6, 6, 1}, area{6, 2, 5, 6, 6, 6})
	f.bricks(p, area{2, 6, 0, 4, 6, 0})
	f.fences(p, fenceWE, area{2, 5, 0, 4, 5, 0})
	f.bricks(p, area{2, 6, 6, 4, 6, 6})
	f.fences(p, fenceWE, area{2, 5, 6, 4, 5, 6})
	f.bricks(p, area{0, 6, 2, 0, 6, 4})
	f.fences(p, fenceNS, area{0, 5, 2, 0, 5, 4})
	f.bricks(p, area{6, 6, 2, 6, 6, 4})
	f.fences(p, fenceNS, area{6, 5, 2, 6, 5, 4})
	f.pillars(p, 0, 0, 6, 6)
}

// Place implements structure.Piece.
func (f *fortStairs) Place(p *structure.Placer) {
	f.bricks(p, area{0, 0, 0, 6, 1, 6})
	f.air(p, area{0, 2, 0, 6, 10, 6})
	f.bricks(p,
		area{0, 2, 0, 1, 8, 0}, area{5, 2, 0, 6, 8, 0}, area{0, 2, 1, 0, 8, 6}, area{6, 2, 1, 6, 8, 6}, area{1, 2, 6, 5, 8, 6})
	f.fences(p, fenceNS, area{0, 3, 2, 0, 5, 4}, area{6, 3, 2, 6, 5, 2}, area{6, 3, 4, 6, 5, 4})
	f.bricks(p,
		area{5, 2, 5, 5, 2, 5}, area{4, 2, 5, 4, 3, 5}, area{3, 2, 5, 3, 4, 5}, area{2, 2, 5, 2, 5, 5}, area{1, 2, 5, 1, 6, 5},
		area{1, 7, 1, 5, 7, 4})
	f.air(p, area{6, 8, 2, 6, 8, 4})
	f.bricks(p, area{2, 6, 0, 4, 8, 0})
	f.fences(p, fenceWE, area{2, 5, 0, 4, 5, 0})
	f.pillars(p, 0, 0, 6, 6)
}

// Place implements structure.Piece.
func (f *fortThrone) Place(p *structure.Placer) {
	f.air(p, area{0, 2, 0, 6, 7, 7})
	f.bricks(p,
		area{1, 0, 0, 5, 1, 7}, area{1, 2, 1, 5, 2, 7}, area{1, 3, 2, 5, 3, 7}, area{1, 4, 3, 5, 4, 7},
		area{1, 2, 0, 1, 4, 2}, area{5, 2, 0, 5, 4, 2}, area{1, 5, 2, 1, 5, 3}, area{5, 5, 2, 5, 5, 3},
		area{0, 5, 3, 0, 5, 8}, area{6, 5, 3, 6, 5, 8}, area{1, 5, 8, 5, 5, 8})
	f.Put(p, fenceW, 1, 6, 3)
	f.Put(p, fenceE, 5, 6, 3)
	f.Put(p, fenceNE, 0, 6, 3)
	f.Put(p, fenceNW, 6, 6, 3)
	f.fences(p, fenceNS, area{0, 6, 4, 0, 6, 7}, area{6, 6, 4, 6, 6, 7})
	f.Put(p, fenceSE, 0, 6, 8)
	f.Put(p, fenceSW, 6, 6, 8)
	f.fences(p, fenceWE, area{1, 6, 8, 5, 6, 8})
	f.Put(p, fenceE, 1, 7, 8)
	f.fences(p, fenceWE, area{2, 7, 8, 4, 7, 8})
	f.Put(p, fenceW, 5, 7, 8)
	f.Put(p, fenceE, 2, 8, 8)
	f.Put(p, fenceWE, 3, 8, 8)
	f.Put(p, fenceW, 4, 8, 8)
	if !f.spawner && p.Inside(f.World(3, 5, 5)) {
		f.spawner = true
		f.Spawner(p, 3, 5, 5, "minecraft:blaze")
	}
	f.pillars(p, 0, 0, 6, 6)
}
