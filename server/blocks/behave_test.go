package blocks

import (
	"testing"

	"strata/anvil/block"
)

func floored() *fake {
	w := newFake()
	w.fill(0, 63, 0, 16, 63, 16, block.Stone.Default())
	return w
}

func (w *fake) is(t *testing.T, x, y, z int32, want string) {
	t.Helper()
	if got := at(w, Pos{X: x, Y: y, Z: z}); got != block.MustParse("minecraft:"+want) {
		t.Errorf("at %d,%d,%d: %v, not %s", x, y, z, got, want)
	}
}

func TestDoorBreaksWholeAndDropsOnce(t *testing.T) {
	for _, y := range []int32{64, 65} {
		w := floored()
		w.put("oak_door", Pos{X: 8, Y: 63, Z: 8}, block.Up, 0, 30)
		w.is(t, 8, 65, 8, "oak_door[facing=south,half=upper,hinge=right,open=false,powered=false]")
		Use(w, Pos{X: 8, Y: 64, Z: 8}, block.South)
		w.is(t, 8, 65, 8, "oak_door[facing=south,half=upper,hinge=right,open=true,powered=false]")
		Break(w, Pos{X: 8, Y: y, Z: 8}, "", true)
		w.is(t, 8, 64, 8, "air")
		w.is(t, 8, 65, 8, "air")
		if len(w.drops) != 1 || w.drops[0].Item != "minecraft:oak_door" {
			t.Errorf("dropped %v", w.drops)
		}
	}
}

func TestSecondDoorHasItsHingeAway(t *testing.T) {
	w := floored()
	w.put("oak_door", Pos{X: 8, Y: 63, Z: 8}, block.Up, 180, 30)
	w.put("oak_door", Pos{X: 9, Y: 63, Z: 8}, block.Up, 180, 30)
	w.is(t, 9, 64, 8, "oak_door[facing=north,half=lower,hinge=right,open=false,powered=false]")
}

func TestChestsJoinAndPart(t *testing.T) {
	w := floored()
	w.put("chest", Pos{X: 8, Y: 63, Z: 8}, block.Up, 180, 30)
	w.put("chest", Pos{X: 9, Y: 63, Z: 8}, block.Up, 180, 30)
	w.is(t, 8, 64, 8, "chest[facing=south,type=right,waterlogged=false]")
	w.is(t, 9, 64, 8, "chest[facing=south,type=left,waterlogged=false]")
	Break(w, Pos{X: 9, Y: 64, Z: 8}, "", true)
	w.is(t, 8, 64, 8, "chest[facing=south,type=single,waterlogged=false]")
}

func TestStairsBendAndStraighten(t *testing.T) {
	w := floored()
	w.put("oak_stairs", Pos{X: 8, Y: 63, Z: 8}, block.Up, 180, 30)
	w.put("oak_stairs", Pos{X: 8, Y: 63, Z: 7}, block.Up, 90, 30)
	w.is(t, 8, 64, 8, "oak_stairs[facing=north,half=bottom,shape=outer_left,waterlogged=false]")
	Break(w, Pos{X: 8, Y: 64, Z: 7}, "", false)
	w.is(t, 8, 64, 8, "oak_stairs[facing=north,half=bottom,shape=straight,waterlogged=false]")
}

func TestSlabsMerge(t *testing.T) {
	w := floored()
	w.put("oak_slab", Pos{X: 8, Y: 63, Z: 8}, block.Up, 0, 60)
	w.put("oak_slab", Pos{X: 8, Y: 64, Z: 8}, block.Up, 0, 60)
	w.is(t, 8, 64, 8, "oak_slab[type=double,waterlogged=false]")
	if out := w.put("oak_slab", Pos{X: 8, Y: 64, Z: 8}, block.Up, 0, 60); len(out.Changes) != 1 {
		t.Errorf("a third slab: %v", out)
	}
	w.is(t, 8, 65, 8, "oak_slab[type=bottom,waterlogged=false]")
}

func TestTorchFallsWithItsWall(t *testing.T) {
	w := floored()
	w.put("stone", Pos{X: 8, Y: 63, Z: 8}, block.Up, 0, 60)
	w.put("torch", Pos{X: 8, Y: 64, Z: 8}, block.North, 0, 0)
	w.is(t, 8, 64, 7, "wall_torch[facing=north]")
	Break(w, Pos{X: 8, Y: 64, Z: 8}, "minecraft:stone_pickaxe", true)
	w.is(t, 8, 64, 7, "air")
	if len(w.drops) != 2 {
		t.Errorf("dropped %v", w.drops)
	}
}

func TestWaterSpreadsSevenAndDries(t *testing.T) {
	w := floored()
	w.fill(0, 64, 7, 16, 64, 7, block.Stone.Default())
	w.fill(0, 64, 9, 16, 64, 9, block.Stone.Default())
	w.put("water_bucket", Pos{X: 5, Y: 63, Z: 8}, block.Up, 0, 60)
	w.run(100)
	w.is(t, 5, 64, 8, "water[level=0]")
	w.is(t, 12, 64, 8, "water[level=7]")
	w.is(t, 13, 64, 8, "air")
	if u := UseItem(w, "minecraft:bucket", Pos{X: 5, Y: 64, Z: 8}, block.Up); u.Left != "minecraft:water_bucket" {
		t.Errorf("filled %+v", u)
	}
	w.run(200)
	w.is(t, 6, 64, 8, "air")
	w.is(t, 12, 64, 8, "air")
}

