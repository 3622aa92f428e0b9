package terrain

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"strata/anvil/block"
	"strata/pregen/worldgen/density"
	"strata/pregen/worldgen/oracletest"
)

func TestSettingsOfTheGameAreRead(t *testing.T) {
	stone, water, air := block.MustParse("stone"), block.MustParse("water"), block.State(0)
	tall := density.Shape{MinY: -64, Height: 384, CellWidth: 4, CellHeight: 8}
	overworld := Settings{Shape: tall, SeaLevel: 63, DefaultBlock: stone, DefaultFluid: water, Aquifers: true, OreVeins: true}
	want := map[string]Settings{
		"overworld": overworld, "amplified": overworld, "large_biomes": overworld,
		"nether": {Shape: density.Shape{MinY: 0, Height: 128, CellWidth: 4, CellHeight: 8}, SeaLevel: 32, DefaultBlock: block.MustParse("netherrack"),
			DefaultFluid: block.MustParse("lava"), LegacyRandom: true},
		"end": {Shape: density.Shape{MinY: 0, Height: 128, CellWidth: 8, CellHeight: 4}, DefaultBlock: block.MustParse("end_stone"), DefaultFluid: air,
			LegacyRandom: true, NoMobs: true},
		"caves":            {Shape: density.Shape{MinY: -64, Height: 192, CellWidth: 4, CellHeight: 8}, SeaLevel: 32, DefaultBlock: stone, DefaultFluid: water, LegacyRandom: true},
		"floating_islands": {Shape: density.Shape{MinY: 0, Height: 256, CellWidth: 8, CellHeight: 4}, SeaLevel: -64, DefaultBlock: stone, DefaultFluid: water, LegacyRandom: true},
	}
	pack := oracletest.Datapack(t)
	ids, err := pack.IDs("worldgen/noise_settings")
	if err != nil || len(ids) != len(want) {
		t.Fatalf("noise settings %q, %v", ids, err)
	}
	for name, want := range want {
		want.ID = "minecraft:" + name
		got, err := LoadSettings(pack, name)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, *got, cmpopts.IgnoreFields(Settings{}, "Router", "SurfaceRule", "SpawnTarget")); d != "" {
			t.Errorf("%s (-want +got)\n%s", name, d)
		}
		if len(got.Router) == 0 || len(got.SurfaceRule) == 0 || len(got.SpawnTarget) == 0 {
			t.Errorf("%s lacks a document", name)
		}
	}
}

const sound = `{
 "noise": {"min_y": -16, "height": 32, "size_horizontal": 2, "size_vertical": 3},
 "default_block": {"Name": "stone"},
 "default_fluid": {"Name": "minecraft:water", "Properties": {"level": "3", "level2": "x"}},
 "noise_router": {}, "surface_rule": {}, "spawn_target": [], "sea_level": -7.9,
 "disable_mob_generation": false, "aquifers_enabled": true, "ore_veins_enabled": false, "legacy_random_source": true
}`

func TestSettingsAreReadAsTheGameReadsThem(t *testing.T) {
	s, err := ParseSettings("a:b", []byte(sound))
	if err != nil {
		t.Fatal(err)
	}
	if s.SeaLevel != -7 || s.DefaultFluid != block.MustParse("water[level=3]") || s.Shape != (density.Shape{MinY: -16, Height: 32, CellWidth: 8, CellHeight: 12}) {
		t.Errorf("%+v", s)
	}
}

func TestDamagedSettingsAreErrorsThatNameThePlace(t *testing.T) {
	for _, test := range []struct{ old, changed, place string }{
		{`"min_y": -16`, `"min_y": -15`, "$.noise.min_y"},
		{`"min_y": -16`, `"min_y": -2048`, "$.noise.min_y"},
		{`"min_y": -16`, `"min_y": 2016`, "$.noise"},
		{`"height": 32`, `"height": 33`, "$.noise.height"},
		{`"height": 32`, `"height": -16`, "$.noise.height"},
		{`"size_vertical": 3`, `"size_vertical": 5`, "$.noise.size_vertical"},
		{`"size_horizontal": 2`, `"size_horizontal": 0`, "$.noise.size_horizontal"},
		{`"size_horizontal": 2, `, ``, "$.noise.size_horizontal"},
		{`-7.9`, `1e300`, "$.sea_level"},
		{`-7.9`, `"3"`, "$.sea_level"},
		{`-7.9`, `null`, "$.sea_level"},
		{`"stone"`, `"stony"`, "$.default_block.Name"},
		{`"stone"`, `"water[level=3]"`, "$.default_block.Name"},
		{`"stone"`, `7`, "$.default_block.Name"},
		{`{"Name": "stone"}`, `"stone"`, "$.default_block"},
		{`"noise_router": {}`, `"noise_router": 0`, "$.noise_router"},
		{`"noise_router": {}`, `"noise_router": null`, "$.noise_router"},
		{`"surface_rule": {}, `, ``, "$.surface_rule"},
		{`"aquifers_enabled": true`, `"aquifers_enabled": 1`, "$.aquifers_enabled"},
		{`"legacy_random_source": true`, `"legacy": true`, "$.legacy_random_source"},
	} {
		text := strings.Replace(sound, test.old, test.changed, 1)
		if text == sound {
			t.Fatalf("%s is not in the document", test.old)
		}
		_, err := ParseSettings("a:b", []byte(text))
		if !errors.Is(err, ErrSettings) || !strings.Contains(err.Error(), "a:b") || !strings.Contains(err.Error(), test.place+":") {
			t.Errorf("%s: %v does not name %s", test.changed, err, test.place)
		}
	}
	for _, text := range []string{"", "[]", "null", "{", strings.Repeat("[", 1<<16), strings.Repeat(" ", MaxSettings+1)} {
		if _, err := ParseSettings("a:b", []byte(text)); !errors.Is(err, ErrSettings) {
			t.Errorf("%.10q: %v", text, err)
		}
	}
}

func TestShapeIsCutToTheDimension(t *testing.T) {
	s := Settings{Shape: density.Shape{MinY: -64, Height: 384, CellWidth: 4, CellHeight: 8}}
	if got := s.ShapeIn(0, 256); got.MinY != 0 || got.Height != 256 {
		t.Errorf("%+v", got)
	}
	if got := s.ShapeIn(320, 64); got.Height != 0 {
		t.Errorf("%+v", got)
	}
}

func FuzzParseSettings(f *testing.F) {
	f.Add([]byte(sound))
	f.Add([]byte(`{"noise":{"min_y":1e400}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := ParseSettings("a:b", text)
		switch {
		case err == nil && (s.Shape.Height%16 != 0 || s.Shape.MinY < lowestY || s.Shape.MinY+s.Shape.Height > highestY+1):
			t.Errorf("%q has the shape %+v", text, s.Shape)
		case err != nil && !errors.Is(err, ErrSettings):
			t.Errorf("%q: %v", text, err)
		}
	})
}
