package underground

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/structure"
)

// The blocks of strongholds.
var (
	stoneBricks = block.StoneBricks.Default()
	brickSlab   = block.StoneBrickSlab.Default()
	stoneSlab   = block.SmoothStoneSlab.Default()
	caveAir     = block.CaveAir.Default()
	oakFence    = block.OakFence.Default()
	ironBars    = block.IronBars.Default()
	barsNS      = sides(ironBars, "north", "south")
	barsWE      = sides(ironBars, "west", "east")
)

// wornBricks chooses the stone bricks of walls, and air between them.
func wornBricks(p *structure.Placer, edge bool) block.State {
	if !edge {
		return caveAir
	}
	switch roll := p.Random.Float(); {
	case roll < 0.2:
		return block.CrackedStoneBricks.Default()
	case roll < 0.5:
		return block.MossyStoneBricks.Default()
	case roll < 0.55:
		return block.InfestedStoneBricks.Default()
	}
	return stoneBricks
}

// shell builds the walls of a hall of a size, but not where there are caves.
func (s *strongBase) shell(p *structure.Placer, sizeX, sizeY, sizeZ int32) {
	s.FillChosen(p, 0, 0, 0, sizeX-1, sizeY-1, sizeZ-1, true, wornBricks)
}

// walls builds walls in areas, in caves as well.
func (s *strongBase) walls(p *structure.Placer, areas ...area) {
	for _, a := range areas {
		s.FillChosen(p, a[0], a[1], a[2], a[3], a[4], a[5], false, wornBricks)
	}
}

func (s *strongBase) air(p *structure.Placer, areas ...area) { fill(&s.Base, p, caveAir, areas...) }

func (s *strongBase) fill(p *structure.Placer, state block.State, areas ...area) {
	fill(&s.Base, p, state, areas...)
}

// put sets blocks of one state.
func (s *strongBase) put(p *structure.Placer, state block.State, places ...[3]int32) {
	for _, at := range places {
		s.Put(p, state, at[0], at[1], at[2])
	}
}

// doorway builds a door whose lowest block to the left is x, y, z.
func (s *strongBase) doorway(p *structure.Placer, d door, x, y, z int32) {
	switch d {
	case noDoor:
		s.air(p, area{x, y, z, x + 2, y + 2, z})
	case woodenDoor:
		s.frame(p, x, y, z)
		s.leaf(p, block.OakDoor.Default(), x+1, y, z)
	case grates:
		s.put(p, caveAir, [3]int32{x + 1, y, z}, [3]int32{x + 1, y + 1, z})
		s.put(p, sides(ironBars, "west"), [3]int32{x, y, z}, [3]int32{x, y + 1, z})
		s.put(p, barsWE, [3]int32{x, y + 2, z}, [3]int32{x + 1, y + 2, z}, [3]int32{x + 2, y + 2, z})
		s.put(p, sides(ironBars, "east"), [3]int32{x + 2, y + 1, z}, [3]int32{x + 2, y, z})
	case ironDoor:
		s.frame(p, x, y, z)
		s.leaf(p, block.IronDoor.Default(), x+1, y, z)
		s.Put(p, facing(block.StoneButton, block.North), x+2, y+1, z+1)
		s.Put(p, facing(block.StoneButton, block.South), x+2, y+1, z-1)
	}
}

// frame builds stone bricks around a door.
func (s *strongBase) frame(p *structure.Placer, x, y, z int32) {
	s.put(p, stoneBricks,
		[3]int32{x, y, z}, [3]int32{x, y + 1, z}, [3]int32{x, y + 2, z}, [3]int32{x + 1, y + 2, z},
		[3]int32{x + 2, y + 2, z}, [3]int32{x + 2, y + 1, z}, [3]int32{x + 2, y, z})
}

// leaf sets both halves of a door.
func (s *strongBase) leaf(p *structure.Placer, lower block.State, x, y, z int32) {
	upper, _ := lower.With("half", "upper")
	s.Put(p, lower, x, y, z)
	s.Put(p, upper, x, y+1, z)
}

