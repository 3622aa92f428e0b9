package feature_test

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/oracletest"
)

// tally counts how many blocks of a kind real chunks and ours have.
type tally struct{ right, missing, false int }

// ores are blocks that ore features and geodes place in the ground and hardly
// anything else does.
var ores = []string{
	"granite", "diorite", "andesite", "tuff", "coal_ore", "deepslate_coal_ore", "iron_ore", "deepslate_iron_ore",
	"copper_ore", "deepslate_copper_ore", "gold_ore", "deepslate_gold_ore", "redstone_ore", "deepslate_redstone_ore",
	"diamond_ore", "deepslate_diamond_ore", "lapis_ore", "deepslate_lapis_ore", "emerald_ore", "deepslate_emerald_ore",
	"nether_gold_ore", "nether_quartz_ore", "ancient_debris", "infested_stone", "infested_deepslate",
	"amethyst_block", "budding_amethyst", "calcite", "smooth_basalt",
}

// plants are blocks of other features. Those that are not here yet, such as
// trees, take their places or change what lies around.
var plants = []string{
	"sand", "sandstone", "gravel", "dirt", "grass_block", "water", "lava", "ice", "magma_block",
	"seagrass", "tall_seagrass", "kelp", "kelp_plant", "large_fern", "bush",
	"dandelion", "poppy", "wildflowers", "brown_mushroom", "red_mushroom", "pumpkin", "melon", "sugar_cane", "cactus",
	"dead_bush", "lily_pad", "sweet_berry_bush", "fire", "firefly_bush", "spawner", "mossy_cobblestone", "chest",
}

func setOf(t testing.TB, names []string) map[block.ID]bool {
	t.Helper()
	set := make(map[block.ID]bool)
	for _, name := range names {
		id, ok := block.Find("minecraft:" + name)
		if !ok {
			t.Fatalf("no block %s", name)
		}
		set[id] = true
	}
	return set
}

// comparison is of blocks of some kinds.
type comparison struct {
	kinds  map[block.ID]bool
	total  map[block.ID]*tally
	masked int // blocks that depend on the order of decoration
	pairs  map[string]int
}

func (m *comparison) count(id block.ID) *tally {
	if m.total[id] == nil {
		m.total[id] = &tally{}
	}
	return m.total[id]
}

// compare counts the blocks of a real chunk and of ours, without those that
// depend on the order in which chunks are decorated.
func (m *comparison) compare(w *world, saved *chunk.Chunk) {
	pos := saved.Pos()
	first, second := w.decorated(pos.X, pos.Z, rank), w.decorated(pos.X, pos.Z, reverse)
	for i, got := range first.Blocks {
		if got != second.Blocks[i] {
			m.masked++
			continue
		}
		want := saved.Block(i&15, first.MinY+i>>8, i>>4&15).Block()
		switch g := got.Block(); {
		case want == g && m.kinds[want]:
			m.count(want).right++
		case want != g:
			if m.kinds[want] {
				m.count(want).missing++
			}
			if m.kinds[g] {
				m.count(g).false++
			}
			if m.kinds[want] || m.kinds[g] {
				m.pairs[want.Name()+" is "+g.Name()]++
			}
		}
	}
}

func (m *comparison) report(t *testing.T) (sum tally) {
	t.Helper()
	for _, id := range slices.Sorted(maps.Keys(m.total)) {
		s := m.total[id]
		t.Logf("%-24s right %6d missing %5d false %5d", strings.TrimPrefix(id.Name(), "minecraft:"), s.right, s.missing, s.false)
		sum.right += s.right
		sum.missing += s.missing
		sum.false += s.false
	}
	keys := slices.SortedFunc(maps.Keys(m.pairs), func(a, b string) int { return m.pairs[b] - m.pairs[a] })
	for _, k := range keys[:min(12, len(keys))] {
		t.Log(m.pairs[k], k)
	}
	t.Logf("all: right %d missing %d false %d, masked %d", sum.right, sum.missing, sum.false, m.masked)
	return sum
}

// compareReal compares full chunks of real worlds. Structures and features that
// are not here build over ores, so chunks with starts or references are left
// out.
func compareReal(t *testing.T, names []string, dimensions []string) (tally, int) {
	t.Helper()
	m := &comparison{kinds: setOf(t, names), total: make(map[block.ID]*tally), pairs: make(map[string]int)}
	limit := 6
	if os.Getenv("STRATA_ALL_CHUNKS") != "" {
		limit = 1 << 30
	}
	chunks := 0
	for _, from := range oracletest.Worlds[:3] {
		for _, dimension := range dimensions {
			var w *world
			n := 0
			for _, saved := range oracletest.Chunks(t, chunk.NewTables(), from.Folder, dimension, "full") {
				if n >= limit || structured(t, saved) {
					continue
				}
				if w == nil {
					w = newWorld(t, from.Seed, dimension)
				}
				m.compare(w, saved)
				n++
			}
			chunks += n
		}
	}
	return m.report(t), chunks
}

func TestOresOfRealChunksAreWhereTheGameHasThem(t *testing.T) {
	sum, chunks := compareReal(t, ores, []string{"overworld", "the_nether"})
	if found := float64(sum.right) / float64(sum.right+sum.missing); found < 0.99 {
		t.Errorf("%.2f %% of the ores of %d chunks are right, want 99 %%", 100*found, chunks)
	}
}

func TestPlantsAndGroundOfRealChunks(t *testing.T) {
	sum, chunks := compareReal(t, plants, []string{"overworld"})
	if found := float64(sum.right) / float64(sum.right+sum.missing); found < 0.97 {
		t.Errorf("%.2f %% of the blocks of %d chunks are right, want 97 %%", 100*found, chunks)
	}
}

// structured reports whether a chunk has a structure or a part of one.
func structured(t *testing.T, c *chunk.Chunk) bool {
	t.Helper()
	references, err := c.StructureReferences()
	if err != nil {
		t.Fatal(err)
	}
	return len(references) > 0
}
