package template_test

import (
	"reflect"
	"testing"

	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/feature/featuretest"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/settings"
	"strata/pregen/worldgen/structure/structuretest"
	"strata/pregen/worldgen/structure/template"
)

// everywhere is a box around all that a flat context has.
var everywhere = template.Box{MinX: -16, MinY: 0, MinZ: -16, MaxX: 31, MaxY: 127, MaxZ: 31}

func TestBlocksAreTurnedIntoTheBox(t *testing.T) {
	c, _ := featuretest.Flat(block.Stone.Default(), 1)
	made := read(t, [3]int32{3, 1, 1}, []string{"minecraft:furnace[facing=north]"}, [][4]int32{{0, 0, 0, 0}, {1, 0, 0, 0}, {2, 0, 0, 0}})
	box := everywhere
	box.MaxZ = 6
	made.Place(c, 5, 60, 5, 0, 0, 0, &template.Settings{Rotation: block.Clockwise90, Box: box, KnownShape: true}, c.Random)
	want := block.MustParse("minecraft:furnace[facing=east]")
	for z := 5; z <= 7; z++ {
		if got := c.Block(5, 60, z); (got == want) != (z <= 6) {
			t.Errorf("z %d is %v", z, got)
		}
	}
	e := c.BlockEntityAt(5, 60, 6)
	if e == nil || e.ID != "minecraft:furnace" {
		t.Errorf("the block entity is %+v", e)
	}
}

func TestWaterSoaksBlocks(t *testing.T) {
	for _, dry := range []bool{false, true} {
		c, _ := featuretest.Flat(block.Stone.Default(), 1)
		c.Set(5, 60, 5, block.Water.Default())
		made := read(t, [3]int32{4, 1, 1}, []string{"minecraft:oak_stairs[facing=north]"}, [][4]int32{{0, 0, 0, 0}, {1, 0, 0, 0}, {3, 0, 0, 0}})
		made.Place(c, 5, 60, 5, 0, 0, 0, &template.Settings{Box: everywhere, KnownShape: true, IgnoreWater: dry}, c.Random)
		if got := c.Block(5, 60, 5).Property("waterlogged"); (got == "true") == dry {
			t.Errorf("ignoring water %v: waterlogged is %s", dry, got)
		}
		// As in the game water goes on from a block that it has soaked.
		if got := c.Block(6, 60, 5).Property("waterlogged"); (got == "true") == dry {
			t.Errorf("ignoring water %v: beside it waterlogged is %s", dry, got)
		}
		if got := c.Block(8, 60, 5).Property("waterlogged"); got != "false" {
			t.Errorf("ignoring water %v: far from it waterlogged is %s", dry, got)
		}
	}
}

func TestFencesAndWallsJoinWhatIsBeside(t *testing.T) {
	for _, known := range []bool{false, true} {
		c, _ := featuretest.Flat(block.Stone.Default(), 1)
		c.Set(4, 60, 5, block.Stone.Default())
		made := read(t, [3]int32{3, 1, 1}, []string{"minecraft:oak_fence", "minecraft:cobblestone_wall"}, [][4]int32{{0, 0, 0, 0}, {1, 0, 0, 1}, {2, 0, 0, 1}})
		made.Place(c, 5, 60, 5, 0, 0, 0, &template.Settings{Box: everywhere, KnownShape: known}, c.Random)
		want := [3]string{
			"minecraft:oak_fence[east=false,north=false,south=false,waterlogged=false,west=true]",
			"minecraft:cobblestone_wall[east=low,north=none,south=none,up=true,waterlogged=false,west=none]",
			"minecraft:cobblestone_wall[east=none,north=none,south=none,up=true,waterlogged=false,west=low]",
		}
		for i, text := range want {
			got := c.Block(5+i, 60, 5)
			if known == (got == block.MustParse(text)) {
				t.Errorf("known shapes %v: block %d is %v", known, i, got)
			}
		}
	}
}

func TestStairsTurnCorners(t *testing.T) {
	c, _ := featuretest.Flat(block.Stone.Default(), 1)
	made := read(t, [3]int32{2, 1, 2}, []string{"minecraft:oak_stairs[facing=north]", "minecraft:oak_stairs[facing=west]"},
		[][4]int32{{0, 0, 0, 1}, {0, 0, 1, 0}})
	made.Place(c, 5, 60, 5, 0, 0, 0, &template.Settings{Box: everywhere}, c.Random)
	if got := c.Block(5, 60, 6).Property("shape"); got != "outer_left" {
		t.Errorf("the corner is %s", got)
	}
}