// facing returns a block that faces a direction.
func facing(id block.ID, d block.Direction) block.State {
	s, _ := id.Default().With("facing", d.String())
	return s
}

// Place implements structure.Piece.
func (s *strongStraight) Place(p *structure.Placer) {
	s.shell(p, 5, 5, 7)
	s.doorway(p, s.door, 1, 1, 0)
	s.doorway(p, noDoor, 1, 1, 6)
	for _, z := range [...]int32{1, 5} {
		s.PutMaybe(p, 0.1, wallTorch(block.East), 1, 2, z)
		s.PutMaybe(p, 0.1, wallTorch(block.West), 3, 2, z)
	}
	if s.left {
		s.air(p, area{0, 1, 2, 0, 3, 4})
	}
	if s.right {
		s.air(p, area{4, 1, 2, 4, 3, 4})
	}
}

// Place implements structure.Piece.
func (s *strongPrison) Place(p *structure.Placer) {
	s.shell(p, 9, 5, 11)
	s.doorway(p, s.door, 1, 1, 0)
	s.air(p, area{1, 1, 10, 3, 3, 10})
	s.walls(p, area{4, 1, 1, 4, 3, 1}, area{4, 1, 3, 4, 3, 3}, area{4, 1, 7, 4, 3, 7}, area{4, 1, 9, 4, 3, 9})
	for y := int32(1); y <= 3; y++ {
		s.put(p, barsNS, [3]int32{4, y, 4})
		s.put(p, sides(barsNS, "east"), [3]int32{4, y, 5})
		s.put(p, barsNS, [3]int32{4, y, 6})
		s.put(p, barsWE, [3]int32{5, y, 5}, [3]int32{6, y, 5}, [3]int32{7, y, 5})
	}
	s.put(p, barsNS, [3]int32{4, 3, 2}, [3]int32{4, 3, 8})
	s.leaf(p, facing(block.IronDoor, block.West), 4, 1, 2)
	s.leaf(p, facing(block.IronDoor, block.West), 4, 1, 8)
}

// Place implements structure.Piece.
func (s *strongLeft) Place(p *structure.Placer) { s.turn(p, northOrEast(s.Facing)) }

// Place implements structure.Piece.
func (s *strongRight) Place(p *structure.Placer) { s.turn(p, !northOrEast(s.Facing)) }

// turn builds a corner of a corridor that goes on through the wall at x 0 or 4.
func (s *strongBase) turn(p *structure.Placer, low bool) {
	s.shell(p, 5, 5, 5)
	s.doorway(p, s.door, 1, 1, 0)
	if low {
		s.air(p, area{0, 1, 1, 0, 3, 3})
	} else {
		s.air(p, area{4, 1, 1, 4, 3, 3})
	}
}

// Place implements structure.Piece.
func (s *strongSlope) Place(p *structure.Placer) {
	s.shell(p, 5, 11, 8)
	s.doorway(p, s.door, 1, 7, 0)
	s.doorway(p, noDoor, 1, 1, 7)
	step := facing(block.CobblestoneStairs, block.South)
	for i := range int32(6) {
		s.put(p, step, [3]int32{1, 6 - i, 1 + i}, [3]int32{2, 6 - i, 1 + i}, [3]int32{3, 6 - i, 1 + i})
		if i < 5 {
			s.put(p, stoneBricks, [3]int32{1, 5 - i, 1 + i}, [3]int32{2, 5 - i, 1 + i}, [3]int32{3, 5 - i, 1 + i})
		}
	}
}

