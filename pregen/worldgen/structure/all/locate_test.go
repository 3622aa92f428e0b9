package all_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"strata/bench/testbed"
	"strata/pregen/worldgen/oracletest"
	"strata/pregen/worldgen/structure"
	"strata/pregen/worldgen/structure/all"
	"strata/pregen/worldgen/structure/template"
)

// TestLocateFindsKnownStructures looks for structures of real worlds from where
// they are, and for the nearest of each kind from anywhere: none of the starts
// that are known may be nearer in the same or a nearer ring of cells.
func TestLocateFindsKnownStructures(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 1))
	found := 0
	for _, world := range oracletest.Worlds {
		for _, dimension := range oracletest.Dimensions {
			known := oracletest.ReadStarts(t, world.Folder, dimension)
			if len(known.Starts) == 0 {
				continue
			}
			d, err := worldWith(t, world.Seed, template.Builtin()).Dimension("minecraft:" + dimension)
			if err != nil {
				t.Fatal(err)
			}
			starts, kinds, err := all.NewStarts(d)
			if err != nil {
				t.Fatal(err)
			}
			seen := map[string]int{}
			r.Shuffle(len(known.Starts), func(i, j int) { known.Starts[i], known.Starts[j] = known.Starts[j], known.Starts[i] })
			for _, want := range known.Starts {
				if seen[want.ID]++; seen[want.ID] > 1 {
					continue
				}
				i := slices.IndexFunc(kinds, func(s *structure.Structure) bool { return s.ID == want.ID })
				if i < 0 {
					t.Fatalf("%s has no %s", dimension, want.ID)
				}
				got, ok, err := starts.Locate(t.Context(), kinds[i:i+1], want.X<<4, want.Z<<4, structure.MaxCells)
				if err != nil || !ok || got.BlockX != want.X<<4 || got.BlockZ != want.Z<<4 {
					t.Errorf("%s %s: %s of chunk %d,%d is found at %d,%d, %v, %v", world.Folder, dimension, want.ID, want.X, want.Z, got.BlockX>>4, got.BlockZ>>4, ok, err)
				}
				found++
			}
		}
	}
	if found < 30 {
		t.Errorf("%d structures were looked for", found)
	}
}
