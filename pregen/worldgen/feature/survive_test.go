package feature_test

import (
	"math"
	"testing"

	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
)

func TestBlocksStandWhereTheyHaveSupport(t *testing.T) {
	survival, err := feature.NewLoader(newPack(t, nil), feature.Core(), nil).Survival()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		state, below, above, east, at string
		want                          bool
	}{
		{state: "small_dripleaf", below: "clay", want: true},
		{state: "small_dripleaf", below: "grass_block"},
		{state: "small_dripleaf", below: "grass_block", at: "water", want: true},
		{state: "big_dripleaf", below: "big_dripleaf_stem", want: true},
		{state: "big_dripleaf", below: "stone"},
		{state: "big_dripleaf_stem", below: "clay", above: "big_dripleaf", want: true},
		{state: "big_dripleaf_stem", below: "clay"},
		{state: "hanging_roots", above: "rooted_dirt", want: true},
		{state: "hanging_roots", above: "hanging_roots"},
		{state: "cave_vines", above: "cave_vines_plant", want: true},
		{state: "pale_hanging_moss", above: "pale_oak_leaves", want: true},
		{state: "cave_vines", above: "pale_oak_leaves"},
		{state: "twisting_vines", below: "warped_nylium", want: true},
		{state: "twisting_vines", above: "stone"},
		{state: "pointed_dripstone[vertical_direction=up]", below: "stone", want: true},
		{state: "pointed_dripstone[vertical_direction=down]", below: "stone"},
		{state: "pointed_dripstone[vertical_direction=down]", above: "pointed_dripstone[vertical_direction=down]", want: true},
		{state: "glow_lichen[east=true]", east: "oak_leaves", want: true},
		{state: "glow_lichen[east=true,up=true]", east: "stone"},
		{state: "glow_lichen", east: "stone"},
		{state: "torch", below: "oak_fence", want: true},
		{state: "torch", below: "oak_leaves"},
		{state: "fire", below: "stone", want: true},
		{state: "fire", east: "oak_log", want: true},
		{state: "fire", east: "stone"},
		{state: "cocoa[facing=east]", east: "jungle_log", want: true},
		{state: "cocoa[facing=west]", east: "jungle_log"},
		{state: "sea_pickle", below: "oak_slab"},
		{state: "sea_pickle", below: "stone", want: true},
		{state: "tube_coral", below: "stone", want: true},
		{state: "tube_coral", below: "oak_fence"},
		{state: "snow", below: "oak_leaves", want: true},
		{state: "snow", below: "mud", want: true},
		{state: "snow", below: "oak_fence"},
	} {
		v, _ := flatView(t)
		for text, at := range map[string][3]int{c.below: {4, 19, 4}, c.above: {4, 21, 4}, c.east: {5, 20, 4}, c.at: {4, 20, 4}} {
			if text != "" {
				v.Set(at[0], at[1], at[2], block.MustParse("minecraft:"+text))
			}
		}
		if got := survival.Survives(v, block.MustParse("minecraft:"+c.state), 4, 20, 4); got != c.want {
			t.Errorf("%+v: survives is %v", c, got)
		}
	}
}

func TestNothingIsObstructedWhileAChunkIsMade(t *testing.T) {
	p, err := feature.NewLoader(newPack(t, nil), feature.Core(), nil).Predicate(value(t, `{"type":"unobstructed","offset":[0,1,0]}`))
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := flatView(t); !p.Test(v, 0, 3, 0) {
		t.Error("a place is obstructed")
	}
}

func TestSinesAndCosinesAreThoseOfMath(t *testing.T) {
	for i := range 8000 {
		angle := float64(i) / 1000
		sin, cos := feature.SinCos(angle)
		if math.Abs(sin-math.Sin(angle)) > 3e-16 || math.Abs(cos-math.Cos(angle)) > 3e-16 {
			t.Fatalf("at %v: %v and %v, want %v and %v", angle, sin, cos, math.Sin(angle), math.Cos(angle))
		}
	}
}
