package carve_test

import (
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/carve"
	"strata/pregen/worldgen/oracletest"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/provider"
)

// dimension is what carvers need to know of one.
type dimension struct {
	folder       string
	minY, height int           // of the chunks
	span         provider.Span // of the noise settings
	biomes       []string      // whose carvers are loaded
}

// All biomes of a dimension have the same carvers, as
// TestBiomesOfADimensionAgree shows, so one stands for all.
var (
	overworld = dimension{"overworld", -64, 384, provider.Span{MinY: -64, Height: 384}, []string{"minecraft:plains"}}
	nether    = dimension{"the_nether", 0, 256, provider.Span{MinY: 0, Height: 128}, []string{"minecraft:nether_wastes"}}
	end       = dimension{"the_end", 0, 256, provider.Span{MinY: 0, Height: 128}, []string{"minecraft:the_end"}}
)

func load(t testing.TB, d dimension) *carve.Carvers {
	t.Helper()
	c, err := carve.Load(oracletest.Datapack(t), d.biomes, d.span)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// pool is an aquifer and a surface that have one answer each.
type pool struct {
	state       block.State
	solid, mark bool
	top         block.State
}

func (p pool) At(int, int, int, float64) (block.State, bool, bool) { return p.state, p.solid, p.mark }
func (p pool) TopMaterial(int, int, int, bool) (block.State, bool) { return p.top, p.top != 0 }

// TestMasksAreThoseOfRealChunks needs no terrain: that the mask does not depend
// on it is what TestMaskDoesNotDependOnTheTerrain shows. Chunks that have been
// decorated still hold their mask.
func TestMasksAreThoseOfRealChunks(t *testing.T) {
	tables := chunk.NewTables()
	total := 0
	for _, d := range []dimension{overworld, nether, end} {
		chunks, carved, wrong := 0, 0, 0
		for _, world := range oracletest.Worlds {
			worker := load(t, d).NewWorker(world.Seed, nil)
			c := proto.New(d.minY, d.height)
			list := oracletest.Chunks(t, tables, world.Folder, d.folder, "carvers")
			list = append(list, oracletest.Chunks(t, tables, world.Folder, d.folder, "initialize_light")...)
			for _, stored := range list {
				want, err := stored.CarvingMask()
				if err != nil {
					t.Fatal(err)
				}
				c.Reset(stored.Pos().X, stored.Pos().Z)
				worker.Carve(c, pool{}, pool{})
				chunks++
				for index := range c.Blocks {
					got := c.Carved[index>>6]>>(index&63)&1 != 0
					if want := want.At(index&15, index>>8, index>>4&15); want != got {
						if wrong++; wrong <= 5 {
							t.Errorf("%s %s chunk %v: block %d carved %v, want %v", world.Folder, d.folder, stored.Pos(), index, got, want)
						}
					} else if want {
						carved++
					}
				}
			}
		}
		t.Logf("%s: %d chunks, %d carved blocks found, %d wrong", d.folder, chunks, carved, wrong)
		if d.folder != "the_end" && carved < 10000 {
			t.Errorf("%s: only %d carved blocks in all", d.folder, carved)
		}
		total += chunks
	}
	if total != 224 {
		t.Errorf("%d chunks, want 116 at carvers and 108 at initialize_light", total)
	}
}
