package tree_test

import (
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/feature/cave"
	"strata/pregen/worldgen/feature/featuretest"
	"strata/pregen/worldgen/feature/nether"
	"strata/pregen/worldgen/feature/plant"
	"strata/pregen/worldgen/feature/rock"
	"strata/pregen/worldgen/feature/tree"
)

// factories are those of the features that the game's own biomes need.
func factories() map[string]feature.Factory {
	all := feature.Core()
	for _, more := range []map[string]feature.Factory{
		cave.Factories(), nether.Factories(), plant.Factories(), rock.Factories(), tree.Factories(),
	} {
		maps.Copy(all, more)
	}
	return all
}

// ofTrees reports whether trees place a block, and hardly anything else does.
func ofTrees(s block.State) bool {
	switch s.Block() {
	case block.BeeNest, block.Cocoa, block.CreakingHeart, block.PaleHangingMoss, block.MangrovePropagule,
		block.MushroomStem, block.BrownMushroomBlock, block.RedMushroomBlock, block.RootedDirt,
		block.MuddyMangroveRoots, block.MangroveRoots, block.Shroomlight, block.NetherWartBlock, block.WarpedWartBlock,
		block.LeafLitter, block.CrimsonStem, block.WarpedStem:
		return true
	}
	return s.Leaves() || strings.HasSuffix(s.Block().Name(), "_log")
}

// differs reports whether a block of a tree is not the real one. Leaves may have
// another distance, which they measure again when their chunk ticks.
func differs(want, got block.State) bool {
	return want != got && (ofTrees(want) || ofTrees(got)) && (want.Block() != got.Block() || !want.Leaves())
}

// wrong counts the blocks that differ in a chunk.
func wrong(from featuretest.Real, ours *feature.Chunk, differs func(want, got block.State) bool) (n int) {
	for i, got := range ours.Blocks {
		if differs(from.Block(i&15, ours.MinY+i>>8, i>>4&15), got) {
			n++
		}
	}
	return n
}

// orders are turns of chunks by their place in squares of three by three.
var orders = [...][3][3]int{
	{{0, 1, 2}, {7, 6, 3}, {8, 5, 4}},
	{{8, 7, 6}, {1, 2, 5}, {0, 3, 4}},
	{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}},
	{{8, 5, 2}, {7, 4, 1}, {6, 3, 0}},
}

// list returns a chunk and its neighbours in an order.
func list(x, z int32, order int) [][2]int32 {
	list := make([][2]int32, 9)
	for i := range int32(9) {
		cx, cz := x+i/3-1, z+i%3-1
		list[orders[order][(cz%3+3)%3][(cx%3+3)%3]] = [2]int32{cx, cz}
	}
	return list
}

// known are real chunks with trees, and an order in which they and those around
// them may have been decorated.
var known = []struct {
	what, dimension, folder string
	x, z                    int32
	order                   [][2]int32
}{
	{"spruces and pines", "overworld", "fabric-b", -21, 131, list(-21, 131, 1)},
	{"birches and spruces", "overworld", "fabric-b", 124, 64, list(124, 64, 2)},
	{"oaks and birches", "overworld", "vanilla-a", 213, -200, list(213, -200, 1)},
	{"litter below oaks and birches", "overworld", "paper-c", -30, 165, list(-30, 165, 2)},
	{"a nest of bees", "overworld", "paper-c", -70, 153, list(-70, 153, 1)},
	{"acacias", "overworld", "fabric-b", 25, -204, list(25, -204, 0)},
	{"jungle trees", "overworld", "paper-c", 35, 214, list(35, 214, 0)},
	{
		"pale oaks with moss, and a creaking heart nearby", "overworld", "vanilla-a", 157, -196,
		[][2]int32{{157, -195}, {156, -196}, {155, -197}, {157, -196}, {156, -197}, {157, -197}, {158, -197}},
	},
	{"crimson fungi", "the_nether", "paper-c", -37, -7, list(-37, -7, 3)},
	{"warped fungi", "the_nether", "paper-c", -20, -5, list(-20, -5, 3)},
}

func TestTreesOfRealChunks(t *testing.T) {
	if testing.Short() {
		t.Skip("makes chunks")
	}
	saved, worlds := map[string][]featuretest.Real{}, map[string]*featuretest.World{}
	for _, k := range known {
		if saved[k.dimension] == nil {
			saved[k.dimension] = featuretest.RealChunks(t, k.dimension)
		}
		i := slices.IndexFunc(saved[k.dimension], func(r featuretest.Real) bool {
			return r.Folder == k.folder && r.Pos().X == k.x && r.Pos().Z == k.z
		})
		if i < 0 {
			t.Fatalf("%s %s has no chunk %d,%d", k.folder, k.dimension, k.x, k.z)
		}
		from := saved[k.dimension][i]
		name := k.dimension + k.folder
		if worlds[name] == nil {
			worlds[name] = featuretest.NewWorld(t, from.Seed, k.dimension, factories())
		}
		ours := worlds[name].DecoratedAs(k.x, k.z, k.order)
		if n := wrong(from, ours, differs); n > 0 {
			t.Errorf("%s: %d blocks of trees are wrong in chunk %d,%d", k.what, n, k.x, k.z)
		}
		if n := wrong(from, ours, func(want, _ block.State) bool { return ofTrees(want) }); n < 70 {
			t.Errorf("%s: there are only %d blocks of trees", k.what, n)
		}
	}
}

