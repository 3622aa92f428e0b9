package all_test

import (
	"os"
	"slices"
	"testing"

	"strata/anvil/chunk"
	"strata/pregen/generatortest"
	"strata/pregen/worldgen/feature/featuretest"
	"strata/pregen/worldgen/structure/all"
	"strata/pregen/worldgen/structure/structuretest"
	"strata/region"
)

// nearest finds the nearest structure of one of some ids in the order of rows.
func nearest(t *testing.T, seed int64, dimension string, ids ...string) region.ChunkPos {
	t.Helper()
	_, starts := structuretest.Load(t, seed, featuretest.Native, dimension, structuretest.Templates(t), all.Factories())
	for side := int32(1); side < 64; side++ {
		for z := -side; z <= side; z++ {
			for x := -side; x <= side; x++ {
				if max(x, -x, z, -z) != side {
					continue
				}
				for _, start := range starts.At(x, z) {
					if slices.Contains(ids, start.ID) {
						t.Logf("%s at %d,%d", start.ID, x, z)
						return region.ChunkPos{X: x, Z: z}
					}
				}
			}
		}
	}
	t.Fatalf("no %q", ids)
	return region.ChunkPos{}
}

// Chunks with structures do not depend on the order in which they are made, nor
// on the workers and on interruptions.
func TestChunksWithStructuresDependOnTheSeedAlone(t *testing.T) {
	if os.Getenv("STRATA_LONG_RUNS") == "" {
		t.Skip("takes minutes; STRATA_LONG_RUNS=1 runs it")
	}
	subjects := []struct {
		dimension string
		seed      int64
		ids       []string
	}{
		{"overworld", 3, []string{"minecraft:ocean_ruin_cold", "minecraft:ocean_ruin_warm"}},
		{"overworld", 5, []string{"minecraft:village_plains", "minecraft:village_taiga", "minecraft:village_snowy", "minecraft:village_desert", "minecraft:village_savanna"}},
		{"overworld", 4, []string{"minecraft:desert_pyramid", "minecraft:swamp_hut", "minecraft:jungle_pyramid", "minecraft:igloo"}},
		{"overworld", 9, []string{"minecraft:mineshaft"}},
		{"the_nether", 3, []string{"minecraft:fortress"}},
	}
	for _, subject := range subjects {
		near := nearest(t, subject.seed, subject.dimension, subject.ids...)
		g, err := worldWith(t, subject.seed, structuretest.Templates(t)).NewGenerator("minecraft:"+subject.dimension, chunk.StatusFeatures, chunk.NewTables())
		if err != nil {
			t.Fatal(err)
		}
		generatortest.Run(t, generatortest.Subject{Generator: g, Until: chunk.StatusFeatures, Version: featuretest.Native, Near: near})
	}
}
