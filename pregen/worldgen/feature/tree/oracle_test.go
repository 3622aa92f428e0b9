package tree_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
)

// tally counts how many blocks of a kind real chunks and ours have.
type tally struct{ right, missing, false int }

// ofTrees reports whether trees alone, or nearly, place a block.
func ofTrees(s block.State) bool {
	name := s.Block().Name()
	switch s.Block() {
	case block.Vine, block.BeeNest, block.Cocoa, block.CreakingHeart, block.PaleHangingMoss, block.MangrovePropagule,
		block.MushroomStem, block.BrownMushroomBlock, block.RedMushroomBlock, block.Podzol, block.RootedDirt,
		block.MuddyMangroveRoots, block.MangroveRoots, block.Shroomlight, block.NetherWartBlock, block.WarpedWartBlock,
		block.LeafLitter, block.Dirt, block.RedMushroom, block.BrownMushroom, block.TallGrass, block.LargeFern:
		return true
	}
	return s.Leaves() || strings.HasSuffix(name, "_log") || strings.HasSuffix(name, "_stem")
}

func TestRealChunksHaveTheirTrees(t *testing.T) {
	if testing.Short() {
		t.Skip("makes chunks")
	}
	total := make(map[block.ID]*tally)
	count := func(s block.State) *tally {
		id := s.Block()
		if total[id] == nil {
			total[id] = &tally{}
		}
		return total[id]
	}
	pairs := make(map[string]int)
	masked, exact := 0, 0
	stateWrong := make(map[string]int)
	chunks := realChunks(t, "overworld", 3, func(w *world, saved *chunk.Chunk) {
		p := saved.Pos()
		first, second := w.decorated(p.X, p.Z, rank), w.decorated(p.X, p.Z, reverse)
		wrong := 0
		for i, got := range first.Blocks {
			if got != second.Blocks[i] {
				masked++
				continue
			}
			want := saved.Block(i&15, first.MinY+i>>8, i>>4&15)
			switch {
			case want.Block() == got.Block():
				if ofTrees(want) {
					count(want).right++
					if want != got {
						stateWrong[want.String()+" is "+got.String()]++
					}
				}
			case ofTrees(want) || ofTrees(got):
				wrong++
				if ofTrees(want) {
					count(want).missing++
				}
				if ofTrees(got) {
					count(got).false++
				}
				pairs[want.Block().Name()+" is "+got.Block().Name()]++
			}
		}
		if wrong == 0 {
			exact++
		}
		t.Logf("%d,%d inhabited %d wrong %d", p.X, p.Z, saved.InhabitedTime(), wrong)
	})
	for _, id := range slices.Sorted(maps.Keys(total)) {
		s := total[id]
		t.Logf("%-24s right %6d missing %5d false %5d", strings.TrimPrefix(id.Name(), "minecraft:"), s.right, s.missing, s.false)
	}
	print := func(m map[string]int, n int) {
		keys := slices.SortedFunc(maps.Keys(m), func(a, b string) int { return m[b] - m[a] })
		for _, k := range keys[:min(n, len(keys))] {
			t.Log(m[k], k)
		}
	}
	print(pairs, 40)
	t.Log("states")
	print(stateWrong, 20)
	t.Logf("%d chunks, %d exact, masked %d", chunks, exact, masked)
}
