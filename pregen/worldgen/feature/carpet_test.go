package feature_test

import (
	"testing"

	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/rng"
)

// The game draws where a carpet climbs from the source of the region, not from
// that of the feature, whose later numbers must not move.
func TestCarpetsClimbByTheRandomOfTheRegion(t *testing.T) {
	const text = `{"type":"simple_block","config":{"to_place":{"type":"simple_state_provider","state":{"Name":"pale_moss_carpet"}}}}`
	f, err := feature.NewLoader(newPack(t, nil), feature.Core(), nil).Feature(value(t, text))
	if err != nil {
		t.Fatal(err)
	}
	climbed := 0
	for seed := range int64(16) {
		v, _ := flatView(t)
		for _, d := range [][2]int{{0, -1}, {1, 0}, {0, 1}, {-1, 0}} {
			v.Set(4+d[0], 8, 4+d[1], block.OakLeaves.Default())
			v.Set(4+d[0], 9, 4+d[1], block.OakLeaves.Default())
		}
		random := rng.NewWorldgenXoroshiro(1)
		c := &feature.Context{View: v, Random: &random, Region: rng.NewXoroshiro(seed)}
		region := c.Region
		if !f.Place(c, 4, 8, 4) || random.Count() != 0 {
			t.Fatalf("%v after %d draws", v.Block(4, 8, 4), random.Count())
		}
		foot, top := v.Block(4, 8, 4), v.Block(4, 9, 4)
		for _, side := range []string{"north", "east", "south", "west"} {
			up := region.Bool()
			if up {
				climbed++
			}
			want := map[bool]string{true: "tall", false: "low"}[up]
			if got := foot.Property(side); got != want || up && top.Property(side) != "low" {
				t.Errorf("region %d: the %s of %v below %v is %s, want %s", seed, side, foot, top, got, want)
			}
		}
	}
	if climbed == 0 {
		t.Error("none climbed")
	}
}
