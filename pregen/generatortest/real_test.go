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
// surface, and where that is cheap to the end.
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
	for _, c := range []struct {
		dimension string
		until     chunk.Status
	}{
		{anvil.Overworld, chunk.StatusSurface}, {anvil.Nether, chunk.StatusSurface}, {anvil.End, chunk.StatusSurface},
		{anvil.End, chunk.StatusFull},
	} {
		t.Run(c.dimension+" "+c.until.String(), func(t *testing.T) {
			g, err := made.NewGenerator(c.dimension, c.until, chunk.NewTables())
			if err != nil {
				t.Fatal(err)
			}
			generatortest.Run(t, generatortest.Subject{
				Generator: g, Until: c.until, Version: anvil.NativeVersion, Near: region.ChunkPos{X: -70, Z: 31},
			})
		})
	}
}
