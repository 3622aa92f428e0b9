package plant_test

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/feature/featuretest"
	"strata/pregen/worldgen/feature/plant"
	"strata/pregen/worldgen/provider"
)

// top is the y of the lowest air of a flat context.
const top = featuretest.FlatTop

func all() map[string]feature.Factory {
	f := feature.Core()
	maps.Copy(f, plant.Factories())
	return f
}

func load(t *testing.T, text string) feature.Feature {
	t.Helper()
	f, err := featuretest.Feature(t, all(), text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func state(text string) block.State { return block.MustParse("minecraft:" + text) }

// count is how many blocks of a kind the chunks around 0,0 have.
func count(c *feature.Context, id block.ID) (n int) {
	for y := c.MinY(); y < top+24; y++ {
		for z := -16; z < 32; z++ {
			for x := -16; x < 32; x++ {
				if c.Block(x, y, z).Block() == id {
					n++
				}
			}
		}
	}
	return n
}

func TestVinesTakeTheFirstSide(t *testing.T) {
	f := load(t, `{"type":"vines","config":{}}`)
	c, _ := featuretest.Flat(block.Stone.Default(), 1)
	if f.Place(c, 4, top, 4) {
		t.Error("a vine grows on the block below")
	}
	c.Set(5, top+5, 4, block.OakLeaves.Default())
	c.Set(4, top+5, 5, block.OakSlab.Default())
	if !f.Place(c, 4, top+5, 4) || c.Block(4, top+5, 4) != state("vine[east=true]") {
		t.Errorf("beside leaves is %v", c.Block(4, top+5, 4))
	}
	if f.Place(c, 4, top+5, 4) {
		t.Error("a vine takes the place of another")
	}
}

func TestBambooEndsInLeaves(t *testing.T) {
	f := load(t, `{"type":"bamboo","config":{"probability":1}}`)
	c, _ := featuretest.Flat(block.GrassBlock.Default(), 2)
	if !f.Place(c, 4, top, 4) {
		t.Fatal("no bamboo")
	}
	y := top
	for c.Block(4, y, 4) == state("bamboo[age=1,leaves=none,stage=0]") {
		y++
	}
	for i, want := range [...]string{"small,stage=0", "large,stage=0", "large,stage=1"} {
		if got := c.Block(4, y+i, 4); got != state("bamboo[age=1,leaves="+want+"]") {
			t.Errorf("the end is %v at %d, want %s", got, i, want)
		}
	}
	if c.Block(4, top-1, 4).Block() != block.Podzol || count(c, block.Podzol) < 5 {
		t.Errorf("%d blocks of podzol", count(c, block.Podzol))
	}
	c, _ = featuretest.Flat(block.Stone.Default(), 2)
	if f.Place(c, 4, top, 4); count(c, block.Bamboo) != 0 {
		t.Error("bamboo grows on stone")
	}
}

func TestPatchesLieOnWhatIsHollow(t *testing.T) {
	patch := `{"type":"vegetation_patch","config":{"depth":2,"extra_bottom_block_chance":0,"extra_edge_column_chance":1,
		"ground_state":{"type":"simple_state_provider","state":{"Name":"moss_block"}},"replaceable":["stone"],
		"surface":"SIDE","vegetation_chance":1,"vertical_range":5,"xz_radius":2,
		"vegetation_feature":{"feature":{"type":"simple_block","config":{"to_place":
			{"type":"simple_state_provider","state":{"Name":"moss_carpet"}}}},"placement":[]}}}`
	floor := load(t, strings.Replace(patch, "SIDE", "floor", 1))
	c, _ := featuretest.Flat(block.Stone.Default(), 3)
	if !floor.Place(c, 4, top+3, 4) {
		t.Fatal("no patch")
	}
	// Seven by seven without the corners; carpets in all columns.
	if moss, carpets := count(c, block.MossBlock), count(c, block.MossCarpet); moss != 90 || carpets != 45 {
		t.Errorf("%d blocks of moss and %d carpets, want 90 and 45", moss, carpets)
	}
	if c.Block(4, top-2, 4).Block() != block.MossBlock || c.Block(4, top, 4).Block() != block.MossCarpet {
		t.Error("the patch is not where the ground was")
	}
	ceiling := load(t, strings.Replace(patch, "SIDE", "ceiling", 1))
	c, _ = featuretest.Flat(block.Stone.Default(), 3)
	for i := range 17 * 17 {
		c.Set(i%17-4, top+4, i/17-4, block.Stone.Default())
	}
	if !ceiling.Place(c, 4, top+1, 4) || count(c, block.MossBlock) != 45 {
		t.Errorf("%d blocks of moss in a ceiling of one layer, want 45", count(c, block.MossBlock))
	}
}

func TestPoolsAreWaterWhereTheyAreEnclosed(t *testing.T) {
	f := load(t, `"minecraft:clay_pool_with_dripleaves"`)
	c, _ := featuretest.Flat(block.Stone.Default(), 4)
	if !f.Place(c, 4, top, 4) {
		t.Fatal("no pool")
	}
	water := 0
	for x := -16; x < 32; x++ {
		for z := -16; z < 32; z++ {
			s := c.Block(x, top-1, z)
			if s.Block() == block.Water {
				water++
			}
			if s.Block() == block.Clay {
				t.Errorf("clay at %d %d is not turned to water", x, z)
			}
			if above := c.Block(x, top, z); above.Property("waterlogged") == "true" {
				t.Errorf("%v above the pool", above)
			}
		}
	}
	if water < 40 || count(c, block.Clay) < water {
		t.Errorf("%d blocks of water over %d of clay", water, count(c, block.Clay))
	}
}

const rootConfig = `{"type":"root_system","config":{EXTRA"allowed_tree_position":{"type":"matching_block_tag","tag":"air"},
	"allowed_vertical_water_for_tree":2,"hanging_root_placement_attempts":200,"hanging_root_radius":3,
	"hanging_root_state_provider":{"type":"simple_state_provider","state":{"Name":"hanging_roots"}},
	"hanging_roots_vertical_span":2,"required_vertical_space_for_tree":3,"root_column_max_height":100,
	"root_placement_attempts":20,"root_radius":3,"root_replaceable":["stone"],
	"root_state_provider":{"type":"simple_state_provider","state":{"Name":"rooted_dirt"}},
	"feature":{"feature":{"type":"simple_block","config":{"to_place":
		{"type":"simple_state_provider","state":{"Name":"gold_block"}}}},"placement":[]}}}`

// hollow makes a context with a cave at y 10 to 14.
func hollow(t *testing.T) *feature.Context {
	t.Helper()
	c, _ := featuretest.Flat(block.Stone.Default(), 5)
	for i := range 9 * 9 * 5 {
		c.Set(i%9, 10+i/81, i/9%9, block.Air.Default())
	}
	return c
}

func TestRootsReachTheGround(t *testing.T) {
	extra := `"level_test_distance":0,"max_level_deviation":0,`
	for name, text := range map[string]string{"26.1": "", "26.2": extra} {
		f := load(t, strings.Replace(rootConfig, "EXTRA", text, 1))
		c := hollow(t)
		if !f.Place(c, 4, 14, 4) || c.Block(4, top, 4).Block() != block.GoldBlock {
			t.Errorf("%s: nothing stands on the ground", name)
		}
		if n := count(c, block.RootedDirt); n < (top-15)*5 || c.Block(4, top-1, 4).Block() == block.RootedDirt {
			t.Errorf("%s: %d blocks of roots", name, n)
		}
		if count(c, block.HangingRoots) == 0 || c.Block(4, 10, 4).Block() == block.HangingRoots {
			t.Errorf("%s: %d hanging roots", name, count(c, block.HangingRoots))
		}
	}
}

func TestRootsEndAtTheSurfaceOfGeneration(t *testing.T) {
	// Floating ground above the surface that generation left.
	for name, c := range map[string]struct {
		extra string
		want  bool
	}{"26.1": {"", true}, "26.2": {`"level_test_distance":0,"max_level_deviation":0,`, false}} {
		f := load(t, strings.Replace(rootConfig, "EXTRA", c.extra, 1))
		context := hollow(t)
		for i := range 25 {
			context.Set(2+i%5, top+2, 2+i/5, block.Stone.Default()) // no room below
		}
		f.Place(context, 4, 14, 4)
		if got := context.Block(4, top+3, 4).Block() == block.GoldBlock; got != c.want {
			t.Errorf("%s: something above the surface: %v, want %v", name, got, c.want)
		}
	}
}

func TestRootsAskForLevelGround(t *testing.T) {
	f := load(t, strings.Replace(rootConfig, "EXTRA", `"level_test_distance":8,"max_level_deviation":2,`, 1))
	c := hollow(t)
	c.Set(12, top+2, 4, block.Stone.Default())
	if f.Place(c, 4, 14, 4); count(c, block.GoldBlock) != 0 {
		t.Error("a spring beside a hill")
	}
	c.Set(12, top+2, 4, block.Air.Default())
	if f.Place(c, 4, 14, 4); count(c, block.GoldBlock) != 1 {
		t.Error("no spring on level ground")
	}
}

func TestCoralsNeedWater(t *testing.T) {
	for _, kind := range []string{"coral_tree", "coral_claw", "coral_mushroom"} {
		f := load(t, `{"type":"`+kind+`","config":{}}`)
		blocks := 0
		for seed := range int64(4) {
			c, _ := featuretest.Flat(block.Stone.Default(), seed)
			if f.Place(c, 4, top, 4); !c.Block(4, top, 4).Air() {
				t.Errorf("%s in the air", kind)
			}
			for i := range 24 * 24 * 16 {
				c.SetBare(i%24-8, top+i/24/24, i/24%24-8, block.Water.Default())
			}
			if kind == "coral_mushroom" {
				f.Place(c, 4, top+6, 4)
			} else {
				f.Place(c, 4, top, 4)
			}
			n := corals(c)
			blocks += n
			if n < 1 || n > 100 {
				t.Errorf("%s: %d blocks", kind, n)
			}
		}
		if blocks < 20 {
			t.Errorf("%s: %d blocks of four", kind, blocks)
		}
	}
}

func corals(c *feature.Context) (n int) {
	for y := top; y < top+16; y++ {
		for z := -8; z < 16; z++ {
			for x := -8; x < 16; x++ {
				switch c.Block(x, y, z).Block() {
				case block.TubeCoralBlock, block.BrainCoralBlock, block.BubbleCoralBlock, block.FireCoralBlock, block.HornCoralBlock:
					n++
				}
			}
		}
	}
	return n
}

func TestSeaPicklesStandOnTheFloor(t *testing.T) {
	f := load(t, `{"type":"sea_pickle","config":{"count":20}}`)
	c, _ := featuretest.Flat(block.Stone.Default(), 7)
	if f.Place(c, 4, top, 4) {
		t.Error("sea pickles in the air")
	}
	for i := range 48 * 48 {
		c.Set(i%48-16, top, i/48-16, block.Water.Default())
	}
	if !f.Place(c, 4, top, 4) || count(c, block.SeaPickle) < 15 {
		t.Errorf("%d sea pickles of 20", count(c, block.SeaPickle))
	}
}

func TestBadConfigsAreRefused(t *testing.T) {
	roots := strings.Replace(rootConfig, "EXTRA", "", 1)
	for text, want := range map[string]string{
		`{"type":"bamboo","config":{"probability":2}}`:                       "config.probability",
		`{"type":"sea_pickle","config":{"count":257}}`:                       "config.count",
		`{"type":"vegetation_patch","config":{}}`:                            "config.replaceable: missing",
		strings.Replace(roots, `"root_radius":3`, `"root_radius":0`, 1):      "config.root_radius",
		strings.Replace(roots, `"hanging_roots_vertical_span":2,`, ``, 1):    "config.hanging_roots_vertical_span: missing",
		strings.Replace(rootConfig, "EXTRA", `"level_test_distance":17,`, 1): "config.level_test_distance",
	} {
		_, err := featuretest.Feature(t, all(), text)
		if _, ok := errors.AsType[*provider.ValueError](err); !ok || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: error %v, want one about %q", text, err, want)
		}
	}
}
