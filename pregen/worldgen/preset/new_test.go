package preset_test

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/anvil/level"
	"strata/nbt"
	"strata/pregen/worldgen/preset"
	"strata/pregen/worldgen/settings"
)

// plain is a value of NBT to compare, members by name.
func plain(t testing.TB, v any) any {
	t.Helper()
	raw, err := nbt.MarshalRaw(v)
	if err != nil {
		t.Fatal(err)
	}
	var generic any
	if err := raw.Decode(&generic); err != nil {
		t.Fatal(err)
	}
	var byName func(v any) any
	byName = func(v any) any {
		switch v := v.(type) {
		case nbt.Compound:
			m := map[string]any{}
			for _, member := range v {
				m[member.Name] = byName(member.Value)
			}
			return m
		case nbt.List:
			items := []any{}
			for _, item := range v.Items {
				items = append(items, byName(item))
			}
			return items
		}
		return v
	}
	return byName(generic)
}

func create(t testing.TB, s settings.Source, o preset.Options) level.GenSettings {
	t.Helper()
	created, err := preset.New(s, o)
	if err != nil {
		t.Fatalf("%+v: %v", o, err)
	}
	return created
}

// TestPresetsAreThoseThatTheGameWrites compares with the presets of
// anvil/level, which are compared with a world of the game.
func TestPresetsAreThoseThatTheGameWrites(t *testing.T) {
	s := builtin(t)
	for _, name := range level.Presets() {
		dimensions, err := level.Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		want := level.GenSettings{Seed: 5, BonusChest: true, Dimensions: dimensions}
		got := create(t, s, preset.Options{Seed: 5, BonusChest: true, Preset: name})
		if diff := cmp.Diff(plain(t, want), plain(t, got)); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
	for _, name := range level.FlatPresets() {
		flat, err := level.FlatPreset(name)
		if err != nil {
			t.Fatal(err)
		}
		want := level.GenSettings{Structures: true, Dimensions: level.Dimensions(level.FlatGenerator(flat))}
		got := create(t, s, preset.Options{Structures: true, FlatPreset: name})
		if diff := cmp.Diff(plain(t, want), plain(t, got)); diff != "" {
			t.Errorf("flat preset %s:\n%s", name, diff)
		}
		again := create(t, s, preset.Options{Structures: true, Flat: &flat})
		if diff := cmp.Diff(plain(t, want), plain(t, again)); diff != "" {
			t.Errorf("flat settings %s:\n%s", name, diff)
		}
	}
	want := level.GenSettings{Dimensions: level.Dimensions(level.SingleBiome("minecraft:desert"))}
	if diff := cmp.Diff(plain(t, want), plain(t, create(t, s, preset.Options{Biome: "desert"}))); diff != "" {
		t.Errorf("single biome:\n%s", diff)
	}
}

func TestEveryPresetOfTheTablesIsRead(t *testing.T) {
	s := builtin(t)
	ids, err := s.IDs("worldgen/world_preset")
	if err != nil || len(ids) != 7 {
		t.Fatal(ids, err)
	}
	want := map[string][]brief{
		"minecraft:normal":                 {overworld, nether, end},
		"minecraft:amplified":              {{"minecraft:overworld", "minecraft:overworld", -64, 384, "minecraft:noise", "minecraft:amplified", "minecraft:multi_noise", "minecraft:overworld"}, nether, end},
		"minecraft:large_biomes":           {{"minecraft:overworld", "minecraft:overworld", -64, 384, "minecraft:noise", "minecraft:large_biomes", "minecraft:multi_noise", "minecraft:overworld"}, nether, end},
		"minecraft:single_biome_surface":   {{"minecraft:overworld", "minecraft:overworld", -64, 384, "minecraft:noise", "minecraft:overworld", "minecraft:fixed", "minecraft:plains"}, nether, end},
		"minecraft:flat":                   {{"minecraft:overworld", "minecraft:overworld", -64, 384, "minecraft:flat", "", "", ""}, nether, end},
		"minecraft:debug_all_block_states": {{"minecraft:overworld", "minecraft:overworld", -64, 384, "minecraft:debug", "", "", ""}, nether, end},
		"minecraft:flat_all_dimensions": {
			{"minecraft:overworld", "minecraft:overworld", -64, 384, "minecraft:flat", "", "", ""},
			{"minecraft:the_nether", "minecraft:the_nether", 0, 256, "minecraft:flat", "", "", ""},
			{"minecraft:the_end", "minecraft:the_end", 0, 256, "minecraft:flat", "", "", ""},
		},
	}
	for _, id := range ids {
		// The other way about: through NBT, as it would be in the file.
		doc, err := level.NewDocument(create(t, s, preset.Options{Seed: -1, Preset: id}), 4903)
		if err != nil {
			t.Fatal(err)
		}
		created, err := doc.GenSettings()
		if err != nil {
			t.Fatal(err)
		}
		w := read(t, s, created)
		if diff := cmp.Diff(want[id], briefOf(w)); diff != "" || w.Err() != nil || w.Seed != -1 || w.Structures {
			t.Errorf("%s: %v, %+v:\n%s", id, w.Err(), w, diff)
		}
	}
}

func TestPresetsOfPacksMakeWorlds(t *testing.T) {
	s := packOf(t, map[string]string{
		"a/worldgen/world_preset/plain.json": `{"dimensions":{"overworld":{"type":"overworld","generator":{"type":"debug"}},"a:b":{"type":"the_end","generator":{"type":"flat","settings":{"layers":[]}}}}}`,
	})
	created := create(t, s, preset.Options{Preset: "a:plain"})
	want := []brief{
		{ID: "minecraft:overworld", Type: "minecraft:overworld", MinY: -64, Height: 384, Kind: "minecraft:debug"},
		{ID: "a:b", Type: "minecraft:the_end", Height: 256, Kind: "minecraft:flat"},
	}
	if diff := cmp.Diff(want, briefOf(read(t, s, created))); diff != "" {
		t.Error(diff)
	}
	if _, ok := created.Dimensions["minecraft:overworld"]; !ok || created.Dimensions["a:b"].Generator.Type != "minecraft:flat" {
		t.Errorf("ids in the settings are not complete: %v", created.Dimensions)
	}
}

func TestNewRefusesWhatItCannotMake(t *testing.T) {
	s := packOf(t, map[string]string{
		"a/worldgen/world_preset/mod.json":                 `{"dimensions":{"overworld":{"type":"overworld","generator":{"type":"terra:terra"}}}}`,
		"a/worldgen/world_preset/none.json":                `{}`,
		"a/worldgen/world_preset/broken.json":              `{"dimensions":{"overworld":{"type":"overworld","generator":{"settings":null}}}}`,
		"a/worldgen/world_preset/untyped.json":             `{"dimensions":{"overworld":{"generator":{"type":"debug"}}}}`,
		"a/worldgen/flat_level_generator_preset/none.json": `{}`,
	})
	flat := level.Flat{Biome: "minecraft:plains"}
	for name, c := range map[string]struct {
		options preset.Options
		want    error
	}{
		"no preset":             {preset.Options{Preset: "a:gone"}, fs.ErrNotExist},
		"no flat preset":        {preset.Options{FlatPreset: "a:gone"}, fs.ErrNotExist},
		"no biome":              {preset.Options{Biome: "a:gone"}, fs.ErrNotExist},
		"a generator of a mod":  {preset.Options{Preset: "a:mod"}, preset.ErrUnknown},
		"no dimensions":         {preset.Options{Preset: "a:none"}, fs.ErrNotExist},
		"null":                  {preset.Options{Preset: "a:broken"}, settings.ErrDocument},
		"no dimension type":     {preset.Options{Preset: "a:untyped"}, settings.ErrDocument},
		"no settings":           {preset.Options{FlatPreset: "a:none"}, settings.ErrDocument},
		"two choices":           {preset.Options{Biome: "plains", FlatPreset: "desert"}, preset.ErrOptions},
		"flat that is not":      {preset.Options{Preset: "normal", FlatPreset: "desert"}, preset.ErrOptions},
		"one biome that is not": {preset.Options{Preset: "flat", Biome: "plains"}, preset.ErrOptions},
		"no layers":             {preset.Options{Preset: "normal", Flat: &flat}, preset.ErrOptions},
	} {
		if _, err := preset.New(s, c.options); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
