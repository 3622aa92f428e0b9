package end_test

import (
	"os"
	"testing"

	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/feature/featuretest"
	"strata/pregen/worldgen/gen"
)

// With STRATA_ALL_CHUNKS set, chunks are compared in more orders.
func TestRealChunks(t *testing.T) {
	if testing.Short() {
		t.Skip("makes chunks")
	}
	orders, reach := []featuretest.Order{featuretest.Rank}, int32(1)
	if os.Getenv("STRATA_ALL_CHUNKS") != "" {
		orders, reach = append(orders, featuretest.Reverse), 2
	}
	s := featuretest.NewScore()
	worlds := make(map[int64]*featuretest.World)
	for _, saved := range featuretest.RealChunks(t, "the_end") {
		w := worlds[saved.Seed]
		if w == nil {
			w = featuretest.NewWorld(t, saved.Seed, "the_end", gen.Factories())
			worlds[saved.Seed] = w
			if len(w.Missing) > 0 {
				t.Errorf("the End needs %v", w.Missing)
			}
		}
		pos := saved.Pos()
		var ours []*feature.Chunk
		for _, order := range orders {
			ours = append(ours, w.Decorated(pos.X, pos.Z, reach, order))
		}
		pairs, _ := s.Compare(saved.Chunk, w.Carved(pos.X, pos.Z), ours, nil)
		if len(pairs) > 0 {
			t.Log(saved.Folder, pos, saved.Structures, featuretest.Top(pairs, 12))
		}
	}
	s.Report(t, "the End", 10)
	// One block of end stone at the edge of a cave is wrong before decoration.
	if s.Exact < s.Chunks-1 {
		t.Errorf("%d of %d chunks are exact", s.Exact, s.Chunks)
	}
	for _, id := range []block.ID{block.ChorusPlant, block.ChorusFlower} {
		if k := s.Kinds[id]; k == nil || k.Right < 50 || k.Missing+k.False > 0 {
			t.Errorf("%v: %+v", id.Name(), k)
		}
	}
}