// processors reads a list of processors.
func processors(t *testing.T, text string) []template.Processor {
	t.Helper()
	source, err := settings.Builtin(4903)
	if err != nil {
		t.Fatal(err)
	}
	v, err := provider.Parse("test", "x", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	list, err := template.Processors(feature.NewLoader(source, nil, func(string) {}), v)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// row sets down a row of 16 blocks with processors and counts what comes out.
func row(t *testing.T, state, list string) map[block.ID]int {
	t.Helper()
	c, _ := featuretest.Flat(block.Stone.Default(), 1)
	var blocks [][4]int32
	for i := range int32(256) {
		blocks = append(blocks, [4]int32{i & 15, 0, i >> 4, 0})
	}
	made := read(t, [3]int32{16, 1, 16}, []string{state}, blocks)
	made.Place(c, 0, 60, 0, 0, 60, 0, &template.Settings{Box: everywhere, Processors: processors(t, list), KnownShape: true}, c.Random)
	counts := map[block.ID]int{}
	for i := range 256 {
		counts[c.Block(i&15, 60, i>>4).Block()]++
	}
	return counts
}

func TestProcessorsChangeBlocks(t *testing.T) {
	always := `{"predicate_type":"always_true"}`
	rule := `{"processor_type":"rule","rules":[{"input_predicate":{"predicate_type":"block_match","block":"cobblestone"},"location_predicate":` +
		always + `,"output_state":{"Name":"minecraft:gold_block"}}]}`
	for _, c := range []struct {
		state, list string
		id          block.ID
		low, high   int
	}{
		{"minecraft:cobblestone", `{"processors":[]}`, block.Cobblestone, 256, 256},
		{"minecraft:cobblestone", `[{"processor_type":"block_rot","integrity":0.25}]`, block.Cobblestone, 40, 90},
		{"minecraft:cobblestone", `[{"processor_type":"block_rot","integrity":0.25,"rottable_blocks":"minecraft:stone"}]`, block.Cobblestone, 256, 256},
		{"minecraft:cobblestone", `[` + rule + `]`, block.GoldBlock, 256, 256},
		{"minecraft:dirt", `[` + rule + `]`, block.GoldBlock, 0, 0},
		{"minecraft:cobblestone", `[{"processor_type":"capped","limit":7,"delegate":` + rule + `}]`, block.GoldBlock, 7, 7},
		{"minecraft:stone_brick_slab", `[{"processor_type":"blackstone_replace"}]`, block.PolishedBlackstoneBrickSlab, 256, 256},
		{"minecraft:stone_bricks", `[{"processor_type":"block_age","mossiness":1}]`, block.StoneBricks, 90, 166},
		{"minecraft:obsidian", `[{"processor_type":"block_age","mossiness":0}]`, block.CryingObsidian, 20, 60},
		{"minecraft:cobblestone", `[{"processor_type":"protected_blocks","value":"#minecraft:features_cannot_replace"}]`, block.Cobblestone, 256, 256},
		{"minecraft:jigsaw[orientation=up_north]", `[{"processor_type":"jigsaw_replacement"}]`, block.OakStairs, 256, 256},
		{"minecraft:cobblestone", `"minecraft:mossify_20_percent"`, block.MossyCobblestone, 30, 75},
	} {
		if n := row(t, c.state, c.list)[c.id]; n < c.low || n > c.high {
			t.Errorf("%s after %s: %d are %v, want %d to %d", c.state, c.list, n, c.id, c.low, c.high)
		}
	}
}

func TestGravityFollowsTheGround(t *testing.T) {
	c, _ := featuretest.Flat(block.Stone.Default(), 1)
	made := read(t, [3]int32{1, 2, 1}, []string{"minecraft:cobblestone"}, [][4]int32{{0, 1, 0, 0}})
	list := processors(t, `[{"processor_type":"gravity","heightmap":"WORLD_SURFACE_WG","offset":-1}]`)
	made.Place(c, 3, 90, 3, 0, 0, 0, &template.Settings{Box: everywhere, Processors: list, KnownShape: true}, c.Random)
	if got := c.Block(3, featuretest.FlatTop, 3).Block(); got != block.Cobblestone {
		t.Errorf("on the ground is %v", got)
	}
}

// Every block of the game's own templates is set at its place.
func TestTemplatesOfTheGameAreSetDownWhole(t *testing.T) {
	library := structuretest.Templates(t)
	set := 0
	for i, id := range structuretest.TemplateIDs(t) {
		if testing.Short() && i%8 != 0 {
			continue
		}
		made, err := library.Template(id)
		if err != nil {
			t.Error(err)
			continue
		}
		if known, ok := template.Builtin().Shape(id); !ok || !reflect.DeepEqual(*known, made.Shape) && len(made.Connectors) > 0 {
			t.Errorf("%s has another shape than the one that is known", id)
		}
		c, _ := featuretest.Flat(block.Stone.Default(), 1)
		s := &template.Settings{Rotation: block.Rotation(i & 3), Box: everywhere, KnownShape: true, IgnoreWater: true, IgnoreEntities: true}
		box := s.BoxAt(&made.Shape, 0, 0, 0)
		x, z := everywhere.MinX-box.MinX, everywhere.MinZ-box.MinZ
		made.Place(c, x, 60, z, x, 60, z, s, c.Random)
		palette := made.Palette(s, x, 60, z)
		for _, b := range made.Blocks {
			bx, by, bz := s.Turned(b.X, b.Y, b.Z)
			want := palette[b.State].Rotate(s.Rotation)
			if got := c.Block(int(bx+x), int(by)+60, int(bz+z)); got != want && everywhere.Contains(bx+x, by+60, bz+z) {
				t.Errorf("%s: block %d,%d,%d is %v, want %v", id, b.X, b.Y, b.Z, got, want)
				break
			}
			set++
		}
	}
	t.Logf("%d blocks", set)
}

// What is allocated does not grow with the blocks that processors see.
func TestBlocksOfATemplateAreNotAllocatedOneByOne(t *testing.T) {
	c, _ := featuretest.Flat(block.Stone.Default(), 1)
	var blocks [][4]int32
	for i := range int32(2048) {
		blocks = append(blocks, [4]int32{i & 15, i >> 8, i >> 4 & 15, 0})
	}
	made := read(t, [3]int32{16, 8, 16}, []string{"minecraft:cobblestone"}, blocks)
	s := &template.Settings{Box: everywhere, Processors: processors(t, `[{"processor_type":"block_rot","integrity":0.5}]`), KnownShape: true}
	n := testing.AllocsPerRun(10, func() { made.Place(c, 0, 60, 0, 0, 60, 0, s, c.Random) })
	if n > 100 {
		t.Errorf("%v allocations for %d blocks", n, len(blocks))
	}
}
