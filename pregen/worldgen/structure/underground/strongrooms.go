package underground

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/structure"
)

// Place implements structure.Piece.
func (s *strongRoom) Place(p *structure.Placer) {
	s.shell(p, 11, 7, 11)
	s.doorway(p, s.door, 4, 1, 0)
	s.air(p, area{4, 1, 10, 6, 3, 10}, area{0, 1, 4, 0, 3, 6}, area{10, 1, 4, 10, 3, 6})
	switch s.kind {
	case 0:
		s.column(p)
	case 1:
		s.fountain(p)
	case 2:
		s.store(p)
	}
}

// column builds a column with torches in the middle of a room.
func (s *strongRoom) column(p *structure.Placer) {
	s.put(p, stoneBricks, [3]int32{5, 1, 5}, [3]int32{5, 2, 5}, [3]int32{5, 3, 5})
	s.Put(p, wallTorch(block.West), 4, 3, 5)
	s.Put(p, wallTorch(block.East), 6, 3, 5)
	s.Put(p, wallTorch(block.South), 5, 3, 4)
	s.Put(p, wallTorch(block.North), 5, 3, 6)
	s.put(p, stoneSlab,
		[3]int32{4, 1, 4}, [3]int32{4, 1, 5}, [3]int32{4, 1, 6}, [3]int32{6, 1, 4}, [3]int32{6, 1, 5}, [3]int32{6, 1, 6},
		[3]int32{5, 1, 4}, [3]int32{5, 1, 6})
}

// fountain builds a basin with water that falls into it.
func (s *strongRoom) fountain(p *structure.Placer) {
	for i := int32(3); i <= 7; i++ {
		s.put(p, stoneBricks, [3]int32{3, 1, i}, [3]int32{7, 1, i}, [3]int32{i, 1, 3}, [3]int32{i, 1, 7})
	}
	s.put(p, stoneBricks, [3]int32{5, 1, 5}, [3]int32{5, 2, 5}, [3]int32{5, 3, 5})
	s.Put(p, block.Water.Default(), 5, 4, 5)
}

// store builds a floor under the ceiling, with a chest on it.
func (s *strongRoom) store(p *structure.Placer) {
	cobblestone := block.Cobblestone.Default()
	for i := int32(1); i <= 9; i++ {
		s.put(p, cobblestone, [3]int32{1, 3, i}, [3]int32{9, 3, i})
	}
	for i := int32(1); i <= 9; i++ {
		s.put(p, cobblestone, [3]int32{i, 3, 1}, [3]int32{i, 3, 9})
	}
	s.put(p, cobblestone,
		[3]int32{5, 1, 4}, [3]int32{5, 1, 6}, [3]int32{5, 3, 4}, [3]int32{5, 3, 6},
		[3]int32{4, 1, 5}, [3]int32{6, 1, 5}, [3]int32{4, 3, 5}, [3]int32{6, 3, 5})
	for y := int32(1); y <= 3; y++ {
		s.put(p, cobblestone, [3]int32{4, y, 4}, [3]int32{6, y, 4}, [3]int32{4, y, 6}, [3]int32{6, y, 6})
	}
	s.Put(p, block.WallTorch.Default(), 5, 3, 5)
	planks := block.OakPlanks.Default()
	for z := int32(2); z <= 8; z++ {
		s.put(p, planks, [3]int32{2, 3, z}, [3]int32{3, 3, z})
		if z <= 3 || z >= 7 {
			s.put(p, planks, [3]int32{4, 3, z}, [3]int32{5, 3, z}, [3]int32{6, 3, z})
		}
		s.put(p, planks, [3]int32{7, 3, z}, [3]int32{8, 3, z})
	}
	ladder := facing(block.Ladder, block.West)
	s.put(p, ladder, [3]int32{9, 1, 3}, [3]int32{9, 2, 3}, [3]int32{9, 3, 3})
	s.Chest(p, 3, 4, 8, "minecraft:chests/stronghold_crossing")
}

const libraryLoot = "minecraft:chests/stronghold_library"

// Place implements structure.Piece.
func (s *strongLibrary) Place(p *structure.Placer) {
	height := int32(6)
	if s.tall {
		height = 11
	}
	s.shell(p, 14, height, 15)
	s.doorway(p, s.door, 4, 1, 0)
	web := block.Cobweb.Default()
	s.FillMaybe(p, 0.07, 2, 1, 1, 11, 4, 13, web, web, false, false)
	s.shelves(p)
	if s.tall {
		s.gallery(p)
		s.chandelier(p)
	}
	s.Chest(p, 3, 3, 5, libraryLoot)
	if s.tall {
		s.Put(p, caveAir, 12, 9, 1)
		s.Chest(p, 12, 8, 1, libraryLoot)
	}
}

// shelves builds bookshelves along the walls and across the room.
func (s *strongLibrary) shelves(p *structure.Placer) {
	planks, books := block.OakPlanks.Default(), block.Bookshelf.Default()
	for z := int32(1); z <= 13; z++ {
		state := books
		if (z-1)%4 == 0 {
			state = planks
		}
		s.fill(p, state, area{1, 1, z, 1, 4, z}, area{12, 1, z, 12, 4, z})
		if state == planks {
			s.Put(p, wallTorch(block.East), 2, 3, z)
			s.Put(p, wallTorch(block.West), 11, 3, z)
		}
		if s.tall {
			s.fill(p, state, area{1, 6, z, 1, 9, z}, area{12, 6, z, 12, 9, z})
		}
	}
	for z := int32(3); z < 12; z += 2 {
		s.fill(p, books, area{3, 1, z, 4, 3, z}, area{6, 1, z, 7, 3, z}, area{9, 1, z, 10, 3, z})
	}
}

