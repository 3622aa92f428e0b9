package density_test

import (
	"fmt"
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/density"
	"strata/pregen/worldgen/noise"
	"strata/pregen/worldgen/oracletest"
	"strata/pregen/worldgen/settings"
)

// load reads the game's noise settings of an id.
func load(t testing.TB, id string, seed int64) (*density.Loader, density.Router, density.Shape) {
	t.Helper()
	pack := oracletest.Datapack(t)
	legacy := id == "nether" || id == "end" || id == "caves" || id == "floating_islands"
	loader := density.NewLoader(pack, noise.NewSet(seed, legacy, settings.Noises(pack)))
	router, shape, err := loader.Settings("minecraft:" + id)
	if err != nil {
		t.Fatal(err)
	}
	return loader, router, shape
}

func compile(t testing.TB, id string, seed int64) (*density.Chunk, density.Router) {
	t.Helper()
	loader, router, shape := load(t, id, seed)
	program, err := density.Compile(loader.Graph(), router, shape)
	if err != nil {
		t.Fatal(err)
	}
	return program.NewChunk(), router
}

func TestClimateEqualsTheGames(t *testing.T) {
	var rows [][9]int
	oracletest.JSON(t, "multi_noise_sample_no_blend_no_beard_0_0_0.json", &rows)
	if len(rows) != 24576 {
		t.Fatalf("%d rows, want 24576", len(rows))
	}
	c, _ := compile(t, "overworld", 0)
	wrong := 0
	for i := range rows {
		row := &rows[i]
		if i == len(rows)/2 { // the second half without and with a chunk
			c.Begin(int32(row[0]>>2), int32(row[2]>>2))
		}
		var out [1][6]float64
		c.Climate(row[0], row[2], []int{row[1]}, out[:])
		for k, v := range out[0] {
			if got := int(int64(float32(v) * 10000)); got != row[3+k] {
				if wrong++; wrong < 10 {
					t.Errorf("at %v value %d is %d, want %d", row[:3], k, got, row[3+k])
				}
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d values wrong", wrong)
	}
}

// settingsOf are the noise settings of the dumps' dimensions.
var settingsOf = map[string]string{"overworld": "overworld", "the_nether": "nether", "the_end": "end"}

// oracleBlock is a block of a chunk that the game made.
type oracleBlock func(x, y, z int) block.State

// checkMask compares which blocks of a chunk are solid. What aquifers and ore
// veins did to the overworld is not a difference: fluid or air stands where the
// density is positive nowhere, but a barrier's stone may stand where it is not.
func checkMask(t *testing.T, c *density.Chunk, dimension, name string, chunkX, chunkZ int32, at oracleBlock) {
	t.Helper()
	c.Begin(chunkX, chunkZ)
	c.Corners(40) // of most chunks above, of some below the ground
	shape := c.Program().Shape()
	cells, layers := shape.Cells()
	stone := block.MustParse("stone")
	barriers, wrong := 0, make(map[string]int)
	for cx := range cells {
		for cz := range cells {
			for cy := range layers {
				for i, d := range c.Density(cx, cy, cz) {
					x, z, y := i%shape.CellWidth, i/shape.CellWidth%shape.CellWidth, i/shape.CellWidth/shape.CellWidth
					x, z, y = x+cx*shape.CellWidth, z+cz*shape.CellWidth, y+cy*shape.CellHeight+shape.FirstY()
					have := at(x, y, z)
					solid := have.OceanFloor()
					switch {
					case solid == (d > 0):
					case dimension == "overworld" && solid && have == stone:
						barriers++
					default:
						wrong[fmt.Sprintf("density %v where %v stands at y %d", d, have, y)]++
					}
				}
			}
		}
	}
	t.Logf("%s: %d blocks of aquifers' barriers", name, barriers)
	if len(wrong) > 0 {
		t.Errorf("%s: %d kinds of wrong blocks: %.800v", name, len(wrong), wrong)
	}
	if barriers > 4000 {
		t.Errorf("%s: %d blocks of barriers are too many", name, barriers)
	}
}

func TestSolidBlocksAreWhereTheDumpsHaveThem(t *testing.T) {
	for _, d := range oracletest.Dumps(t, "noise") {
		c, _ := compile(t, settingsOf[d.Dimension], d.Seed)
		checkMask(t, c, d.Dimension, d.Name, d.X, d.Z, d.Block)
	}
}

func TestSolidBlocksAreWhereRealChunksHaveThem(t *testing.T) {
	tables, count := chunk.NewTables(), 0
	for _, world := range oracletest.Worlds {
		for dimension, id := range settingsOf {
			list := oracletest.Chunks(t, tables, world.Folder, dimension, "noise")
			if len(list) == 0 {
				continue
			}
			c, _ := compile(t, id, world.Seed)
			for _, made := range list {
				count++
				checkMask(t, c, dimension, fmt.Sprint(world.Folder, " ", made.Pos()), made.Pos().X, made.Pos().Z, realBlocks(made))
			}
		}
	}
	if count != 7 {
		t.Errorf("%d chunks, want 7", count)
	}
}

func realBlocks(c *chunk.Chunk) oracleBlock {
	return func(x, y, z int) block.State { return c.Block(x, y, z) }
}
