package end_test

import (
	"maps"
	"os"
	"testing"

	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/feature/end"
	"strata/pregen/worldgen/feature/featuretest"
)

func factories() map[string]feature.Factory {
	all := feature.Core()
	maps.Copy(all, end.Factories())
	return all
}

func TestScore(t *testing.T) {
	if os.Getenv("STRATA_ALL_CHUNKS") == "" {
		t.Skip("long")
	}
	orders := []featuretest.Order{featuretest.Rank, featuretest.Reverse, featuretest.Rows, featuretest.Columns}
	s := featuretest.NewScore()
	worlds := map[int64]*featuretest.World{}
	for _, real := range featuretest.RealChunks(t, "the_end") {
		w := worlds[real.Seed]
		if w == nil {
			w = featuretest.NewWorld(t, real.Seed, "the_end", factories())
			worlds[real.Seed] = w
			t.Log(w.Missing)
		}
		pos := real.Pos()
		var ours []*feature.Chunk
		for _, o := range orders {
			ours = append(ours, w.Decorated(pos.X, pos.Z, 2, o))
		}
		pairs, open := s.Compare(real.Chunk, ours, nil)
		t.Log(real.Folder, pos, real.Tier, real.Structures, "open", open, featuretest.Top(pairs, 12))
	}
	t.Logf("%d chunks, exact %d, in any order %d, masked %d, wrong %d", s.Chunks, s.Exact, s.Any, s.Masked, s.Wrong)
	t.Log(featuretest.Top(s.Pairs, 40))
	for id, n := range s.Right {
		t.Log(id.Name(), n)
	}
}
