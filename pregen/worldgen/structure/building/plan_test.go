package building

import (
	"strings"
	"testing"

	"strata/anvil/block"
	"strata/pregen/worldgen/feature/featuretest"
	"strata/pregen/worldgen/structure"
)

// flatPlacer returns a placer for the chunk 0,0 of a flat world of stone.
func flatPlacer(seed int64) *structure.Placer {
	c, _ := featuretest.Flat(block.Stone.Default(), seed)
	return &structure.Placer{
		Context: c, Box: structure.NewBox(0, 1, 0, 15, 127, 15), Start: &structure.Start{},
	}
}

func TestPlansAreRead(t *testing.T) {
	for name, read := range map[string]func() plans{
		"monument": monumentPlans, "swamp_hut": hutPlans, "jungle_temple": junglePlans, "desert_pyramid": pyramidPlans,
	} {
		if l := read(); len(l) == 0 {
			t.Errorf("no plans in %s", name)
		}
	}
}

func TestMistakesInPlansAreErrors(t *testing.T) {
	for _, text := range []string{
		"plan a", "plan a\nuse b", "plan a\nbox 1 2 3 4 5 air", "plan a\nset 1 2 3 gold", "plan a\nset 1 2 3 air x",
		"plan a\nset 1 2 3 air x2 1 1", "plan a\nset 1 2 3 air if a.above", "plan a\nset 1 2 3 air\nplan a\nset 1 1 1 air",
		"plan a\nfill 1 2 3 air", "let gold gold", "plan a\nwater 1 2 3 4 5 6 air", "plan a\narea 1 2 3\nset 1 2 3 air",
	} {
		if _, err := parsePlans(text); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

// run runs a plan in a piece that fills the chunk, and returns the y, x and z
// of blocks of gold in it.
func run(t *testing.T, text string, facing structure.Facing, f facts) map[spot]bool {
	t.Helper()
	l, err := parsePlans("let gold gold_block\n" + text)
	if err != nil {
		t.Fatal(err)
	}
	p := flatPlacer(1)
	b := &structure.Base{Box: structure.NewBox(0, 50, 0, 15, 60, 15), Facing: facing}
	w := &builder{p: p, b: b, facts: f}
	w.run(l["main"], 0, 0, 0)
	gold := make(map[spot]bool)
	for y := int32(40); y < 70; y++ {
		for x := range int32(16) {
			for z := range int32(16) {
				if p.BlockAt(x, y, z).Block() == block.GoldBlock {
					gold[spot{x, y, z}] = true
				}
			}
		}
	}
	return gold
}

func TestStepsAreRepeatedAndDependOnFacts(t *testing.T) {
	const text = `
plan main
set 1 0 2 gold x3 2 1 0
set 9 0 9 gold if left
set 9 1 9 gold unless left
use other at 0 5 0 if left a.north
use other unless upper
plan other
set 3 3 3 gold
`
	want := map[spot]bool{{1, 50, 2}: true, {3, 51, 2}: true, {5, 52, 2}: true, {9, 50, 9}: true, {3, 53, 3}: true}
	got := run(t, text, structure.FacesSouth, factLeft)
	if len(got) != len(want) {
		t.Errorf("gold at %v, want %v", got, want)
	}
	for s := range want {
		if !got[s] {
			t.Errorf("no gold at %v", s)
		}
	}
	if got := run(t, text, structure.FacesSouth, factLeft|roomFact(0, int(block.North))|factUpper); !got[spot{3, 58, 3}] || got[spot{3, 53, 3}] {
		t.Errorf("with other facts gold is at %v", got)
	}
}

func TestPlansAreTurnedWithThePiece(t *testing.T) {
	const text = "plan main\nbox 1 0 2 3 0 8 gold"
	for _, c := range []struct {
		facing structure.Facing
		at     spot
	}{
		{structure.FacesSouth, spot{1, 50, 2}}, {structure.FacesNorth, spot{1, 50, 13}},
		{structure.FacesWest, spot{13, 50, 1}}, {structure.FacesEast, spot{2, 50, 1}},
	} {
		got := run(t, text, c.facing, 0)
		if len(got) != 21 || !got[c.at] {
			t.Errorf("facing %v there are %d blocks, and %v is %v", c.facing, len(got), c.at, got[c.at])
		}
	}
}

func TestAreasAreLeftOutOfChunksBesideThem(t *testing.T) {
	const text = "plan main\narea 0 0 3 3\nbox 0 0 0 15 0 15 gold"
	if got := run(t, text, structure.FacesSouth, 0); len(got) != 256 {
		t.Errorf("%d blocks in a chunk of the area", len(got))
	}
	if got := run(t, strings.Replace(text, "area 0 0 3 3", "area 20 20 23 23", 1), structure.FacesSouth, 0); len(got) != 0 {
		t.Errorf("%d blocks in a chunk beside the area", len(got))
	}
}
