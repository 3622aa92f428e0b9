package feature_test

import (
	"fmt"
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

// ores are the blocks that ore features place in the ground.
func ores(t testing.TB) map[block.ID]bool {
	t.Helper()
	set := make(map[block.ID]bool)
	for _, name := range []string{
		"granite", "diorite", "andesite", "tuff", "coal_ore", "deepslate_coal_ore", "iron_ore", "deepslate_iron_ore",
		"copper_ore", "deepslate_copper_ore", "gold_ore", "deepslate_gold_ore", "redstone_ore", "deepslate_redstone_ore",
		"diamond_ore", "deepslate_diamond_ore", "lapis_ore", "deepslate_lapis_ore", "emerald_ore", "deepslate_emerald_ore",
		"nether_gold_ore", "nether_quartz_ore", "ancient_debris", "infested_stone", "infested_deepslate", "clay", "soul_sand",
		"magma_block", "blackstone", "gravel", "dirt",
		"sand", "sandstone", "water", "lava", "seagrass", "tall_seagrass", "kelp", "kelp_plant", "snow", "ice", "short_grass",
		"tall_grass", "fern", "large_fern", "dandelion", "poppy", "cornflower", "sugar_cane", "cactus", "dead_bush", "pumpkin",
		"brown_mushroom", "red_mushroom", "lily_pad", "sweet_berry_bush", "grass_block", "spawner", "chest", "mossy_cobblestone",
		"calcite", "smooth_basalt", "amethyst_block", "budding_amethyst", "leaf_litter", "bush", "wildflowers", "firefly_bush", "fire", "crimson_roots",
		"azure_bluet", "oxeye_daisy", "tuff", "sulfur", "moss_carpet", "melon",
	} {
		id, ok := block.Find("minecraft:" + name)
		if !ok {
			t.Fatalf("no block %s", name)
		}
		set[id] = true
	}
	return set
}

func TestOresOfRealChunks(t *testing.T) {
	kinds := ores(t)
	total := make(map[block.ID]*tally)
	limit := 3
	if os.Getenv("STRATA_ALL_CHUNKS") != "" {
		limit = 1 << 30
	}
	for _, from := range oracletest.Worlds[:3] {
		for _, dimension := range oracletest.Dimensions[:2] {
			var w *world
			for _, stage := range []string{"initialize_light", "full"} {
				for i, saved := range oracletest.Chunks(t, chunk.NewTables(), from.Folder, dimension, stage) {
					if i >= limit {
						break
					}
					if w == nil {
						w = newWorld(t, from.Seed, dimension)
					}
					compareKinds(w, saved, kinds, total)
				}
			}
		}
	}
	report(t, total)
}

var pairsDebug = map[string]int{}

func compareKinds(w *world, saved *chunk.Chunk, kinds map[block.ID]bool, total map[block.ID]*tally) {
	pos := saved.Pos()
	c := w.decorated(pos.X, pos.Z)
	count := func(id block.ID) *tally {
		if total[id] == nil {
			total[id] = &tally{}
		}
		return total[id]
	}
	for i, got := range c.Blocks {
		want := saved.Block(i&15, c.MinY+i>>8, i>>4&15)
		switch w, g := want.Block(), got.Block(); {
		case w == g && kinds[w]:
			count(w).right++
		case w != g:
			if kinds[w] || kinds[g] {
				if kinds[w] {
					count(w).missing++
				}
				if os.Getenv("DBG") != "" {
					pairsDebug[fmt.Sprint(pos, w, "->", g)]++
				}
			}
			if kinds[g] {
				count(g).false++
			}
		}
	}
}

func report(t *testing.T, total map[block.ID]*tally) {
	t.Helper()
	var sum tally
	for _, id := range slices.Sorted(maps.Keys(total)) {
		s := total[id]
		t.Logf("%-24s right %6d missing %5d false %5d", strings.TrimPrefix(id.Name(), "minecraft:"), s.right, s.missing, s.false)
		sum.right += s.right
		sum.missing += s.missing
		sum.false += s.false
	}
	keys := slices.SortedFunc(maps.Keys(pairsDebug), func(a, b string) int { return pairsDebug[b] - pairsDebug[a] })
	for _, k := range keys[:min(45, len(keys))] {
		t.Log(pairsDebug[k], k)
	}
	t.Log(fmt.Sprintf("all: right %d missing %d false %d", sum.right, sum.missing, sum.false))
}
