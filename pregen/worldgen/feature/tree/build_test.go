package tree_test

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/feature/tree"
	"strata/pregen/worldgen/settings"
)

const registry = "worldgen/configured_feature"

// ofThisPackage lists the game's configured features that this package makes,
// and their types.
func ofThisPackage(t testing.TB) map[string]string {
	t.Helper()
	source, err := settings.Builtin(4903)
	if err != nil {
		t.Fatal(err)
	}
	ids, err := source.IDs(registry)
	if err != nil {
		t.Fatal(err)
	}
	made := tree.Factories()
	found := map[string]string{}
	for _, id := range ids {
		text, err := source.Document(registry, id)
		if err != nil {
			t.Fatal(err)
		}
		var head struct{ Type string }
		if err := json.Unmarshal(text, &head); err != nil {
			t.Fatal(err)
		}
		if made[settings.ID(head.Type)] != nil {
			found[strings.TrimPrefix(id, "minecraft:")] = strings.TrimPrefix(settings.ID(head.Type), "minecraft:")
		}
	}
	return found
}

// ground is a block that a feature grows on.
func ground(id string) block.State {
	switch {
	case strings.HasPrefix(id, "crimson"):
		return block.CrimsonNylium.Default()
	case strings.HasPrefix(id, "warped"):
		return block.WarpedNylium.Default()
	}
	return block.GrassBlock.Default()
}

// placed is a block that was placed.
type placed struct {
	x, y, z int
	state   block.State
}

// changes lists what differs from the flat ground.
func changes(chunks [9]*feature.Chunk, under block.State) (list []placed) {
	for i, c := range chunks {
		for j, s := range c.Blocks {
			y := j >> 8
			bare := block.State(0)
			switch {
			case y == top-1:
				bare = under
			case y < top:
				bare = block.Dirt.Default()
			}
			if s != bare {
				list = append(list, placed{j&15 + i%3*16 - 16, y, j>>4&15 + i/3*16 - 16, s})
			}
		}
	}
	return list
}

func build(t testing.TB, f feature.Feature, id string, seed int64) (built bool, list []placed, chunks [9]*feature.Chunk) {
	t.Helper()
	c, chunks := flat(ground(id), seed)
	built = f.Place(c, 8, top, 8)
	return built, changes(chunks, ground(id)), chunks
}

// TestAllTreesOfTheGame builds each tree of the game's data and compares a digest
// of its blocks: what is in testdata was made by code that agrees with real
// chunks. STRATA_UPDATE=1 writes it anew.
func TestAllTreesOfTheGame(t *testing.T) {
	kinds := ofThisPackage(t)
	count := map[string]int{}
	var text strings.Builder
	for _, id := range slices.Sorted(maps.Keys(kinds)) {
		count[kinds[id]]++
		f := configured(t, id)
		sum := crc32.NewIEEE()
		blocks, builds := 0, 0
		for seed := range int64(3) {
			built, list, _ := build(t, f, id, seed)
			if built {
				builds++
			} else if len(list) > 0 {
				t.Errorf("%s was not built with seed %d, but placed %d blocks", id, seed, len(list))
			}
			blocks += len(list)
			for _, p := range list {
				fmt.Fprintln(sum, p.x, p.y, p.z, p.state)
				if p.y < top-3 || p.y > top+60 || max(abs(p.x-8), abs(p.z-8)) > 20 {
					t.Errorf("%s with seed %d has %v at %d,%d,%d", id, seed, p.state, p.x, p.y, p.z)
				}
			}
			if seed > 0 {
				continue
			}
			if _, again, _ := build(t, f, id, seed); !slices.Equal(list, again) {
				t.Errorf("%s with seed %d is another tree the second time", id, seed)
			}
		}
		if builds == 0 {
			t.Errorf("%s is never built", id)
		}
		fmt.Fprintf(&text, "%-32s %2d built %5d blocks %08x\n", id, builds, blocks, sum.Sum32())
	}
	for kind, want := range map[string]int{"tree": 39, "fallen_tree": 5, "huge_fungus": 4, "huge_red_mushroom": 1, "huge_brown_mushroom": 1} {
		if count[kind] != want {
			t.Errorf("there are %d of type %s, want %d", count[kind], kind, want)
		}
	}
	golden(t, "trees.txt", text.String())
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if os.Getenv("STRATA_UPDATE") != "" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	old := strings.Split(string(want), "\n")
	for i, line := range strings.Split(got, "\n") {
		if i >= len(old) || old[i] != line {
			t.Errorf("%s line %d is %q", name, i+1, line)
		}
	}
}

