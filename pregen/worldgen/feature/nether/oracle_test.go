package nether_test

import (
	"os"
	"testing"

	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/feature/featuretest"
	"strata/pregen/worldgen/gen"
)

// fleeting reports whether a pair of states is one that ticks make: fire that
// burns out, lava that flows, nylium that dies in the dark, mushrooms that drop.
func fleeting(want, got block.State) bool {
	switch got.Block() {
	case block.Fire, block.RedMushroom, block.BrownMushroom:
		return want.Air()
	case block.CrimsonNylium, block.WarpedNylium:
		return want.Block() == block.Netherrack
	}
	return want.Block() == block.Lava && !want.FluidSource() && got.Air()
}

// worlds makes each real world once.
type worlds map[int64]*featuretest.World

func (w worlds) of(t *testing.T, saved featuretest.Real) *featuretest.World {
	t.Helper()
	if w[saved.Seed] == nil {
		w[saved.Seed] = featuretest.NewWorld(t, saved.Seed, "the_nether", gen.Factories())
		if missing := w[saved.Seed].Missing; len(missing) > 0 {
			t.Errorf("the Nether needs %v", missing)
		}
	}
	return w[saved.Seed]
}

// With STRATA_ALL_CHUNKS set, all chunks are compared in more orders, and what
// is wrong is listed for each; without, a
// third of those that structures do not reach.
func TestRealChunks(t *testing.T) {
	if testing.Short() {
		t.Skip("makes chunks")
	}
	all := os.Getenv("STRATA_ALL_CHUNKS") != ""
	orders, reach := []featuretest.Order{featuretest.Rank, featuretest.Reverse}, int32(1)
	if all {
		reach = 2
	}
	made := make(worlds)
	pure, ticked, built := featuretest.NewScore(), featuretest.NewScore(), featuretest.NewScore()
	for i, saved := range featuretest.RealChunks(t, "the_nether") {
		if !all && i%3 > 0 {
			continue
		}
		s, ignore := pure, (func(want, got block.State) bool)(nil)
		if saved.Tier != "A" {
			s, ignore = ticked, fleeting
		}
		if len(saved.Structures) > 0 {
			if s = built; !all {
				continue
			}
		}
		w, pos := made.of(t, saved), saved.Pos()
		var ours []*feature.Chunk
		for _, order := range orders {
			ours = append(ours, w.Decorated(pos.X, pos.Z, reach, order))
		}
		if all {
			for _, d := range [][2]int32{{-20, 2}, {20, -2}, {2, -20}, {-2, 20}, {-20, -20}, {20, -20}, {-20, 20}, {20, 20}} {
				ours = append(ours, w.Decorated(pos.X, pos.Z, reach, featuretest.From(pos.X+d[0], pos.Z+d[1])))
			}
		}
		pairs, open := s.Compare(saved.Chunk, w.Carved(pos.X, pos.Z), ours, ignore)
		if all && len(pairs) > 0 {
			t.Log(saved.Folder, pos, saved.Tier, saved.Structures, "open", open, featuretest.Top(pairs, 12))
		}
	}
	pure.Report(t, "never ticked", 20)
	ticked.Report(t, "perhaps ticked", 20)
	if all {
		built.Report(t, "with structures", 40)
	}
	for _, c := range []struct {
		id    block.ID
		least float64 // of those that do not depend on the order
	}{
		{block.Glowstone, 1}, {block.Gravel, 0.995}, {block.MagmaBlock, 0.98}, {block.Basalt, 0.95},
	} {
		right, missing := 0, 0
		for _, s := range []*featuretest.Score{pure, ticked} {
			if k := s.Kinds[c.id]; k != nil {
				right, missing = right+k.Right, missing+k.Missing
			}
		}
		if share := float64(right) / float64(right+missing); !(share >= c.least) {
			t.Errorf("%.3f of %v are right, want %v", share, c.id.Name(), c.least)
		}
	}
}
