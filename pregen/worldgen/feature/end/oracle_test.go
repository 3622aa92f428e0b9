package end_test

import (
	"os"
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/feature/featuretest"
	"strata/pregen/worldgen/gen"
	"strata/pregen/worldgen/oracletest"
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

// Chunks that have been decorated, though not all around them have: with or
// without those before them, which is not known.
func TestRealChunksWithoutAllNeighbours(t *testing.T) {
	if testing.Short() {
		t.Skip("makes chunks")
	}
	s := featuretest.NewScore()
	for _, from := range oracletest.Worlds[:3] {
		var w *featuretest.World
		for _, saved := range oracletest.Chunks(t, chunk.NewTables(), from.Folder, "the_end", "initialize_light") {
			if w == nil {
				w = featuretest.NewWorld(t, from.Seed, "the_end", gen.Factories())
			}
			pos := saved.Pos()
			ours := []*feature.Chunk{w.DecoratedAs(pos.X, pos.Z, [][2]int32{{pos.X, pos.Z}})}
			for _, d := range [][2]int32{{-20, 1}, {20, 1}, {1, -20}, {1, 20}} {
				ours = append(ours, w.Decorated(pos.X, pos.Z, 1, featuretest.From(pos.X+d[0], pos.Z+d[1])))
			}
			s.Compare(saved, w.Carved(pos.X, pos.Z), ours, nil)
		}
	}
	s.Report(t, "the End", 5)
	if s.Any < s.Chunks || s.Wrong > 0 {
		t.Errorf("%d of %d chunks are exact, %d blocks are wrong in all orders", s.Any, s.Chunks, s.Wrong)
	}
	if k := s.Kinds[block.EndStone]; k == nil || k.Right < 400 {
		t.Errorf("blocks of islands: %+v", k)
	}
}
