package noise_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/bench/testbed"
	"strata/pregen/worldgen/noise"
	"strata/pregen/worldgen/rng"
	"strata/region"
	"strata/region/codec"
)

var oracleWorlds = []struct {
	folder string
	seed   int64
}{
	{"vanilla-a", 6854583389113976052},
	{"paper-c", -5294008629080886081},
}

// visitOracle decodes all chunks of a stage of a dimension.
func visitOracle(t *testing.T, world, dimension, stage string, visit func(*chunk.Chunk, *chunk.Tables)) {
	t.Helper()
	manifest, err := os.ReadFile(testbed.Shared(t, "oracle", world, dimension, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var entries []struct {
		X, Z int32
		Set  string
	}
	if err := json.Unmarshal(manifest, &entries); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(testbed.Shared(t, "oracle", world, dimension), stage)
	folder, err := region.OpenFolder(dir, region.FolderOptions{Options: region.Options{ReadOnly: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	tables := chunk.NewTables()
	decoder := chunk.NewDecoder(tables)
	var unpack codec.Decoder
	for _, entry := range entries {
		if entry.Set != stage {
			continue
		}
		record, err := folder.Read(region.ChunkPos{X: entry.X, Z: entry.Z}, nil)
		if err != nil {
			t.Fatal(err)
		}
		data, err := record.AppendDecoded(&unpack, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		c, err := decoder.Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		visit(c, tables)
	}
}

// netherBiomes are the points of the Nether's biomes, with their offsets.
var netherBiomes = map[string][3]float64{
	"minecraft:nether_wastes":    {0, 0, 0},
	"minecraft:soul_sand_valley": {0, -0.5, 0},
	"minecraft:crimson_forest":   {0.4, 0, 0},
	"minecraft:warped_forest":    {0, 0.5, 0.375},
	"minecraft:basalt_deltas":    {-0.5, 0, 0.175},
}

// A place has the biome of the nearest point. Where two are equally near the
// game takes the one it found last, so that margin of rounding is left out.
func TestLegacyNormalGivesTheGamesNetherBiomes(t *testing.T) {
	const margin = 0.0005
	data := noise.Parameters{FirstOctave: -7, Amplitudes: []float64{1, 1}}
	total := 0
	for _, world := range oracleWorlds {
		var climate [2]*noise.Normal
		for i := range climate {
			source := rng.NewLegacy(world.seed + int64(i))
			n, err := noise.NewLegacyNormal(&source, data)
			if err != nil {
				t.Fatal(err)
			}
			climate[i] = n
		}
		seen := map[string]int{}
		for _, stage := range []string{"stage-biomes", "stage-carvers", "full"} {
			visitOracle(t, world.folder, "the_nether", stage, func(c *chunk.Chunk, tables *chunk.Tables) {
				for quarter := range 16 {
					x, z := int(c.Pos().X)*4+quarter%4, int(c.Pos().Z)*4+quarter/4
					biome, ok := c.Biome(x*4, 64, z*4)
					if !ok {
						t.Fatalf("chunk %v tells no biome", c.Pos())
					}
					name := tables.Biomes.Name(biome)
					temperature, vegetation := climate[0].At(float64(x), 0, float64(z)), climate[1].At(float64(x), 0, float64(z))
					if !nearestIs(netherBiomes, name, temperature, vegetation, margin) {
						t.Errorf("%s: quarter cell %d,%d is %s, temperature %v, vegetation %v", world.folder, x, z, name, temperature, vegetation)
					}
					seen[name]++
					total++
				}
			})
		}
		t.Logf("%s: %v", world.folder, seen)
	}
	if total < 1000 {
		t.Errorf("compared only %d quarter cells", total)
	}
}

func nearestIs(points map[string][3]float64, name string, temperature, vegetation, margin float64) bool {
	distance := func(p [3]float64) float64 {
		a, b := temperature-p[0], vegetation-p[1]
		return a*a + b*b + p[2]*p[2]
	}
	own, ok := points[name]
	if !ok {
		return false
	}
	for _, p := range points {
		if distance(p)+margin < distance(own) {
			return false
		}
	}
	return true
}

// Decoration puts little into the outer End, and none of it is end stone but
// small islands in the void and what gateways and cities replace.
func TestIslandsGiveTheGamesOuterEnd(t *testing.T) {
	endStone := block.MustParse("end_stone")
	for _, world := range oracleWorlds {
		n, islands := legacyBlended(t, world.seed, endBlend), noise.NewIslands(world.seed)
		blocks, solid, wrong, exact, chunks := 0, 0, 0, 0, 0
		for _, stage := range []string{"stage-carvers", "stage-initialize_light", "full"} {
			visitOracle(t, world.folder, "the_end", stage, func(c *chunk.Chunk, _ *chunk.Tables) {
				before := wrong
				column := func(x, stepY, z int, out []float64) {
					n.Column(x, 0, stepY, z, out)
					for i := range out {
						out[i] = endDensity(i*stepY, islands.At(int32(x), int32(z))+out[i])
					}
				}
				solidMask(int(c.Pos().X), int(c.Pos().Z), 8, 4, column, func(x, y, z int, want bool) {
					got := c.Block(int(c.Pos().X)*16+x, y, int(c.Pos().Z)*16+z) == endStone
					blocks++
					if want {
						solid++
					}
					if got != want {
						wrong++
					}
				})
				chunks++
				if wrong == before {
					exact++
				}
			})
		}
		t.Logf("%s: %d of %d chunks exact, %d of %d blocks differ, %d are solid", world.folder, exact, chunks, wrong, blocks, solid)
		if solid < 20000 || exact*2 < chunks || wrong*1000 > blocks {
			t.Errorf("%s: too much differs", world.folder)
		}
	}
}
