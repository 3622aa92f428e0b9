package rock_test

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/feature/featuretest"
	"strata/pregen/worldgen/feature/rock"
	"strata/pregen/worldgen/provider"
)

// top is the y of the lowest air of a flat context, sea the first above its sea.
const (
	top = featuretest.FlatTop
	sea = 32
)

func all() map[string]feature.Factory {
	f := feature.Core()
	maps.Copy(f, rock.Factories())
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

func find(c *feature.Context, id block.ID) (list [][3]int) {
	for y := c.MinY(); y < c.Top(); y++ {
		for x := -16; x < 32; x++ {
			for z := -16; z < 32; z++ {
				if c.Block(x, y, z).Block() == id {
					list = append(list, [3]int{x, y, z})
				}
			}
		}
	}
	return list
}

func TestBlobsSinkToTheirGround(t *testing.T) {
	f := load(t, `{"type":"block_blob","config":{"state":{"Name":"gold_block"},"can_place_on":{"type":"matching_blocks","blocks":"grass_block"}}}`)
	c, _ := featuretest.Flat(block.GrassBlock.Default(), 1)
	if !f.Place(c, 4, top+6, 4) || c.Block(4, top, 4).Block() != block.GoldBlock {
		t.Error("no blob on the ground")
	}
	if n := len(find(c, block.GoldBlock)); n < 3 || n > 40 {
		t.Errorf("%d blocks", n)
	}
	if c, _ = featuretest.Flat(block.Stone.Default(), 1); f.Place(c, 4, top+6, 4) {
		t.Error("a blob without ground")
	}
}

func TestPilesLieOnWhatIsWhole(t *testing.T) {
	f := load(t, `"minecraft:pile_hay"`)
	c, _ := featuretest.Flat(block.Stone.Default(), 2)
	for x := range 4 {
		for z := -16; z < 32; z++ {
			c.Set(x, top-1, z, block.DirtPath.Default())
		}
	}
	if !f.Place(c, 4, top, 4) {
		t.Fatal("no pile")
	}
	hay := find(c, block.HayBlock)
	if len(hay) < 4 {
		t.Errorf("%d blocks", len(hay))
	}
	for _, p := range hay {
		if below := c.Block(p[0], p[1]-1, p[2]); below.Air() {
			t.Errorf("%v lies on nothing", p)
		}
	}
	if f.Place(c, 4, 4, 4) {
		t.Error("a pile at the bottom of the world")
	}
}

func TestSpikesStandOnSnow(t *testing.T) {
	f := load(t, `"minecraft:ice_spike"`)
	c, _ := featuretest.Flat(block.SnowBlock.Default(), 3)
	if !f.Place(c, 4, top+9, 4) {
		t.Fatal("no spike")
	}
	ice := find(c, block.PackedIce)
	if len(ice) < 15 || ice[len(ice)-1][1] < top+5 {
		t.Errorf("%d blocks up to %v", len(ice), ice)
	}
	if c, _ = featuretest.Flat(block.Stone.Default(), 3); f.Place(c, 4, top+9, 4) {
		t.Error("a spike on stone")
	}
}

// ocean makes a context whose ground is water below the sea.
func ocean(seed int64) *feature.Context {
	c, _ := featuretest.Flat(block.Stone.Default(), seed)
	for x := -16; x < 32; x++ {
		for z := -16; z < 32; z++ {
			for y := 4; y < top; y++ {
				s := block.Water.Default()
				if y >= sea {
					s = block.Air.Default()
				}
				c.SetBare(x, y, z, s)
			}
		}
	}
	return c
}

func TestIcebergsSwim(t *testing.T) {
	f := load(t, `"minecraft:iceberg_packed"`)
	over, under := 0, 0
	for seed := range int64(4) {
		c := ocean(seed)
		if !f.Place(c, 8, 90, 8) {
			t.Fatal("no iceberg")
		}
		for _, p := range append(find(c, block.PackedIce), find(c, block.SnowBlock)...) {
			if p[1] >= sea {
				over++
			} else {
				under++
			}
			if p[0] < -4 || p[0] > 19 || p[2] < -4 || p[2] > 19 {
				t.Errorf("seed %d: ice at %v", seed, p)
			}
		}
	}
	if over < 200 || under < 200 {
		t.Errorf("%d blocks over the water, %d under it", over, under)
	}
}

func TestBlueIceGrowsFromPackedIce(t *testing.T) {
	f := load(t, `{"type":"blue_ice","config":{}}`)
	c := ocean(4)
	if f.Place(c, 4, 20, 4) {
		t.Error("blue ice without other ice")
	}
	c.Set(4, 19, 4, block.PackedIce.Default())
	if f.Place(c, 4, 20, 4) {
		t.Error("blue ice from the ice below")
	}
	c.Set(5, 20, 4, block.PackedIce.Default())
	if f.Place(c, 4, sea, 4) || !f.Place(c, 4, 20, 4) {
		t.Fatal("no blue ice in the water")
	}
	if n := len(find(c, block.BlueIce)); n < 5 || n > 201 {
		t.Errorf("%d blocks", n)
	}
}

func TestWellsHideTwoThings(t *testing.T) {
	f := load(t, `{"type":"desert_well","config":{}}`)
	c, _ := featuretest.Flat(block.Sand.Default(), 5)
	if !f.Place(c, 4, top+3, 5) {
		t.Fatal("no well")
	}
	for id, want := range map[block.ID]int{
		block.Sandstone: 25 + 20 + 20 + 12 + 12 + 1, block.SandstoneSlab: 4 + 8, block.Water: 5, block.SuspiciousSand: 2,
	} {
		got := len(find(c, id))
		if id == block.Sandstone {
			got += len(find(c, block.SuspiciousSand)) - 1 // the lower one was sandstone
		}
		if got != want {
			t.Errorf("%d blocks of %v, want %d", got, id, want)
		}
	}
	entities := c.Center().BlockEntities
	if len(entities) != 2 {
		t.Fatalf("%d block entities, want 2", len(entities))
	}
	for _, e := range entities {
		seed := int64(e.X)<<38 | int64(e.Z)<<12 | int64(e.Y)
		if e.ID != "minecraft:brushable_block" || e.LootTable != "minecraft:archaeology/desert_well" || e.LootSeed != seed {
			t.Errorf("%+v", e)
		}
	}
	c.Set(4, top+1, 5, block.Stone.Default())
	if f.Place(c, 4, top+3, 5) {
		t.Error("a well on stone")
	}
}

func TestBonusChestsHaveLootAndTorches(t *testing.T) {
	f := load(t, `{"type":"bonus_chest","config":{}}`)
	c, _ := featuretest.Flat(block.Stone.Default(), 6)
	if !f.Place(c, 4, 0, 4) {
		t.Fatal("no chest")
	}
	chests, entities := find(c, block.Chest), c.Center().BlockEntities
	if len(chests) != 1 || len(entities) != 1 || entities[0].LootTable != "minecraft:chests/spawn_bonus_chest" || entities[0].LootSeed == 0 {
		t.Errorf("chests %v, block entities %+v", chests, entities)
	}
	if n := len(find(c, block.Torch)); n != 4 {
		t.Errorf("%d torches, want 4", n)
	}
}

func TestTheVoidHasAPlatform(t *testing.T) {
	f := load(t, `{"type":"void_start_platform","config":{}}`)
	c, _ := featuretest.Flat(block.Air.Default(), 7)
	if !f.Place(c, 0, 0, 0) || !f.Place(c, 16, 0, 16) || !f.Place(c, 32, 0, 0) {
		t.Error("a chunk of the void is not built")
	}
	// Chunk 0,0 whole, and the columns to 24 of chunk 1,1.
	if stone := len(find(c, block.Stone)); stone != 255+81 || c.Block(8, 3, 8).Block() != block.Cobblestone {
		t.Errorf("%d blocks of stone, %v in the middle", stone, c.Block(8, 3, 8))
	}
}

func TestBadConfigsAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		`{"type":"block_blob","config":{}}`:                                 "config.state: missing",
		`{"type":"iceberg","config":{"state":{"Name":"x"}}}`:                "no block",
		`{"type":"spike","config":{"state":{"Name":"ice"}}}`:                "config.can_place_on: missing",
		`{"type":"block_pile","config":{"state_provider":{"type":"none"}}}`: "unknown block state provider",
	} {
		_, err := featuretest.Feature(t, all(), text)
		if _, ok := errors.AsType[*provider.ValueError](err); !ok || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: error %v, want one about %q", text, err, want)
		}
	}
}
