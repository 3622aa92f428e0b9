package underground

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/structure"
)

// Place implements structure.Piece.
func (f *fortEntrance) Place(p *structure.Placer) {
	f.hall(p)
	f.fences(p, fence, area{5, 8, 0, 7, 8, 0})
	f.crown(p)
	f.bases(p)
	f.bricks(p, area{5, 5, 5, 7, 5, 7})
	f.air(p, area{6, 1, 6, 6, 4, 6})
	f.Put(p, bricks, 6, 0, 6)
	f.Put(p, block.Lava.Default(), 6, 5, 6)
	if x, y, z := f.World(6, 5, 6); p.Inside(x, y, z) {
		p.TickFluid(int(x), int(y), int(z), "minecraft:lava", 0)
	}
}

// hall builds the walls of the castle's two great halls.
func (f *fortBase) hall(p *structure.Placer) {
	f.bricks(p, area{0, 3, 0, 12, 4, 12})
	f.air(p, area{0, 5, 0, 12, 13, 12})
	f.bricks(p,
		area{0, 5, 0, 1, 12, 12}, area{11, 5, 0, 12, 12, 12}, area{2, 5, 11, 4, 12, 12}, area{8, 5, 11, 10, 12, 12},
		area{5, 9, 11, 7, 12, 12}, area{2, 5, 0, 4, 12, 1}, area{8, 5, 0, 10, 12, 1}, area{5, 9, 0, 7, 12, 1},
		area{2, 11, 2, 10, 12, 10})
}

// crown builds windows and battlements around a great hall.
func (f *fortBase) crown(p *structure.Placer) {
	for i := int32(1); i <= 11; i += 2 {
		f.fences(p, fenceWE, area{i, 10, 0, i, 11, 0}, area{i, 10, 12, i, 11, 12})
		f.fences(p, fenceNS, area{0, 10, i, 0, 11, i}, area{12, 10, i, 12, 11, i})
		f.Put(p, bricks, i, 13, 0)
		f.Put(p, bricks, i, 13, 12)
		f.Put(p, bricks, 0, 13, i)
		f.Put(p, bricks, 12, 13, i)
		if i != 11 {
			f.Put(p, fenceWE, i+1, 13, 0)
			f.Put(p, fenceWE, i+1, 13, 12)
			f.Put(p, fenceNS, 0, 13, i+1)
			f.Put(p, fenceNS, 12, 13, i+1)
		}
	}
	f.Put(p, fenceNE, 0, 13, 0)
	f.Put(p, fenceSE, 0, 13, 12)
	f.Put(p, fenceSW, 12, 13, 12)
	f.Put(p, fenceNW, 12, 13, 0)
	for z := int32(3); z <= 9; z += 2 {
		f.fences(p, fenceNSW, area{1, 7, z, 1, 8, z})
		f.fences(p, fenceNSE, area{11, 7, z, 11, 8, z})
	}
}

// bases builds what a great hall stands on.
func (f *fortBase) bases(p *structure.Placer) {
	f.bricks(p,
		area{4, 2, 0, 8, 2, 12}, area{0, 2, 4, 12, 2, 8}, area{4, 0, 0, 8, 1, 3}, area{4, 0, 9, 8, 1, 12},
		area{0, 0, 4, 3, 1, 8}, area{9, 0, 4, 12, 1, 8})
	f.pillars(p, 4, 0, 8, 2)
	f.pillars(p, 4, 10, 8, 12)
	f.pillars(p, 0, 4, 2, 8)
	f.pillars(p, 10, 4, 12, 8)
}

func netherStairs(facing block.Direction) block.State {
	s, _ := block.NetherBrickStairs.Default().With("facing", facing.String())
	return s
}

// Place implements structure.Piece.
func (f *fortGarden) Place(p *structure.Placer) {
	f.hall(p)
	f.crown(p)
	f.flight(p)
	f.bricks(p,
		area{2, 5, 2, 3, 5, 3}, area{2, 5, 9, 3, 5, 10}, area{2, 5, 4, 2, 5, 8},
		area{9, 5, 2, 10, 5, 3}, area{9, 5, 9, 10, 5, 10}, area{10, 5, 4, 10, 5, 8})
	for _, z := range [...]int32{2, 3, 9, 10} {
		f.Put(p, netherStairs(block.West), 4, 5, z)
		f.Put(p, netherStairs(block.East), 8, 5, z)
	}
	fill(&f.Base, p, block.SoulSand.Default(), area{3, 4, 4, 4, 4, 8}, area{8, 4, 4, 9, 4, 8})
	fill(&f.Base, p, block.NetherWart.Default(), area{3, 5, 4, 4, 5, 8}, area{8, 5, 4, 9, 5, 8})
	f.bases(p)
}

// flight builds the stairs to the upper door.
func (f *fortGarden) flight(p *structure.Placer) {
	step := netherStairs(block.North)
	for i := range int32(7) {
		z := i + 4
		for x := int32(5); x <= 7; x++ {
			f.Put(p, step, x, 5+i, z)
		}
		switch {
		case z >= 5 && z <= 8:
			f.bricks(p, area{5, 5, z, 7, i + 4, z})
		case z >= 9 && z <= 10:
			f.bricks(p, area{5, 8, z, 7, i + 4, z})
		}
		if i >= 1 {
			f.air(p, area{5, 6 + i, z, 7, 9 + i, z})
		}
	}
	for x := int32(5); x <= 7; x++ {
		f.Put(p, step, x, 12, 11)
	}
	f.fences(p, fenceNSE, area{5, 6, 7, 5, 7, 7})
	f.fences(p, fenceNSW, area{7, 6, 7, 7, 7, 7})
	f.air(p, area{5, 13, 12, 7, 13, 12})
}

