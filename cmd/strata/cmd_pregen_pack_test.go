package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"strata/anvil"
	"strata/cmd/internal/ui"
	"strata/pregen/worldgen/settings"
)

// writePack puts a data pack into a world: a dimension with noise settings and
// a biome of its own, which are those of the overworld with a higher sea and
// another name.
func writePack(t *testing.T, world string) {
	t.Helper()
	source, err := settings.Builtin(anvil.NativeVersion)
	if err != nil {
		t.Fatal(err)
	}
	edited := func(registry, id, member string, value any) []byte {
		text, err := source.Document(registry, id)
		if err != nil {
			t.Fatal(err)
		}
		var document map[string]any
		if err := json.Unmarshal(text, &document); err != nil {
			t.Fatal(err)
		}
		document[member] = value
		if text, err = json.Marshal(document); err != nil {
			t.Fatal(err)
		}
		return text
	}
	for name, text := range map[string][]byte{
		"pack.mcmeta":                                []byte(`{"pack": {"description": "", "min_format": [107, 1], "max_format": [107, 1]}}`),
		"data/mine/dimension/wet.json":               []byte(`{"type": "overworld", "generator": {"type": "noise", "settings": "mine:wet", "biome_source": {"type": "fixed", "biome": "mine:field"}}}`),
		"data/mine/worldgen/noise_settings/wet.json": edited("worldgen/noise_settings", "minecraft:overworld", "sea_level", 150),
		"data/mine/worldgen/biome/field.json":        edited("worldgen/biome", "minecraft:plains", "temperature", 0.5),
	} {
		path := filepath.Join(world, "datapacks", "mine", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func TestPregenMakesTheDimensionOfADataPack(t *testing.T) {
	world := filepath.Join(t.TempDir(), "world")
	if code, _, errText := runPlain(t, "pregen", world, "--seed", "7", "--radius", "0", "--until", "carvers"); code != ui.OK {
		t.Fatalf("exit %d: %s", code, errText)
	}
	if code, _, _ := runPlain(t, "pregen", world, "--dimension", "mine:wet", "--radius", "1", "--until", "carvers"); code != ui.Usage {
		t.Errorf("a dimension that nothing brings: exit %d", code)
	}
	writePack(t, world)
	code, _, errText := runPlain(t, "pregen", world, "--dimension", "mine:wet", "--radius", "1", "--until", "carvers")
	if code != ui.OK {
		t.Fatalf("exit %d: %s", code, errText)
	}
	var list struct{ Picked int }
	code, out, errText := runPlain(t, "world", "chunks", world, "--dimension", "mine:wet", "--json",
		"--where", `biome("mine:field") and count_blocks("water") > 0 and status == "carvers"`)
	if err := json.Unmarshal([]byte(out), &list); err != nil || code != ui.OK || list.Picked != 9 {
		t.Errorf("exit %d, %d chunks have the pack's biome and water, want 9: %v, %s", code, list.Picked, err, errText)
	}
}