// Place implements structure.Piece.
func (s *strongStairs) Place(p *structure.Placer) {
	s.shell(p, 5, 11, 5)
	s.doorway(p, s.door, 1, 7, 0)
	s.doorway(p, noDoor, 1, 1, 4)
	for _, step := range [...]struct {
		bricks [][3]int32
		slab   [3]int32
	}{
		{[][3]int32{{2, 6, 1}, {1, 5, 1}}, [3]int32{1, 6, 1}},
		{[][3]int32{{1, 5, 2}, {1, 4, 3}}, [3]int32{1, 5, 3}},
		{[][3]int32{{2, 4, 3}, {3, 3, 3}}, [3]int32{3, 4, 3}},
		{[][3]int32{{3, 3, 2}, {3, 2, 1}}, [3]int32{3, 3, 1}},
		{[][3]int32{{2, 2, 1}, {1, 1, 1}}, [3]int32{1, 2, 1}},
		{[][3]int32{{1, 1, 2}}, [3]int32{1, 1, 3}},
	} {
		s.put(p, stoneBricks, step.bricks...)
		s.put(p, stoneSlab, step.slab)
	}
}

// Place implements structure.Piece.
func (s *strongCrossing) Place(p *structure.Placer) {
	s.shell(p, 10, 9, 11)
	s.doorway(p, s.door, 4, 3, 0)
	for _, exit := range [...]struct {
		open bool
		area area
	}{
		{s.leftLow, area{0, 3, 1, 0, 5, 3}}, {s.rightLow, area{9, 3, 1, 9, 5, 3}},
		{s.leftHigh, area{0, 5, 7, 0, 7, 9}}, {s.rightHigh, area{9, 5, 7, 9, 7, 9}},
		{true, area{5, 1, 10, 7, 3, 10}},
	} {
		if exit.open {
			s.air(p, exit.area)
		}
	}
	s.walls(p,
		area{1, 2, 1, 8, 2, 6}, area{4, 1, 5, 4, 4, 9}, area{8, 1, 5, 8, 4, 9},
		area{1, 4, 7, 3, 4, 9}, area{1, 3, 5, 3, 3, 6})
	s.fill(p, stoneSlab, area{1, 3, 4, 3, 3, 4}, area{1, 4, 6, 3, 4, 6})
	s.walls(p, area{5, 1, 7, 7, 1, 8})
	s.fill(p, stoneSlab, area{5, 1, 9, 7, 1, 9}, area{5, 2, 7, 7, 2, 7}, area{4, 5, 7, 4, 5, 9}, area{8, 5, 7, 8, 5, 9})
	double, _ := stoneSlab.With("type", "double")
	s.fill(p, double, area{5, 5, 7, 7, 5, 9})
	s.Put(p, wallTorch(block.South), 6, 5, 6)
}

// Place implements structure.Piece.
func (s *strongChest) Place(p *structure.Placer) {
	s.shell(p, 5, 5, 7)
	s.doorway(p, s.door, 1, 1, 0)
	s.doorway(p, noDoor, 1, 1, 6)
	s.fill(p, stoneBricks, area{3, 1, 2, 3, 1, 4})
	s.put(p, brickSlab, [3]int32{3, 1, 1}, [3]int32{3, 1, 5}, [3]int32{3, 2, 2}, [3]int32{3, 2, 4})
	for z := int32(2); z <= 4; z++ {
		s.Put(p, brickSlab, 2, 1, z)
	}
	if !s.chest && p.Inside(s.World(3, 2, 3)) {
		s.chest = true
		s.Chest(p, 3, 2, 3, "minecraft:chests/stronghold_corridor")
	}
}

// Place implements structure.Piece.
func (s *strongFiller) Place(p *structure.Placer) {
	for z := range s.length {
		s.fill(p, stoneBricks, area{0, 0, z, 4, 0, z})
		for y := int32(1); y <= 3; y++ {
			s.Put(p, stoneBricks, 0, y, z)
			s.air(p, area{1, y, z, 3, y, z})
			s.Put(p, stoneBricks, 4, y, z)
		}
		s.fill(p, stoneBricks, area{0, 4, z, 4, 4, z})
	}
}