// Place implements structure.Piece.
func (f *fortCorridor) Place(p *structure.Placer) {
	f.bricks(p, area{0, 0, 0, 4, 1, 4})
	f.air(p, area{0, 2, 0, 4, 5, 4})
	f.bricks(p, area{0, 2, 0, 0, 5, 4}, area{4, 2, 0, 4, 5, 4})
	f.fences(p, fenceNS, area{0, 3, 1, 0, 4, 1}, area{0, 3, 3, 0, 4, 3}, area{4, 3, 1, 4, 4, 1}, area{4, 3, 3, 4, 4, 3})
	f.bricks(p, area{0, 6, 0, 4, 6, 4})
	f.pillars(p, 0, 0, 4, 4)
}

// Place implements structure.Piece.
func (f *fortCorridors) Place(p *structure.Placer) {
	f.bricks(p, area{0, 0, 0, 4, 1, 4})
	f.air(p, area{0, 2, 0, 4, 5, 4})
	f.bricks(p,
		area{0, 2, 0, 0, 5, 0}, area{4, 2, 0, 4, 5, 0}, area{0, 2, 4, 0, 5, 4}, area{4, 2, 4, 4, 5, 4}, area{0, 6, 0, 4, 6, 4})
	f.pillars(p, 0, 0, 4, 4)
}

// Place implements structure.Piece.
func (f *fortTurn) Place(p *structure.Placer) {
	wall, open, chest := int32(4), int32(0), int32(3)
	if f.right {
		wall, open, chest = 0, 4, 1
	}
	f.bricks(p, area{0, 0, 0, 4, 1, 4})
	f.air(p, area{0, 2, 0, 4, 5, 4})
	f.bricks(p, area{wall, 2, 0, wall, 5, 4})
	f.fences(p, fenceNS, area{wall, 3, 1, wall, 4, 1}, area{wall, 3, 3, wall, 4, 3})
	f.bricks(p, area{open, 2, 0, open, 5, 0}, area{min(open, chest), 2, 4, max(open, chest), 5, 4})
	f.fences(p, fenceWE, area{1, 3, 4, 1, 4, 4}, area{3, 3, 4, 3, 4, 4})
	if f.chest && p.Inside(f.World(chest, 2, 3)) {
		f.chest = false
		f.Chest(p, chest, 2, 3, "minecraft:chests/nether_bridge")
	}
	f.bricks(p, area{0, 6, 0, 4, 6, 4})
	f.pillars(p, 0, 0, 4, 4)
}

// Place implements structure.Piece.
func (f *fortSlope) Place(p *structure.Placer) {
	step := netherStairs(block.South)
	for z := range int32(10) {
		low := max(1, 7-z)
		high := min(max(low+5, 14-z), 13)
		f.bricks(p, area{0, 0, z, 4, low, z})
		f.air(p, area{1, low + 1, z, 3, high - 1, z})
		if z <= 6 {
			for x := int32(1); x <= 3; x++ {
				f.Put(p, step, x, low+1, z)
			}
		}
		f.bricks(p, area{0, high, z, 4, high, z}, area{0, low + 1, z, 0, high - 1, z}, area{4, low + 1, z, 4, high - 1, z})
		if z&1 == 0 {
			f.fences(p, fenceNS, area{0, low + 2, z, 0, low + 3, z}, area{4, low + 2, z, 4, low + 3, z})
		}
		f.pillars(p, 0, z, 4, z)
	}
}

// Place implements structure.Piece.
func (f *fortBalcony) Place(p *structure.Placer) {
	f.bricks(p, area{0, 0, 0, 8, 1, 8})
	f.air(p, area{0, 2, 0, 8, 5, 8})
	f.bricks(p, area{0, 6, 0, 8, 6, 5}, area{0, 2, 0, 2, 5, 0}, area{6, 2, 0, 8, 5, 0})
	f.fences(p, fenceWE, area{1, 3, 0, 1, 4, 0}, area{7, 3, 0, 7, 4, 0})
	f.bricks(p, area{0, 2, 4, 8, 2, 8})
	f.air(p, area{1, 1, 4, 2, 2, 4}, area{6, 1, 4, 7, 2, 4})
	f.fences(p, fenceWE, area{1, 3, 8, 7, 3, 8})
	f.Put(p, fenceSE, 0, 3, 8)
	f.Put(p, fenceSW, 8, 3, 8)
	f.fences(p, fenceNS, area{0, 3, 6, 0, 3, 7}, area{8, 3, 6, 8, 3, 7})
	f.bricks(p, area{0, 3, 4, 0, 5, 5}, area{8, 3, 4, 8, 5, 5}, area{1, 3, 5, 2, 5, 5}, area{6, 3, 5, 7, 5, 5})
	f.fences(p, fenceWE, area{1, 4, 5, 1, 5, 5}, area{7, 4, 5, 7, 5, 5})
	f.pillars(p, 0, 0, 8, 5)
}