func TestTwoSourcesMakeAThird(t *testing.T) {
	w := floored()
	w.fill(0, 64, 7, 16, 64, 7, block.Stone.Default())
	w.fill(0, 64, 9, 16, 64, 9, block.Stone.Default())
	w.put("water_bucket", Pos{X: 4, Y: 63, Z: 8}, block.Up, 0, 60)
	w.put("water_bucket", Pos{X: 6, Y: 63, Z: 8}, block.Up, 0, 60)
	w.run(20)
	w.is(t, 5, 64, 8, "water[level=0]")
}

func TestWaterTakesTheShortestWayDown(t *testing.T) {
	w := floored()
	w.Set(Pos{X: 10, Y: 63, Z: 8}, block.Air.Default())
	w.put("water_bucket", Pos{X: 8, Y: 63, Z: 8}, block.Up, 0, 60)
	w.run(10)
	w.is(t, 9, 64, 8, "water[level=1]")
	w.is(t, 7, 64, 8, "air")
	w.is(t, 8, 64, 7, "air")
}

func TestLavaAndWaterMakeStone(t *testing.T) {
	w := floored()
	w.put("lava_bucket", Pos{X: 8, Y: 63, Z: 8}, block.Up, 0, 60)
	w.put("water_bucket", Pos{X: 9, Y: 63, Z: 8}, block.Up, 0, 60)
	w.is(t, 8, 64, 8, "obsidian")

	w = floored()
	w.fill(0, 64, 7, 16, 64, 7, block.Stone.Default())
	w.fill(0, 64, 9, 16, 64, 9, block.Stone.Default())
	w.put("lava_bucket", Pos{X: 4, Y: 63, Z: 8}, block.Up, 0, 60)
	w.run(200)
	w.put("water_bucket", Pos{X: 8, Y: 63, Z: 8}, block.Up, 0, 60)
	w.run(20)
	w.is(t, 7, 64, 8, "cobblestone")
}

func TestSandFallsAndPowderHardens(t *testing.T) {
	w := floored()
	w.put("stone", Pos{X: 8, Y: 63, Z: 8}, block.Up, 0, 60)
	w.put("sand", Pos{X: 8, Y: 64, Z: 8}, block.Up, 0, 60)
	w.run(5)
	w.is(t, 8, 65, 8, "sand")
	Break(w, Pos{X: 8, Y: 64, Z: 8}, "", false)
	w.run(5)
	w.is(t, 8, 64, 8, "sand")
	w.put("red_concrete_powder", Pos{X: 4, Y: 63, Z: 8}, block.Up, 0, 60)
	w.put("water_bucket", Pos{X: 5, Y: 63, Z: 8}, block.Up, 0, 60)
	w.is(t, 4, 64, 8, "red_concrete")
}

func TestDigTicksAreThoseOfTheWiki(t *testing.T) {
	for _, c := range []struct {
		block, item string
		want        int
	}{
		{"stone", "", 150}, {"stone", "minecraft:wooden_pickaxe", 23},
		{"stone", "minecraft:diamond_pickaxe", 6}, {"dirt", "", 15},
		{"obsidian", "minecraft:diamond_pickaxe", 188}, {"bedrock", "minecraft:diamond_pickaxe", -1},
		{"torch", "", 0}, {"oak_log", "minecraft:iron_axe", 10},
	} {
		s := block.MustParse("minecraft:" + c.block)
		if got := DigTicks(s, c.item, 1); got != c.want {
			t.Errorf("%s with %q: %d ticks, not %d", c.block, c.item, got, c.want)
		}
	}
}

func TestDropsOfOrdinaryBlocks(t *testing.T) {
	const pick = "minecraft:iron_pickaxe"
	for _, c := range []struct {
		state, tool, item string
		count             int
	}{
		{"stone", pick, "cobblestone", 1}, {"stone", "", "", 0},
		{"grass_block", "", "dirt", 1}, {"diamond_ore", pick, "diamond", 1},
		{"diamond_ore", "minecraft:stone_pickaxe", "", 0}, {"glass", pick, "", 0},
		{"oak_slab[type=double]", "", "oak_slab", 2}, {"wheat[age=7]", "", "wheat", 1},
		{"wheat[age=2]", "", "wheat_seeds", 1}, {"wall_torch", "", "torch", 1},
		{"white_bed[part=head]", "", "", 0}, {"white_bed[part=foot]", "", "white_bed", 1},
		{"oak_leaves", "", "", 0}, {"candle[candles=3]", "", "candle", 3},
	} {
		got := Drops(block.MustParse("minecraft:"+c.state), c.tool)
		if c.item == "" {
			if len(got) != 0 {
				t.Errorf("%s with %q drops %v", c.state, c.tool, got)
			}
			continue
		}
		if len(got) != 1 || got[0].Item != "minecraft:"+c.item || got[0].Count != c.count {
			t.Errorf("%s with %q drops %v", c.state, c.tool, got)
		}
	}
}

func TestSourcesRenewAsTheRulesSay(t *testing.T) {
	for name, test := range map[string]struct {
		fluid   block.ID
		unusual bool
		want    string
	}{
		"water":            {block.Water, false, "water[level=0]"},
		"water by no rule": {block.Water, true, "water[level=1]"},
		"lava":             {block.Lava, false, "lava[level=2]"},
		"lava by a rule":   {block.Lava, true, "lava[level=0]"},
	} {
		w := floored()
		w.unusual = test.unusual
		Apply(w, []Change{{Pos{X: 7, Y: 64, Z: 8}, test.fluid.Default()}, {Pos{X: 9, Y: 64, Z: 8}, test.fluid.Default()}})
		w.run(200)
		t.Run(name, func(t *testing.T) { w.is(t, 8, 64, 8, test.want) })
	}
}