// gallery builds the upper floor along the walls, and the ladder to it.
func (s *strongLibrary) gallery(p *structure.Placer) {
	planks := block.OakPlanks.Default()
	s.fill(p, planks, area{1, 5, 1, 3, 5, 13}, area{10, 5, 1, 12, 5, 13}, area{4, 5, 1, 9, 5, 2}, area{4, 5, 12, 9, 5, 13})
	s.put(p, planks, [3]int32{9, 5, 11}, [3]int32{8, 5, 11}, [3]int32{9, 5, 10})

	northSouth, westEast := sides(oakFence, "north", "south"), sides(oakFence, "west", "east")
	s.fill(p, northSouth, area{3, 6, 3, 3, 6, 11}, area{10, 6, 3, 10, 6, 9})
	s.fill(p, westEast, area{4, 6, 2, 9, 6, 2}, area{4, 6, 12, 7, 6, 12})
	s.Put(p, sides(oakFence, "north", "east"), 3, 6, 2)
	s.Put(p, sides(oakFence, "south", "east"), 3, 6, 12)
	s.Put(p, sides(oakFence, "north", "west"), 10, 6, 2)
	for i := range int32(3) {
		s.Put(p, sides(oakFence, "south", "west"), 8+i, 6, 12-i)
		if i != 2 {
			s.Put(p, sides(oakFence, "north", "east"), 8+i, 6, 11-i)
		}
	}
	for y := int32(1); y <= 7; y++ {
		s.Put(p, facing(block.Ladder, block.South), 10, y, 13)
	}
}

// chandelier hangs from the ceiling of a library.
func (s *strongLibrary) chandelier(p *structure.Placer) {
	east, west := sides(oakFence, "east"), sides(oakFence, "west")
	s.Put(p, east, 6, 9, 7)
	s.Put(p, west, 7, 9, 7)
	s.Put(p, east, 6, 8, 7)
	s.Put(p, west, 7, 8, 7)
	all := sides(oakFence, "north", "south", "west", "east")
	s.Put(p, all, 6, 7, 7)
	s.Put(p, all, 7, 7, 7)
	s.Put(p, east, 5, 7, 7)
	s.Put(p, west, 8, 7, 7)
	s.Put(p, sides(east, "north"), 6, 7, 6)
	s.Put(p, sides(east, "south"), 6, 7, 8)
	s.Put(p, sides(west, "north"), 7, 7, 6)
	s.Put(p, sides(west, "south"), 7, 7, 8)
	s.put(p, block.Torch.Default(),
		[3]int32{5, 8, 7}, [3]int32{8, 8, 7}, [3]int32{6, 8, 6}, [3]int32{6, 8, 8}, [3]int32{7, 8, 6}, [3]int32{7, 8, 8})
}

// Place implements structure.Piece.
func (s *strongPortal) Place(p *structure.Placer) {
	s.walls(p, area{0, 0, 0, 10, 7, 15}) // caves do not open it
	s.doorway(p, grates, 4, 1, 0)
	s.walls(p,
		area{1, 6, 1, 1, 6, 14}, area{9, 6, 1, 9, 6, 14}, area{2, 6, 1, 8, 6, 2}, area{2, 6, 14, 8, 6, 14},
		area{1, 1, 1, 2, 1, 4}, area{8, 1, 1, 9, 1, 4})
	lava := block.Lava.Default()
	s.fill(p, lava, area{1, 1, 1, 1, 1, 3}, area{9, 1, 1, 9, 1, 3})
	s.walls(p, area{3, 1, 8, 7, 1, 12})
	s.fill(p, lava, area{4, 1, 9, 6, 1, 11})
	for z := int32(3); z < 14; z += 2 {
		s.fill(p, barsNS, area{0, 3, z, 0, 4, z}, area{10, 3, z, 10, 4, z})
	}
	for x := int32(2); x < 9; x += 2 {
		s.fill(p, barsWE, area{x, 3, 15, x, 4, 15})
	}
	s.walls(p, area{4, 1, 5, 6, 1, 7}, area{4, 2, 6, 6, 2, 7}, area{4, 3, 7, 6, 3, 7})
	step := facing(block.StoneBrickStairs, block.North)
	for x := int32(4); x <= 6; x++ {
		s.put(p, step, [3]int32{x, 1, 4}, [3]int32{x, 2, 5}, [3]int32{x, 3, 6})
	}
	s.frames(p)
	if !s.spawner && p.Inside(s.World(5, 3, 6)) {
		s.spawner = true
		s.Spawner(p, 5, 3, 6, "minecraft:silverfish")
	}
}

// frames builds the frames of the portal, some with an eye, and if all have one
// the portal.
func (s *strongPortal) frames(p *structure.Placer) {
	var eyes [12]bool
	all := true
	for i := range eyes {
		eyes[i] = p.Random.Float() > 0.9
		all = all && eyes[i]
	}
	frame := func(i int, d block.Direction, x, z int32) {
		state := facing(block.EndPortalFrame, d)
		if eyes[i] {
			state = sides(state, "eye")
		}
		s.Put(p, state, x, 3, z)
	}
	for i := range 3 {
		off := int32(i)
		frame(i, block.North, 4+off, 8)
		frame(3+i, block.South, 4+off, 12)
		frame(6+i, block.East, 3, 9+off)
		frame(9+i, block.West, 7, 9+off)
	}
	if all {
		s.fill(p, block.EndPortal.Default(), area{4, 3, 9, 6, 3, 11})
	}
}
