package nether_test

import (
	"testing"

	"strata/anvil/block"
	"strata/bench/testbed"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/feature/featuretest"
	"strata/pregen/worldgen/feature/nether"
)

// load returns a feature of the game's.
func load(t *testing.T, id string) feature.Feature {
	t.Helper()
	f, err := featuretest.Feature(t, nether.Factories(), `"`+id+`"`)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// count counts the blocks of kinds in chunks.
func count(chunks [9]*feature.Chunk, kinds ...block.ID) int {
	n := 0
	for _, c := range chunks {
		for _, s := range c.Blocks {
			for _, id := range kinds {
				if s.Block() == id {
					n++
				}
			}
		}
	}
	return n
}

// each calls do for each block of the chunks that is one of a kind.
func each(c *feature.Context, id block.ID, do func(x, y, z int, s block.State)) {
	for x := -16; x < 32; x++ {
		for z := -16; z < 32; z++ {
			for y := c.MinY(); y < c.Top(); y++ {
				if s := c.Block(x, y, z); s.Block() == id {
					do(x, y, z, s)
				}
			}
		}
	}
}

func TestTwistingVinesStandOnGroundAndEndInATip(t *testing.T) {
	c, chunks := featuretest.Flat(block.Netherrack.Default(), testbed.Seed(t))
	f := load(t, "twisting_vines")
	if f.Place(c, 8, featuretest.FlatTop+3, 8) {
		t.Error("vines grow in the air")
	}
	if !f.Place(c, 8, featuretest.FlatTop, 8) {
		t.Fatal("no vines grow on netherrack")
	}
	tips := 0
	each(c, block.TwistingVines, func(x, y, z int, s block.State) {
		tips++
		if age := s.Property("age"); len(age) != 2 || age < "17" || age > "25" {
			t.Errorf("a tip of age %s", age)
		}
		bottom := y
		for c.Block(x, bottom-1, z).Block() == block.TwistingVinesPlant {
			bottom--
		}
		if bottom != featuretest.FlatTop || y-bottom >= 16 {
			t.Errorf("the vine at %d,%d is of y %d to %d", x, z, bottom, y)
		}
		if !c.Block(x, y+1, z).Air() {
			t.Errorf("above the tip at %d,%d,%d is %v", x, y, z, c.Block(x, y+1, z))
		}
	})
	if bodies := count(chunks, block.TwistingVinesPlant); tips == 0 || bodies == 0 {
		t.Errorf("%d tips and %d blocks below them", tips, bodies)
	}
}

// roof puts a block above the whole of chunks.
func roof(c *feature.Context, y int, s block.State) {
	for x := -16; x < 32; x++ {
		for z := -16; z < 32; z++ {
			c.Set(x, y, z, s)
		}
	}
}

func TestWeepingVinesHangFromARoof(t *testing.T) {
	c, chunks := featuretest.Flat(block.Netherrack.Default(), testbed.Seed(t))
	roof(c, 81, block.Netherrack.Default())
	if !load(t, "weeping_vines").Place(c, 8, 80, 8) {
		t.Fatal("no vines grow")
	}
	each(c, block.WeepingVines, func(x, y, z int, _ block.State) {
		top := y
		for c.Block(x, top+1, z).Block() == block.WeepingVinesPlant {
			top++
		}
		if on := c.Block(x, top+1, z).Block(); on != block.Netherrack && on != block.NetherWartBlock {
			t.Errorf("the vine at %d,%d hangs from %v", x, z, on)
		}
	})
	if warts, vines := count(chunks, block.NetherWartBlock), count(chunks, block.WeepingVines); warts == 0 || vines == 0 {
		t.Errorf("%d wart blocks and %d vines", warts, vines)
	}
}

func TestGlowstoneHangsTogether(t *testing.T) {
	c, chunks := featuretest.Flat(block.Netherrack.Default(), testbed.Seed(t))
	f := load(t, "glowstone_extra")
	if f.Place(c, 8, featuretest.FlatTop, 8) {
		t.Error("glowstone stands on the ground")
	}
	roof(c, 81, block.Netherrack.Default())
	if !f.Place(c, 8, 80, 8) {
		t.Fatal("no glowstone is built")
	}
	if n := count(chunks, block.Glowstone); n < 2 {
		t.Errorf("%d blocks of glowstone", n)
	}
	each(c, block.Glowstone, func(x, y, z int, _ block.State) {
		for _, d := range [][3]int{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}} {
			if c.Block(x+d[0], y+d[1], z+d[2]).Block() == block.Glowstone {
				return
			}
		}
		t.Errorf("the block at %d,%d,%d touches no other", x, y, z)
	})
}

func TestPillarsReachTheGround(t *testing.T) {
	c, _ := featuretest.Flat(block.SoulSand.Default(), testbed.Seed(t))
	f := load(t, "basalt_pillar")
	if f.Place(c, 8, 80, 8) {
		t.Error("a pillar hangs from nothing")
	}
	c.Set(8, 81, 8, block.Netherrack.Default())
	if !f.Place(c, 8, 80, 8) {
		t.Fatal("no pillar is built")
	}
	for y := featuretest.FlatTop; y <= 80; y++ {
		if got := c.Block(8, y, 8).Block(); got != block.Basalt {
			t.Errorf("at y %d the pillar is of %v", y, got)
		}
	}
	each(c, block.Basalt, func(x, y, z int, _ block.State) {
		if y < featuretest.FlatTop-1 || max(x-8, 8-x, z-8, 8-z) > 3 {
			t.Errorf("basalt at %d,%d,%d", x, y, z)
		}
	})
}