// TestLeavesAndTicksOfChunksThatNeverTicked looks at a chunk whose leaves never
// measured their distance again: each waits for its first tick to do so.
func TestLeavesAndTicksOfChunksThatNeverTicked(t *testing.T) {
	if testing.Short() {
		t.Skip("makes chunks")
	}
	for _, from := range featuretest.RealChunks(t, "overworld") {
		p := from.Pos()
		if from.Folder != "vanilla-a" || p.X != 123 || p.Z != 28 {
			continue
		}
		ours := featuretest.NewWorld(t, from.Seed, "overworld", factories()).DecoratedAs(p.X, p.Z, list(p.X, p.Z, 0))
		n := wrong(from, ours, func(want, got block.State) bool { return want != got && (ofTrees(want) || ofTrees(got)) })
		if n > 0 {
			t.Errorf("%d blocks of trees are wrong", n)
		}
		ticks, err := from.Ticks(chunk.BlockTicks)
		if err != nil {
			t.Fatal(err)
		}
		var want []feature.Tick
		for _, k := range ticks {
			want = append(want, feature.Tick{X: k.Pos.X, Y: k.Pos.Y, Z: k.Pos.Z, ID: k.Name, Delay: k.Delay})
		}
		if diff := cmp.Diff(want, ours.BlockTicks); diff != "" || len(want) < 100 {
			t.Errorf("of %d ticks (-real +ours): %s", len(want), diff)
		}
		return
	}
	t.Error("the chunk is not there")
}

// search looks for an order of the chunks around that makes a real chunk, and
// returns the chunk of the best.
func search(w *featuretest.World, from featuretest.Real, tries int, seed uint64) (fewest int, found *feature.Chunk, order [][2]int32) {
	p := from.Pos()
	for i := range int32(25) {
		order = append(order, [2]int32{p.X + i%5 - 2, p.Z + i/5 - 2})
	}
	r := rand.New(rand.NewPCG(seed, 0))
	r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	found = w.DecoratedAs(p.X, p.Z, order)
	fewest = wrong(from, found, differs)
	for try := 0; try < tries && fewest > 0; try++ {
		next := slices.Clone(order)
		for range 1 + r.IntN(3) {
			i, j := r.IntN(len(next)), r.IntN(len(next))
			moved := next[i]
			next = slices.Insert(slices.Delete(next, i, i+1), j, moved)
		}
		c := w.DecoratedAs(p.X, p.Z, next)
		if n := wrong(from, c, differs); n <= fewest {
			fewest, order, found = n, next, c
		}
	}
	return fewest, found, order
}

// census counts the blocks of trees, by kind.
type census struct {
	chunks, exact         int
	right, missing, extra map[block.ID]int
}

func (c *census) add(from featuretest.Real, ours *feature.Chunk) {
	for i, got := range ours.Blocks {
		want := from.Block(i&15, ours.MinY+i>>8, i>>4&15)
		switch {
		case !differs(want, got):
			if ofTrees(want) {
				c.right[want.Block()]++
			}
			continue
		case ofTrees(want):
			c.missing[want.Block()]++
		}
		if ofTrees(got) {
			c.extra[got.Block()]++
		}
	}
}

// report logs the counts and returns the share of blocks that are right.
func (c *census) report(t *testing.T) float64 {
	t.Helper()
	right, all := 0, 0
	for id := range block.ID(block.BlockCount) {
		if n := c.right[id] + c.missing[id]; n+c.extra[id] > 0 {
			t.Logf("%-32s right %6d missing %5d false %5d", id.Name(), c.right[id], c.missing[id], c.extra[id])
			right += c.right[id]
			all += n
		}
	}
	t.Logf("trees of %d of %d chunks are exact in some order, %d of %d blocks right in the best", c.exact, c.chunks, right, all)
	return float64(right) / float64(max(all, 1))
}

// best decorates a chunk in many orders and returns it in the best, and how many
// blocks are wrong.
func best(w *featuretest.World, from featuretest.Real) (fewest int, found *feature.Chunk) {
	const restarts, tries = 1, 40
	p := from.Pos()
	fewest = 1 << 30
	for i := 0; i < len(orders)+restarts && fewest > 0; i++ {
		var n int
		var c *feature.Chunk
		if i < len(orders) {
			c = w.DecoratedAs(p.X, p.Z, list(p.X, p.Z, i))
			n = wrong(from, c, differs)
		} else {
			n, c, _ = search(w, from, tries, uint64(i))
		}
		if n < fewest {
			fewest, found = n, c
		}
	}
	return fewest, found
}

// TestTreesOfAllRealChunks looks for the order in which chunks around each real
// one were decorated, and counts what is still wrong in the best it finds. In
// dense forests each tree depends on what was there before, and one that is
// missing moves all that follow.
func TestTreesOfAllRealChunks(t *testing.T) {
	if os.Getenv("STRATA_LONG_RUNS") == "" {
		t.Skip("takes minutes; STRATA_LONG_RUNS=1 runs it")
	}
	for _, dimension := range []string{"overworld", "the_nether"} {
		saved := featuretest.RealChunks(t, dimension)
		for len(saved) > 0 {
			folder := saved[0].Folder
			n := slices.IndexFunc(saved, func(r featuretest.Real) bool { return r.Folder != folder })
			if n < 0 {
				n = len(saved)
			}
			chunks := saved[:n]
			saved = saved[n:]
			t.Run(dimension+"/"+folder, func(t *testing.T) {
				w := featuretest.NewWorld(t, chunks[0].Seed, dimension, factories())
				c := census{right: map[block.ID]int{}, missing: map[block.ID]int{}, extra: map[block.ID]int{}}
				for _, from := range chunks {
					fewest, found := best(w, from)
					if c.chunks++; fewest == 0 {
						c.exact++
					} else {
						t.Logf("%v, tier %s %v: %d wrong", from.Pos(), from.Tier, from.Structures, fewest)
					}
					c.add(from, found)
				}
				if share := c.report(t); !(share >= 0.8) {
					t.Errorf("only %.3f of the blocks of trees are right", share)
				}
			})
		}
	}
}
