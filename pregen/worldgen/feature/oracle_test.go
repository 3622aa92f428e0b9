package feature_test

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/nbt"
	"strata/pregen/worldgen/feature"
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
func (m *comparison) compare(first, second *feature.Chunk, saved *chunk.Chunk) {
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

// realChunks calls a function for some full chunks of real worlds, at most
// limit of a dimension. Structures and features that are not here build over
// ores, so chunks with references to structures are left out.
func realChunks(t *testing.T, dimensions []string, limit int, do func(w *world, saved *chunk.Chunk)) (chunks int) {
	t.Helper()
	if os.Getenv("STRATA_ALL_CHUNKS") != "" {
		limit = 1 << 30
	}
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
				do(w, saved)
				n++
			}
			chunks += n
		}
	}
	return chunks
}

func newComparison(t *testing.T, names []string) *comparison {
	t.Helper()
	return &comparison{kinds: setOf(t, names), total: make(map[block.ID]*tally), pairs: make(map[string]int)}
}

func TestRealChunksHaveTheirOresAndPlants(t *testing.T) {
	if testing.Short() {
		t.Skip("makes chunks")
	}
	inGround, onGround := newComparison(t, ores), newComparison(t, plants)
	chunks := realChunks(t, []string{"overworld", "the_nether"}, 3, func(w *world, saved *chunk.Chunk) {
		pos := saved.Pos()
		first := w.decorated(pos.X, pos.Z, rank)
		second := w.decorated(pos.X, pos.Z, reverse)
		inGround.compare(first, second, saved)
		if w.dimension.ID() == "minecraft:overworld" {
			onGround.compare(first, second, saved)
		}
	})
	for _, c := range []struct {
		*comparison
		name  string
		least float64
	}{{inGround, "ores", 0.995}, {onGround, "ground and plants", 0.99}} {
		sum := c.report(t)
		if found := float64(sum.right) / float64(sum.right+sum.missing); !(found >= c.least) {
			t.Errorf("%.2f %% of %s of %d chunks are right, want %v %%", 100*found, c.name, chunks, 100*c.least)
		}
	}
}

// TestDungeonsOfRealChunks looks at two chunks that have a dungeon.
func TestDungeonsOfRealChunks(t *testing.T) {
	if testing.Short() {
		t.Skip("makes chunks")
	}
	from := oracletest.Worlds[1]
	var w *world
	dungeons := 0
	for _, saved := range oracletest.Chunks(t, chunk.NewTables(), from.Folder, "overworld", "full") {
		pos := saved.Pos()
		if pos.X != 124 && pos.X != 150 || structured(t, saved) {
			continue
		}
		theirs, err := saved.BlockEntities()
		if err != nil {
			t.Fatal(err)
		}
		if len(theirs) == 0 {
			continue
		}
		if w == nil {
			w = newWorld(t, from.Seed, "overworld")
		}
		ours := w.decorated(pos.X, pos.Z, rank).BlockEntities
		if len(ours) != len(theirs) {
			t.Errorf("chunk %d,%d: %d block entities, want %d", pos.X, pos.Z, len(ours), len(theirs))
		}
		for _, e := range ours {
			found := false
			for _, r := range theirs {
				found = found || r.ID == e.ID && r.Pos.X == e.X && r.Pos.Y == e.Y && r.Pos.Z == e.Z && sameLoot(t, r.NBT, e)
			}
			if !found {
				t.Errorf("chunk %d,%d has no %+v", pos.X, pos.Z, e)
			}
		}
		dungeons++
	}
	if dungeons == 0 {
		t.Error("no chunk with a dungeon")
	}
}

// sameLoot reports whether a real block entity has the loot of ours.
func sameLoot(t *testing.T, theirs nbt.Raw, ours feature.BlockEntity) bool {
	t.Helper()
	var loot struct {
		Table string `nbt:"LootTable"`
		Seed  int64  `nbt:"LootTableSeed"`
	}
	if err := theirs.Decode(&loot); err != nil {
		t.Fatal(err)
	}
	return loot.Table == ours.LootTable && loot.Seed == ours.LootSeed
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