func TestBlobsReplaceTheirTargetAlone(t *testing.T) {
	c, chunks := featuretest.Flat(block.Netherrack.Default(), testbed.Seed(t))
	c.Set(8, 30, 8, block.NetherGoldOre.Default())
	before := count(chunks, block.Netherrack)
	if !load(t, "basalt_blobs").Place(c, 8, 60, 8) { // finds the ground
		t.Fatal("no blob is built")
	}
	built := count(chunks, block.Basalt)
	if left := count(chunks, block.Netherrack); built < 20 || left != before-built {
		t.Errorf("%d blocks of basalt, %d of netherrack of %d", built, left, before)
	}
	for _, y := range []int{1, 0} { // bedrock's place is not looked at
		if load(t, "basalt_blobs").Place(c, 8, y, 8) {
			t.Errorf("a blob is built from y %d", y)
		}
	}
}

func TestDeltasLieInFlatGround(t *testing.T) {
	c, chunks := featuretest.Flat(block.Basalt.Default(), testbed.Seed(t))
	f := load(t, "delta")
	const y = featuretest.FlatTop - 1
	c.Set(8, y, 8, block.NetherBricks.Default())
	built := false
	for i := range 100 {
		built = f.Place(c, i%10*4-12, y, i/10*4-12) || built
	}
	lava, magma := count(chunks, block.Lava), count(chunks, block.MagmaBlock)
	if !built || lava == 0 || magma == 0 {
		t.Errorf("%d blocks of lava and %d of magma", lava, magma)
	}
	if c.Block(8, y, 8).Block() != block.NetherBricks {
		t.Error("a delta replaces a fortress")
	}
	for _, id := range []block.ID{block.Lava, block.MagmaBlock} {
		each(c, id, func(_, py, _ int, _ block.State) {
			if py != y {
				t.Errorf("%v at y %d", id, py)
			}
		})
	}
	if f.Place(c, 8, y-1, 8) {
		t.Error("a delta is built below ground")
	}
}

func TestColumnsStandInLavaAndNotOnMagma(t *testing.T) {
	seed := testbed.Seed(t)
	c, chunks := featuretest.Flat(block.Blackstone.Default(), seed)
	if !load(t, "large_basalt_columns").Place(c, 8, featuretest.FlatTop, 8) {
		t.Fatal("no columns are built on blackstone")
	}
	each(c, block.Basalt, func(x, y, z int, _ block.State) {
		if below := c.Block(x, y-1, z); below.Air() || y-featuretest.FlatTop > 16 {
			t.Errorf("basalt at %d,%d,%d on %v", x, y, z, below)
		}
	})
	if count(chunks, block.Basalt) < 20 {
		t.Error("hardly any basalt")
	}
	c, _ = featuretest.Flat(block.MagmaBlock.Default(), seed)
	if load(t, "large_basalt_columns").Place(c, 8, featuretest.FlatTop, 8) {
		t.Error("columns are built on magma")
	}
}

func TestForestPlantsNeedNylium(t *testing.T) {
	seed := testbed.Seed(t)
	f := load(t, "crimson_forest_vegetation")
	c, chunks := featuretest.Flat(block.CrimsonNylium.Default(), seed)
	if !f.Place(c, 8, featuretest.FlatTop, 8) {
		t.Fatal("nothing grows on nylium")
	}
	if roots, fungi := count(chunks, block.CrimsonRoots), count(chunks, block.CrimsonFungus); roots <= fungi {
		t.Errorf("%d roots and %d fungi", roots, fungi)
	}
	each(c, block.CrimsonRoots, func(_, y, _ int, _ block.State) {
		if y != featuretest.FlatTop {
			t.Errorf("roots at y %d", y)
		}
	})
	c, _ = featuretest.Flat(block.Netherrack.Default(), seed)
	if f.Place(c, 8, featuretest.FlatTop, 8) {
		t.Error("plants grow on netherrack")
	}
}

// What is built at the border of what may be written goes on as if there were
// more, since the draws of a chunk do not depend on that.
func TestBordersDoNotMatter(t *testing.T) {
	c, _ := featuretest.Flat(block.Netherrack.Default(), testbed.Seed(t))
	roof(c, 81, block.Netherrack.Default())
	for _, id := range []string{
		"twisting_vines", "weeping_vines", "glowstone_extra", "basalt_pillar", "basalt_blobs", "delta",
		"large_basalt_columns", "warped_forest_vegetation", "nether_sprouts",
	} {
		f := load(t, id)
		for _, at := range [][3]int{{-16, 0, -16}, {31, featuretest.FlatTop, 31}, {-16, 80, 31}, {31, 127, -16}, {31, 200, 0}, {0, -3, 0}} {
			f.Place(c, at[0], at[1], at[2])
		}
	}
}
