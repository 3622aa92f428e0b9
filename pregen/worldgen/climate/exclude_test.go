package climate

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/bench/testbed"
	"strata/pregen/worldgen/settings"
)

// onePoint is a sampler of one climate.
type onePoint [Parameters]float64

func (p *onePoint) Climate(_, _ int, _ []int, out [][Parameters]float64) { out[0] = *p }

func (p *onePoint) Flat() [Parameters]bool {
	return [Parameters]bool{true, true, true, true, false, true}
}

func (p *onePoint) Parameter(parameter, _, _ int) float64 { return p[parameter] }

// gamesTable is the table of a preset of 26.2.
func gamesTable(t *testing.T, preset string) *Table {
	t.Helper()
	parameters, err := settings.BiomeParameters(preset, 4903)
	if err != nil {
		t.Fatal(err)
	}
	rows := make([]Row, len(parameters))
	for i := range parameters {
		rows[i] = Row(parameters[i])
	}
	table, err := NewTable(rows)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestPointsCoverNothing(t *testing.T) {
	table, err := NewTable([]Row{
		{Biome: "a", Low: [Parameters]int32{0, 1000}, High: [Parameters]int32{0, 1000}},
		{Biome: "b", Low: [Parameters]int32{5000}, High: [Parameters]int32{5000}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, points := range []*Table{table, gamesTable(t, "minecraft:nether")} {
		if len(points.groups) != 1 || points.groups[0].covers {
			t.Error("points cover all between them")
		}
		if points.excluder([]bool{true}, &onePoint{}) != nil {
			t.Error("something excludes the biome of a point")
		}
	}
}

func TestHeightsOfASearchGoOutFromItsStart(t *testing.T) {
	for _, test := range []struct {
		y, minY, height int
		want            []int
	}{
		{64, -64, 384, []int{64, 128, 0, 192, 256, 320}},
		{320, -64, 384, []int{320, 256, 192, 128, 64, 0}},
		{-63, -64, 384, []int{-63, 1, 65, 129, 193, 257}},
		{128, -64, 384, []int{128, 192, 64, 256, 0, 320}},
		{65, 0, 256, []int{65, 129, 1, 193}},
		{-64, -64, 384, nil},
		{321, -64, 384, nil},
	} {
		q := Query{Y: test.y, MinY: test.minY, Height: test.height, Vertical: 64}
		if diff := cmp.Diff(test.want, q.heights()); diff != "" {
			t.Errorf("from %d: %s", test.y, diff)
		}
	}
}

func TestExcludedColumnsHaveNoneOfTheBiomes(t *testing.T) {
	table := gamesTable(t, "minecraft:overworld")
	if len(table.groups) != 3 || !table.groups[0].covers || table.groups[1].covers {
		t.Fatalf("%d groups, want the surface, which covers its bounds, caves and the deep dark", len(table.groups))
	}
	random := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 8))
	finder := table.Finder()
	for biome, name := range table.biomes {
		wanted := make([]bool, len(table.biomes))
		wanted[biome] = true
		var point onePoint
		e := table.excluder(wanted, &point)
		if e == nil {
			if name != "minecraft:deep_dark" { // its depth is beyond the surface's
				t.Errorf("nothing excludes %s", name)
			}
			continue
		}
		excluded := 0
		for range 1000 {
			for i := range point {
				point[i] = random.Float64()*2.8 - 1.4
			}
			if !e.column(0, 0) {
				continue
			}
			excluded++
			for range 4 {
				point[Depth] = random.Float64()*4 - 2
				finder.Forget()
				if found := finder.Find(PointOf((*[Parameters]float64)(&point))); int(found.Biome) == biome {
					t.Fatalf("%s is at %v, which is excluded", name, point)
				}
			}
		}
		if excluded < 30 {
			t.Errorf("%s: excluded only %d of 1000", name, excluded)
		}
	}
}
