package nether_test

import (
	"maps"
	"os"
	"testing"

	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/feature/featuretest"
	"strata/pregen/worldgen/feature/nether"
)

func factories() map[string]feature.Factory {
	all := feature.Core()
	maps.Copy(all, nether.Factories())
	return all
}

// fleeting reports whether a pair of states is one that ticks make: fire that
// goes out, and lava that flows.
func fleeting(want, got block.State) bool {
	return want.Block() == block.Fire || got.Block() == block.Fire || want.Block() == block.Lava && got.Air()
}

func TestScore(t *testing.T) {
	if os.Getenv("STRATA_ALL_CHUNKS") == "" {
		t.Skip("long")
	}
	orders := []featuretest.Order{featuretest.Rank, featuretest.Reverse, featuretest.Rows, featuretest.Columns}
	scores := map[string]*featuretest.Score{}
	worlds := map[int64]*featuretest.World{}
	for _, real := range featuretest.RealChunks(t, "the_nether") {
		w := worlds[real.Seed]
		if w == nil {
			w = featuretest.NewWorld(t, real.Seed, "the_nether", factories())
			worlds[real.Seed] = w
			t.Log(w.Missing)
		}
		pos := real.Pos()
		var ours []*feature.Chunk
		for _, o := range orders {
			ours = append(ours, w.Decorated(pos.X, pos.Z, 2, o))
		}
		key := real.Tier
		s := scores[key]
		if s == nil {
			s = featuretest.NewScore()
			scores[key] = s
		}
		var ignore func(a, b block.State) bool
		if real.Tier != "A" {
			ignore = fleeting
		}
		pairs, open := s.Compare(real.Chunk, ours, ignore)
		t.Log(real.Folder, pos, real.Tier, real.Structures, "open", open, featuretest.Top(pairs, 12))
	}
	for key, s := range scores {
		t.Logf("%s: %d chunks, exact %d, in any order %d, masked %d, wrong %d", key, s.Chunks, s.Exact, s.Any, s.Masked, s.Wrong)
		t.Log(featuretest.Top(s.Pairs, 40))
	}
}
