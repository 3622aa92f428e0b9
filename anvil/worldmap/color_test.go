package worldmap

import (
	"testing"

	"strata/anvil/block"
	"strata/anvil/registry"
)

// near reports whether colors differ by no more than that in each channel.
func near(a, b rgb, most int) bool {
	r, g, bl := a.parts()
	r2, g2, b2 := b.parts()
	return abs(r-r2) <= most && abs(g-g2) <= most && abs(bl-b2) <= most
}

// The colors are those that minecraft.wiki lists of the game (Block colors);
// ours follow from a triangle, the game's from a picture.
func TestTintsAreThoseOfTheGame(t *testing.T) {
	for _, test := range []struct {
		biome string
		kind  tintKind
		want  rgb
	}{
		{"plains", grassTint, 0x91bd59}, {"plains", foliageTint, 0x77ab2f}, {"plains", waterTint, 0x3f76e4},
		{"ocean", grassTint, 0x8eb971}, {"ocean", foliageTint, 0x71a74d},
		{"birch_forest", grassTint, 0x88bb67}, {"birch_forest", foliageTint, 0x6ba941},
		{"mushroom_fields", grassTint, 0x55c93f}, {"mushroom_fields", foliageTint, 0x2bbb0f},
		{"windswept_hills", grassTint, 0x8ab689}, {"windswept_hills", foliageTint, 0x6da36b},
		{"stony_peaks", grassTint, 0x9abe4b}, {"stony_peaks", foliageTint, 0x82ac1e},
		{"forest", grassTint, 0x79c05a}, {"forest", foliageTint, 0x59ae30},
		{"desert", grassTint, 0xbfb755}, {"desert", foliageTint, 0xaea42a},
		{"jungle", grassTint, 0x59c93c}, {"jungle", foliageTint, 0x30bb0b},
		{"snowy_plains", grassTint, 0x80b497}, {"snowy_plains", foliageTint, 0x60a17b},
		{"taiga", grassTint, 0x86b783}, {"taiga", foliageTint, 0x68a464},
		{"swamp", grassTint, 0x6a7039}, {"swamp", foliageTint, 0x6a7039}, {"swamp", waterTint, 0x617b64},
		{"dark_forest", grassTint, 0x507a32}, {"badlands", grassTint, 0x90814d},
		{"cherry_grove", grassTint, 0xb6db61}, {"warm_ocean", waterTint, 0x43d5ee},
		{"snowy_tundra", grassTint, 0x80b497}, // its name before 1.18
	} {
		got := biomeTints()["minecraft:"+test.biome]
		if got == nil || !near(got[test.kind], test.want, 2) {
			t.Errorf("%s, tint %d: %06x, want %06x", test.biome, test.kind, got, test.want)
		}
	}
	for _, b := range registry.Biomes(registry.Native) {
		if tints := biomeTints()[b.Name]; tints == nil || tints[grassTint] == 0 || tints[foliageTint] == 0 || tints[waterTint] == 0 {
			t.Errorf("%s has no tints", b.Name)
		}
	}
	for old, name := range oldBiomes {
		if biomeTints()["minecraft:"+name] == nil {
			t.Errorf("%s, once %s, is no biome", name, old)
		}
	}
}

func TestEveryBlockHasALook(t *testing.T) {
	for s := range block.State(block.StateCount) {
		look := looks()[s]
		switch look.class {
		case clearClass:
			if s.FullCollision() && s.MapColor() != 0 {
				t.Errorf("%v is not drawn", s)
			}
		case waterClass:
			if s.Fluid() != block.WaterFluid {
				t.Errorf("%v is drawn as water", s)
			}
		case solidClass:
			if look.color == 0 {
				t.Errorf("%v is drawn in black", s)
			}
		}
	}
	for name, want := range map[string]class{
		"air": clearClass, "glass": clearClass, "short_grass": clearClass, "water": waterClass, "kelp": waterClass,
		"seagrass": waterClass, "oak_slab[waterlogged=true]": solidClass, "lava": solidClass, "snow": solidClass, "wheat": solidClass,
	} {
		if got := looks()[block.MustParse(name)].class; got != want {
			t.Errorf("%s is of class %d, want %d", name, got, want)
		}
	}
}
