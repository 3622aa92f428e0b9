package rng_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"strata/anvil/chunk"
	"strata/bench/testbed"
	"strata/pregen/worldgen/rng"
	"strata/region"
	"strata/region/codec"
)

// firstDraws are structures whose first draw in a chunk is the seed of their
// chest's loot, with their decoration step and their index among the
// structures of that step, which go by name.
var firstDraws = map[string]struct{ step, index int32 }{
	"minecraft:buried_treasure":        {3, 0},
	"minecraft:ruined_portal":          {4, 10},
	"minecraft:ruined_portal_desert":   {4, 11},
	"minecraft:ruined_portal_jungle":   {4, 12},
	"minecraft:ruined_portal_mountain": {4, 13},
	"minecraft:ruined_portal_nether":   {4, 14},
	"minecraft:ruined_portal_ocean":    {4, 15},
	"minecraft:ruined_portal_swamp":    {4, 16},
}

// lootOf are the loot tables of those structures.
var lootOf = map[string]bool{
	"minecraft:chests/buried_treasure": true,
	"minecraft:chests/ruined_portal":   true,
}

// 64 bits of a loot seed can not be right by chance.
func TestFeatureSeedsGiveTheLootOfRealWorlds(t *testing.T) {
	compared := 0
	for _, world := range startWorlds {
		for _, dimension := range []string{"overworld", "the_nether"} {
			dir := testbed.Shared(t, "oracle", world.folder, dimension)
			starts := readStarts(t, world.folder, dimension)
			for _, chest := range readChests(t, dir) {
				// The structure starts in the chest's chunk or beside it.
				id := ""
				for _, start := range starts.Starts {
					if _, ok := firstDraws[start.ID]; ok && abs(start.X-chest.at.X) <= 1 && abs(start.Z-chest.at.Z) <= 1 {
						id = start.ID
					}
				}
				place, ok := firstDraws[id]
				if !ok {
					t.Logf("%s: the start of the chest in chunk %v is in none of the oracle's regions", world.folder, chest.at)
					continue
				}
				source := rng.NewWorldgenXoroshiro(0)
				decoration := source.SetDecorationSeed(world.seed, chest.at.X*16, chest.at.Z*16)
				source.SetFeatureSeed(decoration, place.index, place.step)
				if got := source.Long(); got != chest.seed {
					t.Errorf("%s: the chest of %s in chunk %v has loot seed %d, we draw %d", world.folder, id, chest.at, chest.seed, got)
				}
				compared++
			}
		}
	}
	t.Logf("compared %d chests", compared)
	if compared < 6 {
		t.Errorf("compared only %d chests", compared)
	}
}

func abs(v int32) int32 { return max(v, -v) }

type chest struct {
	at   region.ChunkPos
	seed int64
}

// readChests finds the chests with such loot in the full chunks of an oracle.
func readChests(t *testing.T, dir string) (chests []chest) {
	t.Helper()
	manifest, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var entries []struct {
		X, Z int32
		Set  string
	}
	if err := json.Unmarshal(manifest, &entries); err != nil {
		t.Fatal(err)
	}
	folder, err := region.OpenFolder(filepath.Join(dir, "full"), region.FolderOptions{Options: region.Options{ReadOnly: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	decoder := chunk.NewDecoder(chunk.NewTables())
	var unpack codec.Decoder
	for _, entry := range entries {
		if entry.Set != "full" {
			continue
		}
		at := region.ChunkPos{X: entry.X, Z: entry.Z}
		record, err := folder.Read(at, nil)
		if err != nil {
			t.Fatal(err)
		}
		data, err := record.AppendDecoded(&unpack, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		c, err := decoder.Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		entities, err := c.BlockEntities()
		if err != nil {
			t.Fatal(err)
		}
		for _, entity := range entities {
			var loot struct {
				LootTable     string
				LootTableSeed int64
			}
			if err := entity.NBT.Decode(&loot); err != nil {
				t.Fatal(err)
			}
			if lootOf[loot.LootTable] {
				chests = append(chests, chest{at, loot.LootTableSeed})
			}
		}
	}
	return chests
}