func abs(n int) int { return max(n, -n) }

// steps are the six directions.
var steps = [...][3]int{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}

// measured returns how far leaves are from logs, through leaves.
func measured(list []placed) (far map[[3]int]int, leaves map[[3]int]block.State) {
	far, leaves = map[[3]int]int{}, map[[3]int]block.State{}
	var queue [][3]int
	for _, p := range list {
		at := [3]int{p.x, p.y, p.z}
		if strings.HasSuffix(p.state.Block().Name(), "_log") {
			far[at] = 0
			queue = append(queue, at)
		}
		if p.state.Leaves() {
			leaves[at] = p.state
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, d := range steps {
			at := [3]int{queue[0][0] + d[0], queue[0][1] + d[1], queue[0][2] + d[2]}
			if _, ok := far[at]; !ok && leaves[at] != 0 {
				far[at] = far[queue[0]] + 1
				queue = append(queue, at)
			}
		}
	}
	return far, leaves
}

// Leaves know how far a log is. Some believe it farther away, as in the game
// until they tick, but none nearer, and none that are near think they decay.
func TestLeavesHaveTheirDistance(t *testing.T) {
	total, larger := 0, 0
	for id, kind := range ofThisPackage(t) {
		if kind != "tree" {
			continue
		}
		f := configured(t, id)
		for seed := range int64(2) {
			_, list, _ := build(t, f, id, seed)
			far, leaves := measured(list)
			for at, s := range leaves {
				n, ok := far[at]
				if !ok || n > 7 {
					n = 7
				}
				has := int(s.Property("distance")[0] - '0')
				if has < n || (has == 7) != (n == 7) {
					t.Errorf("%s with seed %d: leaves at %v have distance %d, want %d", id, seed, at, has, n)
				}
				total++
				if has > n {
					larger++
				}
			}
		}
	}
	if larger == 0 || larger > total*2/3 {
		t.Errorf("of %d leaves %d have too large a distance", total, larger)
	}
}

func TestTreesNeedRoom(t *testing.T) {
	for id, kind := range ofThisPackage(t) {
		if kind == "fallen_tree" || kind == "huge_fungus" || id == "jungle_bush" {
			continue
		}
		c, chunks := flat(ground(id), 1)
		for x := range 3 {
			for z := range 3 {
				c.Set(x+7, top+2, z+7, block.Stone.Default())
			}
		}
		before := changes(chunks, ground(id))
		if configured(t, id).Place(c, 8, top, 8) {
			t.Errorf("%s was built below stone", id)
		}
		if after := changes(chunks, ground(id)); !slices.Equal(before, after) {
			t.Errorf("%s placed %d blocks below stone", id, len(after)-len(before))
		}
	}
}

// What grows on ground of another kind than a fungus or a mushroom wants is not
// built.
func TestFungiNeedTheirGround(t *testing.T) {
	for _, id := range []string{"crimson_fungus", "warped_fungus", "huge_red_mushroom", "huge_brown_mushroom"} {
		c, chunks := flat(block.Stone.Default(), 1)
		if configured(t, id).Place(c, 8, top, 8) || len(changes(chunks, block.Stone.Default())) > 0 {
			t.Errorf("%s was built on stone", id)
		}
	}
}
