package building

import (
	"testing"

	"strata/anvil/block"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
	"strata/pregen/worldgen/structure"
)

// made returns a layout that needs no document.
func made(t testing.TB, factory structure.Factory) structure.Layout {
	t.Helper()
	l, err := factory(nil, provider.Value{})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestScatteredPiecesAreTheSameWhicheverWayTheyFace builds pyramids, huts and
// temples in all facings and counts their blocks.
func TestScatteredPiecesAreTheSameWhicheverWayTheyFace(t *testing.T) {
	for _, c := range []struct {
		name    string
		factory structure.Factory
		loot    map[string]int
		mobs    map[string]int
		blocks  map[block.ID]int
	}{
		{
			"pyramid", newDesertPyramid, map[string]int{"minecraft:chests/desert_pyramid": 4}, nil,
			map[block.ID]int{block.Tnt: 9, block.StonePressurePlate: 1, block.BlueTerracotta: 2, block.Chest: 4},
		},
		{
			"temple", newJungleTemple,
			map[string]int{"minecraft:chests/jungle_temple": 2, "minecraft:chests/jungle_temple_dispenser": 2}, nil,
			map[block.ID]int{
				block.Chest: 2, block.Dispenser: 2, block.Lever: 3, block.TripwireHook: 4, block.Tripwire: 5,
				block.StickyPiston: 3, block.Repeater: 1, block.ChiseledStoneBricks: 3, block.RedstoneWire: 15,
			},
		},
		{
			"hut", newSwampHut, nil, map[string]int{"minecraft:witch": 1, "minecraft:cat": 1},
			map[block.ID]int{block.CraftingTable: 1, block.Cauldron: 1, block.PottedRedMushroom: 1, block.SpruceStairs: 26},
		},
	} {
		facings := make(map[structure.Facing]bool)
		for seed := int64(0); len(facings) < 4; seed++ {
			start := newStart(t, made(t, c.factory), seed)
			facing := start.Pieces[0].Common().Facing
			if facings[facing] {
				continue
			}
			facings[facing] = true
			s := newSite(nil, 70, false)
			s.build(start, seed, rank)
			blocks, loot, mobs := s.blocks(), s.loot(), s.entities()
			for id, n := range c.blocks {
				if blocks[id] != n {
					t.Errorf("%s facing %v: %d %s, want %d", c.name, facing, blocks[id], id.Name(), n)
				}
			}
			for table, n := range c.loot {
				if loot[table] != n {
					t.Errorf("%s facing %v: %d of %s, want %d", c.name, facing, loot[table], table, n)
				}
			}
			for id, n := range c.mobs {
				if mobs[id] != n {
					t.Errorf("%s facing %v: %d of %s, want %d", c.name, facing, mobs[id], id, n)
				}
			}
		}
	}
}

// TestSandOfPyramidsHidesSomething looks at the cellar.
func TestSandOfPyramidsHidesSomething(t *testing.T) {
	for seed := range int64(8) {
		s := newSite(nil, 70, false)
		start := newStart(t, made(t, newDesertPyramid), seed)
		s.build(start, seed, rank)
		n := s.loot()["minecraft:archaeology/desert_pyramid"]
		built := s.blocks()
		if blocks := built[block.SuspiciousSand]; n != blocks || n < 6 || n > 8 {
			t.Errorf("seed %d: %d blocks of sand with something in them, %d such blocks", seed, n, blocks)
		}
		// 75 blocks of the room and 8 of its doors, 7 to 8 of the stairs, and the
		// sand of the roof.
		if sand := built[block.Sand] + n; sand < 75+8+7 || sand > 75+8+8+25 {
			t.Errorf("seed %d: %d blocks of sand", seed, sand)
		}
	}
}

// TestPiecesSettleOnTheGround checks the heights that pieces get.
func TestPiecesSettleOnTheGround(t *testing.T) {
	for _, c := range []struct {
		name      string
		factory   structure.Factory
		low, high int32
	}{{"pyramid", newDesertPyramid, 73, 75}, {"temple", newJungleTemple, 75, 75}, {"hut", newSwampHut, 75, 75}} {
		for seed := range int64(10) {
			s := newSite(nil, 75, false)
			start := newStart(t, made(t, c.factory), seed)
			s.build(start, seed, rank)
			if y := start.Pieces[0].Common().Box.MinY; y < c.low || y > c.high {
				t.Errorf("seed %d: the %s is at y %d, want %d to %d", seed, c.name, y, c.low, c.high)
			}
			if saved, _ := start.Pieces[0].Save().Get("HPos"); saved != int32(75) {
				t.Errorf("seed %d: the %s has the height %v", seed, c.name, saved)
			}
		}
	}
}

// differs reports how many blocks of two sites differ. Walls between chunks
// join lower or higher, as far as those above are there.
func (s *site) differs(o *site) (n int) {
	for at, c := range s.chunks {
		for i, state := range o.at(at[0], at[1]).Blocks {
			if c.Blocks[i] != state && (state.Block() != block.CobblestoneWall || c.Blocks[i].Block() != block.CobblestoneWall) {
				n++
			}
		}
	}
	return n
}

// TestChunksMayBeBuiltInAnyOrder builds what is the same in any order of chunks
// twice.
func TestChunksMayBeBuiltInAnyOrder(t *testing.T) {
	if testing.Short() {
		t.Skip("builds many structures")
	}
	reverse := func(x, z int32) int { return 8 - rank(x, z) }
	library := templates(t)
	monument := func(seed int64) *structure.Start {
		random := rng.NewWorldgenLegacy(0)
		random.SetLargeFeatureSeed(seed, 0, 0)
		facing := randomFacing(&random)
		return &structure.Start{Pieces: []structure.Piece{&monumentPiece{Base: structure.Base{
			ID: "minecraft:omb", Facing: facing, Box: structure.Oriented(-29, 39, -29, facing, 58, 23, 58),
		}}}}
	}
	of := func(layout structure.Layout) func(seed int64) *structure.Start {
		return func(seed int64) *structure.Start { return newStart(t, layout, seed) }
	}
	for name, start := range map[string]func(seed int64) *structure.Start{
		"monument": monument, "mansion": of(mansionLayout{}), "end city": of(endCityLayout{}), "igloo": of(iglooLayout{}),
		"shipwreck": of(shipwreckLayout{}), "ruin": of(oceanRuinLayout{large: 0.5, cluster: 1}),
	} {
		for seed := range int64(2) {
			ground, flooded := 70, false
			if name == "monument" || name == "shipwreck" || name == "ruin" {
				ground, flooded = 45, true
			}
			first, second := newSite(library, ground, flooded), newSite(library, ground, flooded)
			first.build(start(seed), seed, rank)
			second.build(start(seed), seed, reverse)
			// Some rooms of monuments have pillars and sponges that each chunk draws.
			most := 0
			if name == "monument" {
				most = 400
			}
			if n := first.differs(second); n > most {
				t.Errorf("%s, seed %d: %d blocks differ", name, seed, n)
			}
		}
	}
}

// TestTemplatesAreWhole looks for each block of the templates of a structure in
// its place, unless a later piece is there too.
func TestTemplatesAreWhole(t *testing.T) {
	if testing.Short() {
		t.Skip("builds many structures")
	}
	library := templates(t)
	for name, layout := range map[string]structure.Layout{
		"mansion": mansionLayout{}, "end city": endCityLayout{}, "igloo": iglooLayout{},
	} {
		for seed := range int64(3) {
			s := newSite(library, 70, false)
			start := newStart(t, layout, seed)
			s.build(start, seed, rank)
			looked := 0
			for i, piece := range start.Pieces {
				looked += s.lookFor(t, name, piece, start.Pieces[i+1:])
			}
			if looked < 80 {
				t.Errorf("%s, seed %d: only %d blocks", name, seed, looked)
			}
		}
	}
}

// turnedOf returns the template of a piece, and whether its air counts.
func turnedOf(p structure.Piece) (of *turned, whole bool) {
	switch p := p.(type) {
	case *cityPiece:
		return &p.turned, p.whole
	case *mansionPiece:
		return &p.turned, true
	case *iglooPiece:
		return &p.turned, true
	}
	return nil, false
}

// lookFor compares the kinds of the blocks of a piece and returns how many it
// compared.
func (s *site) lookFor(t *testing.T, name string, p structure.Piece, later []structure.Piece) (looked int) {
	t.Helper()
	of, whole := turnedOf(p)
	from, err := s.templates.Template(of.name)
	if err != nil {
		t.Fatal(err)
	}
	at := of.at
	at.y = of.Box.MinY
	for _, b := range from.Blocks {
		id := from.Palettes[0][b.State].Block()
		where := of.apply(spot{b.X, b.Y, b.Z}).plus(at)
		covered := false
		for _, l := range later {
			covered = covered || l.Common().Box.Contains(where.x, where.y, where.z)
		}
		switch {
		case covered, id == block.StructureBlock, id == block.Air && !whole:
			continue
		}
		looked++
		if got := s.block(where.x, where.y, where.z).Block(); got != id && !settledAs(id, got) {
			t.Errorf("%s: %s of %s is %s", name, id.Name(), of.name, got.Name())
			return looked
		}
	}
	return looked
}

// settledAs reports whether a block becomes another one: where an igloo has no
// cellar there is snow instead of the trapdoor.
func settledAs(id, got block.ID) bool { return id == block.OakTrapdoor && got == block.SnowBlock }
