package featuretest

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/bench/testbed"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/oracletest"
	"strata/pregen/worldgen/proto"
)

// Real is a full chunk of a real world.
type Real struct {
	*chunk.Chunk
	Folder     string
	Seed       int64
	Tier       string
	Structures []string // that reach into it
}

// RealChunks reads the full chunks of a dimension of the real worlds.
func RealChunks(t testing.TB, dimension string) []Real {
	t.Helper()
	var list []Real
	for _, from := range oracletest.Worlds[:3] {
		chunks := oracletest.Chunks(t, chunk.NewTables(), from.Folder, dimension, "full")
		if len(chunks) == 0 {
			continue
		}
		facts := manifest(t, from.Folder, dimension)
		for _, c := range chunks {
			pos := c.Pos()
			r := facts[[2]int32{pos.X, pos.Z}]
			r.Chunk, r.Folder, r.Seed = c, from.Folder, from.Seed
			list = append(list, r)
		}
	}
	return list
}

func manifest(t testing.TB, folder, dimension string) map[[2]int32]Real {
	t.Helper()
	text, err := os.ReadFile(testbed.Shared(t, "oracle", folder, dimension, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var entries []struct {
		Set, Tier  string
		Structures []string
		X, Z       int32
	}
	if err := json.Unmarshal(text, &entries); err != nil {
		t.Fatal(err)
	}
	facts := make(map[[2]int32]Real)
	for _, e := range entries {
		if e.Set == "full" {
			facts[[2]int32{e.X, e.Z}] = Real{Tier: e.Tier, Structures: e.Structures}
		}
	}
	return facts
}

// Score counts how chunks agree.
type Score struct {
	Chunks int
	Exact  int // in the first order
	Any    int // exact in one of the orders
	Masked int // exact but for blocks that depend on the order
	Wrong  int // blocks that are wrong and do not depend on the order
	// Pairs are the wrong blocks that do not depend on the order, "real is ours".
	Pairs map[string]int
	// Kinds tells of the blocks of each kind that decoration placed, there or
	// here, and that do not depend on the order.
	Kinds map[block.ID]*Tally
}

// Tally counts blocks.
type Tally struct{ Right, Missing, False int }

// NewScore returns an empty score.
func NewScore() *Score { return &Score{Pairs: make(map[string]int), Kinds: make(map[block.ID]*Tally)} }

func (s *Score) kind(state block.State) *Tally {
	k := s.Kinds[state.Block()]
	if k == nil {
		k = &Tally{}
		s.Kinds[state.Block()] = k
	}
	return k
}

// Compare counts a real chunk and ours in some orders, and returns the pairs of
// wrong blocks that do not depend on the order and how many depend on it. bare
// is the chunk before decoration. ignore says of a pair of states that it does
// not count, nil for none.
func (s *Score) Compare(saved *chunk.Chunk, bare *proto.Chunk, ours []*feature.Chunk, ignore func(want, got block.State) bool) (pairs map[string]int, open int) {
	pairs = make(map[string]int)
	wrongIn := make([]int, len(ours))
	for i, got := range ours[0].Blocks {
		want := saved.Block(i&15, ours[0].MinY+i>>8, i>>4&15)
		stable := true
		for n, c := range ours {
			if c.Blocks[i] != want && (ignore == nil || !ignore(want, c.Blocks[i])) {
				wrongIn[n]++
			}
			stable = stable && c.Blocks[i] == got
		}
		switch {
		case got == want && !stable, got != want && ignore != nil && ignore(want, got):
		case got == want:
			if got != bare.Blocks[i] {
				s.kind(got).Right++
			}
		case !stable:
			open++
		default:
			s.kind(want).Missing++
			s.kind(got).False++
			pairs[strings.TrimPrefix(want.String(), "minecraft:")+" is "+strings.TrimPrefix(got.String(), "minecraft:")]++
		}
	}
	s.Chunks++
	if wrongIn[0] == 0 {
		s.Exact++
	}
	if slices.Contains(wrongIn, 0) {
		s.Any++
	}
	if len(pairs) == 0 {
		s.Masked++
	}
	for pair, n := range pairs {
		s.Pairs[pair] += n
		s.Wrong += n
	}
	return pairs, open
}

// Top lists the most frequent pairs.
func Top(pairs map[string]int, most int) string {
	keys := slices.SortedFunc(maps.Keys(pairs), func(a, b string) int {
		if d := pairs[b] - pairs[a]; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	var text strings.Builder
	for i, k := range keys {
		if i == most {
			fmt.Fprintf(&text, "and %d more pairs", len(keys)-most)
			break
		}
		fmt.Fprintf(&text, "%d %s; ", pairs[k], k)
	}
	return text.String()
}

// Report logs a score.
func (s *Score) Report(t testing.TB, name string, pairs int) {
	t.Helper()
	t.Logf("%s: %d chunks, exact %d, in one of the orders %d, but for what depends on it %d; %d wrong",
		name, s.Chunks, s.Exact, s.Any, s.Masked, s.Wrong)
	for _, id := range slices.Sorted(maps.Keys(s.Kinds)) {
		k := s.Kinds[id]
		t.Logf("    %-24s right %6d missing %5d false %5d", strings.TrimPrefix(id.Name(), "minecraft:"), k.Right, k.Missing, k.False)
	}
	t.Log("    ", Top(s.Pairs, pairs))
}
