package generatortest_test

import (
	"testing"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/pregen/generatortest"
	"strata/pregen/worldgen/gen"
	"strata/region"
)

// TestTheWorldGeneratorIsAGenerator tests that of package gen, up to the
// surface.
func TestTheWorldGeneratorIsAGenerator(t *testing.T) {
	path := t.TempDir()
	w, err := anvil.Create(path, anvil.CreateOptions{Seed: 99, NoStructures: true})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	made, _, err := gen.Open(w, gen.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer made.Close()
	for _, dimension := range []string{anvil.Overworld, anvil.Nether, anvil.End} {
		t.Run(dimension, func(t *testing.T) {
			g, err := made.NewGenerator(dimension, chunk.StatusSurface, chunk.NewTables())
			if err != nil {
				t.Fatal(err)
			}
			generatortest.Run(t, generatortest.Subject{
				Generator: g, Until: chunk.StatusSurface, Version: anvil.NativeVersion, Near: region.ChunkPos{X: -70, Z: 31},
			})
		})
	}
}
