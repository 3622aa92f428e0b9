package blocks

import (
	goflag "flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"strata/anvil/block"
	"strata/anvil/registry"
)

var rewrite = goflag.Bool("update", false, "rewrite testdata/placement.txt")

// scene is a way to click.
type scene struct {
	name    string
	clicked Pos
	face    block.Direction
	pitch   float32
}

var scenes = []scene{
	{"floor", Pos{X: 8, Y: 63, Z: 8}, block.Up, 60},
	{"wall", Pos{X: 8, Y: 64, Z: 9}, block.North, 0},
	{"ceiling", Pos{X: 8, Y: 65, Z: 8}, block.Down, -60},
}

// sceneWorld is one place with a block where the click is, of a kind that
// plants stand on if the item wants it.
func sceneWorld(sc scene, ground string, wet bool) *fake {
	w := newFake()
	if wet {
		w.Set(Pos{X: 8, Y: 64, Z: 8}, block.Water.Default())
	}
	w.Set(sc.clicked, block.MustParse("minecraft:"+ground))
	return w
}

// outcome is what the item places in a scene, as one line.
func outcome(item string, sc scene, ground string, yaw float32, wet bool) string {
	out := Place(sceneWorld(sc, ground, wet).placement(item, sc.clicked, sc.face, yaw, sc.pitch))
	if out.Refusal != Accepted {
		return "(" + out.Refusal.String() + ")"
	}
	var parts []string
	for _, c := range out.Changes {
		s := strings.TrimPrefix(c.State.String(), "minecraft:")
		switch which := blocksOfItems()["minecraft:"+item]; c.State.Block() {
		case which.block:
			s = "~" + strings.TrimPrefix(s, name(c.State))
		case which.side:
			s = "~wall" + strings.TrimPrefix(s, name(c.State))
		}
		if at := (Pos{X: c.Pos.X - 8, Y: c.Pos.Y - 64, Z: c.Pos.Z - 8}); at != (Pos{}) {
			s += fmt.Sprintf(" at %d,%d,%d", at.X, at.Y, at.Z)
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, " + ")
}

// taken reports whether some scene takes the item on a ground.
func taken(item, ground string) bool {
	return slices.ContainsFunc(scenes, func(sc scene) bool {
		return !strings.HasPrefix(outcome(item, sc, ground, 0, false), "(") ||
			!strings.HasPrefix(outcome(item, sc, ground, 0, true), "(")
	})
}

// outcomes are those of an item in all scenes, on the first ground that takes
// it.
func outcomes(item string) string {
	ground := "stone"
	for _, g := range []string{"stone", "grass_block", "farmland[moisture=7]", "end_stone", "soul_sand", "sand", "jungle_log", "water"} {
		ground = g
		if taken(item, g) {
			break
		}
	}
	var b strings.Builder
	for _, sc := range scenes {
		for _, wet := range []bool{false, true} {
			var turns []string
			for _, yaw := range []float32{0, 90, 180, 270} {
				o := outcome(item, sc, ground, yaw, wet)
				turns = append(turns, o)
			}
			if turns[0] == turns[1] && turns[1] == turns[2] && turns[2] == turns[3] {
				turns = turns[:1]
			}
			medium := "air"
			if wet {
				medium = "water"
			}
			for i, o := range turns {
				side := [4]string{"south", "west", "north", "east"}[i]
				if len(turns) == 1 {
					side = "any"
				}
				fmt.Fprintf(&b, "    %-7s %-5s %-5s %s\n", sc.name, medium, side, o)
			}
		}
	}
	return "  on " + ground + "\n" + b.String()
}

// TestPlacementTable compares what every item places with the table, in which
// items that place alike are together. "~" stands for the item's name.
func TestPlacementTable(t *testing.T) {
	groups := map[string][]string{}
	for _, it := range registry.Items(registry.V26_2) {
		item := strings.TrimPrefix(it.Name, "minecraft:")
		if _, ok := BlockOf(it.Name); ok {
			text := outcomes(item)
			groups[text] = append(groups[text], item)
		}
	}
	keys := slices.SortedFunc(maps.Keys(groups), func(a, b string) int {
		return strings.Compare(groups[a][0], groups[b][0])
	})
	var b strings.Builder
	b.WriteString("# What items place: scene, medium, direction looked in, states.\n" +
		"# \"~\" is the item's block, \"~wall\" its form for walls.\n")
	for _, k := range keys {
		fmt.Fprintf(&b, "\n%s\n%s", strings.Join(groups[k], " "), k)
	}
	const path = "testdata/placement.txt"
	if *rewrite {
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		got, old := strings.Split(b.String(), "\n"), strings.Split(string(want), "\n")
		for i := range min(len(got), len(old)) {
			if got[i] != old[i] {
				t.Fatalf("line %d is\n%s\nnot\n%s", i+1, got[i], old[i])
			}
		}
		t.Fatalf("%d lines, not %d", len(got), len(old))
	}
}
