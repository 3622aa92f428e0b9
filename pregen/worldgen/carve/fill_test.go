package carve_test

import (
	"slices"
	"strings"
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/bench/testbed"
	"strata/pregen/worldgen/carve"
	"strata/pregen/worldgen/oracletest"
	"strata/pregen/worldgen/proto"
)

var (
	stone    = block.MustParse("stone")
	dirt     = block.MustParse("dirt")
	water    = block.MustParse("water")
	lava     = block.MustParse("lava")
	caveAir  = block.MustParse("cave_air")
	bedrock  = block.MustParse("bedrock")
	grass    = block.MustParse("grass_block")
	mycelium = block.MustParse("mycelium")
	podzol   = block.MustParse("podzol")
)

// dug calls f for each block of the mask, with its index.
func dug(c *proto.Chunk, f func(index, x, y, z int)) {
	for index := range c.Blocks {
		if c.Carved[index>>6]>>(index&63)&1 != 0 {
			f(index, index&15, index>>8+c.MinY, index>>4&15)
		}
	}
}

// filled returns a chunk of the overworld in which all is one block.
func filled(x, z int32, state block.State) *proto.Chunk {
	c := proto.New(overworld.minY, overworld.height)
	c.Reset(x, z)
	for i := range c.Blocks {
		c.Blocks[i] = state
	}
	c.ComputeHeights()
	return c
}

func TestOnlyReplaceableBlocksAreReplaced(t *testing.T) {
	worker := load(t, overworld).NewWorker(testbed.Seed(t), nil)
	all := 0
	for x := range int32(12) {
		x *= 9
		c := filled(x, 0, stone)
		for i := range c.Blocks {
			if i%3 == 0 {
				c.Blocks[i] = bedrock
			}
		}
		before := slices.Clone(c.Blocks)
		worker.Carve(c, pool{}, pool{})
		blocks := 0
		dug(c, func(index, _, y, _ int) {
			want := block.State(0)
			switch {
			case before[index] == bedrock:
				want = bedrock
			case y <= -64+8:
				want = lava
			}
			if c.Blocks[index] != want {
				t.Fatalf("chunk %d, 0: %v became %v at y %d, want %v", x, before[index], c.Blocks[index], y, want)
			}
			if y >= 320-7 || y <= -64+1 {
				t.Fatalf("chunk %d, 0: dug at y %d", x, y)
			}
			before[index] = c.Blocks[index]
			blocks++
		})
		if !slices.Equal(before, c.Blocks) {
			t.Errorf("chunk %d, 0: blocks outside the mask changed", x)
		}
		heights := proto.New(c.MinY, c.Height)
		copy(heights.Blocks, c.Blocks)
		heights.ComputeHeights()
		for i := range 256 {
			if got, want := c.HeightAt(proto.OceanFloor, i&15, i>>4), heights.HeightAt(proto.OceanFloor, i&15, i>>4); got != want {
				t.Fatalf("chunk %d, 0: height %d, want %d", x, got, want)
			}
		}
		all += blocks
	}
	if all == 0 {
		t.Error("nothing was dug")
	}
}

func TestAquiferFillsAndClosesAndMarks(t *testing.T) {
	p := newPack(`["a:cave"]`) // whose caves go down to the lava
	p.documents["worldgen/configured_carver a:cave"] = strings.Replace(caveText, `{"absolute":40}`, `{"above_bottom":6}`, 1)
	worker := mustLoad(t, p, 1).NewWorker(testbed.Seed(t), nil)
	lavas := 0
	for x := range int32(6) {
		closed := filled(x, 0, stone)
		worker.Carve(closed, pool{state: water, solid: true, mark: true}, pool{})
		wet := filled(x, 0, stone)
		worker.Carve(wet, pool{state: water, mark: true}, pool{})
		still := filled(x, 0, stone)
		worker.Carve(still, pool{state: water}, pool{})
		waters, above := 0, 0
		marked := make(map[int32]bool)
		for _, index := range wet.Marks {
			marked[index] = true
		}
		dug(wet, func(index, _, y, _ int) {
			if y <= -60 {
				lavas++
				if closed.Blocks[index] != lava {
					t.Fatalf("chunk %d, 0: %v at y %d, want lava", x, closed.Blocks[index], y)
				}
				return
			}
			above++
			if wet.Blocks[index] == water {
				waters++
			}
			if closed.Blocks[index] != stone {
				t.Fatalf("chunk %d, 0: %v where the aquifer says stone", x, closed.Blocks[index])
			}
			if !marked[int32(index)] {
				t.Fatalf("chunk %d, 0: water at y %d is not marked", x, y)
			}
		})
		if waters != above {
			t.Errorf("chunk %d, 0: %d of %d blocks are water", x, waters, above)
		}
		if len(still.Marks) != 0 {
			t.Errorf("chunk %d, 0: %d marks that the aquifer did not ask for", x, len(still.Marks))
		}
	}
	if lavas == 0 {
		t.Error("no cave reached down to the lava")
	}
}

// counted is a surface that counts its questions.
type counted struct {
	pool
	asked [2]int // in the open, under a fluid
}

func (c *counted) TopMaterial(x, y, z int, underFluid bool) (block.State, bool) {
	if underFluid {
		c.asked[1]++
	} else {
		c.asked[0]++
	}
	return c.pool.TopMaterial(x, y, z, underFluid)
}

