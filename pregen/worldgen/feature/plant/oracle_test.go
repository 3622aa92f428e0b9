package plant_test

import (
	"strings"
	"testing"

	"strata/anvil/block"
	"strata/pregen/worldgen/feature/featuretest"
)

// own decorates a chunk before those around it.
var own = "own first"

// realChunks are chunks of real worlds without structures, with the order of
// decoration that they tell of and how many blocks of some kinds they have. All
// blocks of these kinds are to be where the real chunk has them, and no others.
var realChunks = []struct {
	folder string
	x, z   int32
	order  string
	kinds  map[string]int
}{
	{"vanilla-a", 134, -194, "rank", map[string]int{"dripstone_block": 143, "pointed_dripstone": 40, "mossy_cobblestone": 10, "glow_lichen": 7}},
	{"vanilla-a", 97, 202, "rank", map[string]int{"mossy_cobblestone": 46}},
	{"vanilla-a", -24, 294, "rank", map[string]int{"sulfur": 351, "cinnabar": 1016, "sulfur_spike": 3, "kelp_plant": 88}},
	{"fabric-b", -21, 131, "reverse", map[string]int{
		"clay": 581, "moss_block": 67, "moss_carpet": 17, "small_dripleaf": 6, "big_dripleaf": 4, "azalea": 3,
		"flowering_azalea": 3, "dripstone_block": 199, "pointed_dripstone": 48, "glow_lichen": 15,
	}},
	{"fabric-b", -36, -268, "reverse", map[string]int{
		"horn_coral_block": 44, "fire_coral_block": 12, "tube_coral_block": 10, "brain_coral_block": 6,
		"tube_coral_wall_fan": 5, "sea_pickle": 3, "tube_coral_fan": 2, "tube_coral": 1, "seagrass": 20,
	}},
	{"fabric-b", 43, 65, "rank", map[string]int{"packed_ice": 4716, "snow_block": 46}},
	{"fabric-b", 45, 74, "rank", map[string]int{"packed_ice": 2045, "blue_ice": 74}},
	{"paper-c", -78, 28, "reverse", map[string]int{"packed_ice": 424, "snow_block": 189}},
	{"paper-c", 27, -37, own, map[string]int{
		"sculk": 81, "sculk_vein": 40, "sculk_sensor": 1, "sculk_shrieker": 1, "pointed_dripstone": 2, "dripstone_block": 8,
	}},
}

func orderOf(t *testing.T, name string, x, z int32) featuretest.Order {
	t.Helper()
	switch name {
	case "rank":
		return featuretest.Rank
	case "reverse":
		return featuretest.Reverse
	case own:
		return func(cx, cz int32) int {
			if cx == x && cz == z {
				return 0
			}
			return featuretest.Rank(cx, cz)%8 + 1
		}
	}
	t.Fatalf("no order %s", name)
	return nil
}

func TestRealChunksHaveThesePlantsRocksAndCaves(t *testing.T) {
	if testing.Short() {
		t.Skip("makes chunks")
	}
	saved := make(map[string]map[[2]int32]featuretest.Real)
	for _, r := range featuretest.RealChunks(t, "overworld") {
		if saved[r.Folder] == nil {
			saved[r.Folder] = make(map[[2]int32]featuretest.Real)
		}
		saved[r.Folder][[2]int32{r.Pos().X, r.Pos().Z}] = r
	}
	worlds := make(map[string]*featuretest.World)
	for _, c := range realChunks {
		r, ok := saved[c.folder][[2]int32{c.x, c.z}]
		if !ok {
			t.Errorf("no chunk %d,%d of %s", c.x, c.z, c.folder)
			continue
		}
		if worlds[c.folder] == nil {
			worlds[c.folder] = featuretest.NewWorld(t, r.Seed, "overworld", factories())
		}
		ours := worlds[c.folder].Decorated(c.x, c.z, 1, orderOf(t, c.order, c.x, c.z))
		right, wrong := make(map[string]int), make(map[string]int)
		for i, got := range ours.Blocks {
			want := r.Block(i&15, ours.MinY+i>>8, i>>4&15)
			if want == got {
				right[kind(got)]++
			} else if c.kinds[kind(want)] > 0 || c.kinds[kind(got)] > 0 {
				wrong[want.String()+" is "+got.String()]++
			}
		}
		if len(wrong) > 0 {
			t.Errorf("chunk %d,%d of %s: %s", c.x, c.z, c.folder, featuretest.Top(wrong, 8))
		}
		for id, want := range c.kinds {
			if right[id] != want {
				t.Errorf("chunk %d,%d of %s has %d of %s right, want %d", c.x, c.z, c.folder, right[id], id, want)
			}
		}
	}
}

func kind(s block.State) string { return strings.TrimPrefix(s.Block().Name(), "minecraft:") }