// Layers of turf and dirt take turns: where a cave takes a turf, the dirt it
// leaves is covered again.
func TestDirtBelowDugTurfIsCovered(t *testing.T) {
	p := newPack(`["a:cave"]`) // whose caves begin at y 40
	p.documents["worldgen/configured_carver a:cave"] = strings.Replace(caveText, `"stone"`,
		`["stone","dirt","grass_block","mycelium"]`, 1)
	worker := mustLoad(t, p, 1).NewWorker(testbed.Seed(t), nil)
	for _, turf := range []block.State{grass, mycelium, stone} {
		for _, filling := range []block.State{0, water} {
			s := &counted{pool: pool{state: filling, top: podzol}}
			covered, floors := 0, 0
			for x := range int32(8) {
				c := filled(x, 0, bedrock)
				layer(c, 40, turf)
				layer(c, 39, turf)
				layer(c, 38, dirt)
				worker.Carve(c, s, s)
				for i := range 256 {
					dugAt := func(y int) bool {
						index := c.Index(i&15, y, i>>4)
						return c.Carved[index>>6]>>(index&63)&1 != 0
					}
					if dugAt(39) && !dugAt(38) {
						floors++
						if c.Block(i&15, 38, i>>4) == podzol {
							covered++
						}
					}
				}
			}
			want := floors
			if turf == stone {
				want = 0
			}
			if covered != want || floors == 0 {
				t.Errorf("%v, filled with %v: %d of %d floors covered", turf, filling, covered, floors)
			}
			under := 0
			if filling == water {
				under = 1
			}
			if s.asked[1-under] != 0 || (s.asked[under] == 0) != (turf == stone) {
				t.Errorf("%v, filled with %v: asked %v times", turf, filling, s.asked)
			}
		}
	}
}

func layer(c *proto.Chunk, y int, state block.State) {
	for i := range 256 {
		c.SetBlock(i&15, y, i>>4, state)
	}
}

func TestDebugModeShowsWhatWouldBeDug(t *testing.T) {
	p := newPack(`["a:cave"]`)
	p.documents["worldgen/configured_carver a:cave"] = strings.Replace(caveText, `"probability"`,
		`"debug_settings":{"debug_mode":true,"air_state":{"Name":"oak_button"},"barrier_state":{"Name":"tinted_glass"},
		"water_state":{"Name":"candle","Properties":{"candles":"2"}}},"probability"`, 1)
	worker := mustLoad(t, p, 1).NewWorker(testbed.Seed(t), nil)
	for _, c := range []struct {
		pool pool
		want string
	}{
		{pool{}, "oak_button"},
		{pool{state: water}, "candle[candles=2,waterlogged=true]"},
		{pool{state: lava}, "orange_stained_glass"},
		{pool{solid: true}, "tinted_glass"},
	} {
		chunk := filled(2, 2, bedrock)
		worker.Carve(chunk, c.pool, pool{})
		found := false
		dug(chunk, func(index, _, _, _ int) {
			found = true
			if got := chunk.Blocks[index]; got != block.MustParse(c.want) {
				t.Fatalf("%v shows as %v, want %s", c.pool, got, c.want)
			}
		})
		if !found {
			t.Error("nothing was dug")
		}
	}
}

// What real chunks hold where something was dug: the Nether's caves lava below
// 32 and cave air above, the overworld's lava up to 8 above the bottom; and
// nothing that could have been replaced is left but behind an aquifer's barrier.
func TestRealCavesAreFilledByTheRules(t *testing.T) {
	tables := chunk.NewTables()
	for _, d := range []dimension{overworld, nether} {
		carvers := load(t, d)
		kinds := make(map[block.State]int)
		for _, world := range oracletest.Worlds {
			worker := carvers.NewWorker(world.Seed, nil)
			for _, stored := range oracletest.Chunks(t, tables, world.Folder, d.folder, "carvers") {
				c := proto.New(d.minY, d.height)
				c.Reset(stored.Pos().X, stored.Pos().Z)
				worker.Carve(c, pool{}, pool{})
				dug(c, func(_, x, y, z int) {
					state := stored.Block(x, y, z)
					kinds[state]++
					if wrong := wrongFilling(d, y, state); wrong != "" {
						t.Errorf("%s, chunk %v: %v at %d, %d, %d: %s", world.Folder, stored.Pos(), state, x, y, z, wrong)
					}
				})
			}
		}
		if d.folder == nether.folder && (kinds[lava] < 10000 || kinds[caveAir] < 10000) {
			t.Errorf("%s: only %d lava and %d cave air", d.folder, kinds[lava], kinds[caveAir])
		}
		if d.folder == overworld.folder && (kinds[lava] < 100 || kinds[0] < 10000) {
			t.Errorf("%s: only %d lava and %d air", d.folder, kinds[lava], kinds[0])
		}
	}
}

func wrongFilling(d dimension, y int, state block.State) string {
	name := strings.TrimPrefix(state.Block().Name(), "minecraft:")
	switch {
	case d.folder == overworld.folder && y <= -56 && slices.Contains([]string{"air", "water", "deepslate"}, name):
		return "lava was to fill it"
	case d.folder == nether.folder && slices.Contains([]string{"netherrack", "basalt", "blackstone", "soul_sand"}, name) && !decorated(name):
		return "it was to be replaced"
	case state == lava && d.folder == nether.folder && y > 31, state == caveAir && d.folder == nether.folder && y <= 31:
		return "the filling of another height"
	}
	return ""
}

// decorated reports whether features of a neighbour chunk bring a block here.
func decorated(name string) bool { return name == "basalt" }

var _ carve.Aquifer = pool{}
