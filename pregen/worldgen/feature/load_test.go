package feature_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"testing"

	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/settings"
)

// pack is a source of a few documents over the game's own.
type pack struct {
	settings.Source
	documents map[string]string // by registry and id
}

func (p pack) Document(registry, id string) ([]byte, error) {
	if text, ok := p.documents[registry+" "+id]; ok {
		return []byte(text), nil
	}
	return p.Source.Document(registry, id)
}

func newPack(t testing.TB, documents map[string]string) pack {
	t.Helper()
	source, err := settings.Builtin(native)
	if err != nil {
		t.Fatal(err)
	}
	return pack{source, documents}
}

func value(t testing.TB, text string) provider.Value {
	t.Helper()
	v, err := provider.Parse("test", "x", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestAllFeaturesOfTheGameLoad(t *testing.T) {
	for _, version := range []int32{4786, 4790, native} {
		t.Run(fmt.Sprint(version), func(t *testing.T) { loadAll(t, version) })
	}
}

func loadAll(t *testing.T, version int32) {
	source, err := settings.Builtin(version)
	if err != nil {
		t.Fatal(err)
	}
	loader := feature.NewLoader(source, feature.Core(), func(string) {})
	ids, err := source.IDs("worldgen/placed_feature")
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		p, err := loader.PlacedByID(id)
		if err != nil {
			t.Errorf("%s: %v", id, err)
		} else if again, _ := loader.PlacedByID(id); again != p || p.ID != id {
			t.Errorf("%s is not the same when it is asked for again", id)
		}
	}
	configured, err := source.IDs("worldgen/configured_feature")
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range configured {
		if _, err := loader.Feature(value(t, strconv.Quote(id))); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
	if len(ids) < 200 || len(configured) < 200 {
		t.Errorf("%d and %d configured features, want those of the game", len(ids), len(configured))
	}
}

func TestBadFeaturesAreRefused(t *testing.T) {
	source := newPack(t, map[string]string{
		"worldgen/placed_feature x:cycle":     `{"feature":"x:cycle","placement":[]}`,
		"worldgen/configured_feature x:cycle": `{"type":"simple_random_selector","config":{"features":["x:cycle"]}}`,
	})
	deep := strings.Repeat(`{"feature":{"type":"sequence","config":{"features":[`, 80) + strings.Repeat(`]}},"placement":[]}`, 80)
	placed := func(modifier string) string {
		return `{"feature":{"type":"kelp","config":{}},"placement":[` + modifier + `]}`
	}
	configured := func(kind, config string) string {
		return `{"feature":{"type":"` + kind + `","config":` + config + `},"placement":[]}`
	}
	for text, want := range map[string]string{
		`"x:cycle"`: "contains itself",
		deep:        "deeper",
		`{"feature":{"type":"x:y","config":{}},"placement":[]}`:                                           "feature.type: unknown feature type x:y",
		`{"feature":{"type":"kelp"},"placement":[]}`:                                                      "feature.config: missing",
		`{"feature":{"type":"kelp","config":{}}}`:                                                         "placement: missing",
		placed(`{"type":"x"}`):                                                                            "placement[0]: unknown placement modifier minecraft:x",
		placed(`{"type":"count","count":-1}`):                                                             "placement[0].count",
		placed(`{"type":"rarity_filter","chance":0}`):                                                     "placement[0].chance",
		placed(`{"type":"heightmap","heightmap":"NO"}`):                                                   "no heightmap",
		placed(`{"type":"random_offset","xz_spread":17,"y_spread":0}`):                                    "xz_spread",
		placed(`{"type":"block_predicate_filter","predicate":{"type":"x"}}`):                              "predicate: unknown block predicate",
		placed(`{"type":"fixed_placement","positions":[[1,2]]}`):                                          "positions[0]: not a list of three",
		configured("ore", `{"size":65,"discard_chance_on_air_exposure":0}`):                               "config.size",
		configured("simple_block", `{"to_place":{"type":"x"}}`):                                           "unknown block state provider",
		configured("simple_block", `{"to_place":{"type":"simple_state_provider","state":{"Name":"no"}}}`): "no block minecraft:no",
		configured("simple_random_selector", `{"features":[]}`):                                           "not a list with entries",
		configured("spring_feature", `{"state":{"Name":"stone"}}`):                                        "no source of a fluid",
	} {
		_, err := feature.NewLoader(source, feature.Core(), nil).Placed(value(t, text))
		if _, ok := errors.AsType[*provider.ValueError](err); !ok || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: error %v, want one about %q", text, err, want)
		}
	}
	if _, err := feature.NewLoader(source, feature.Core(), nil).PlacedByID("x:none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a feature that is not there: %v", err)
	}
}

func TestBiomesThatDisagreeAboutTheOrderAreRefused(t *testing.T) {
	biome := func(features string) string {
		return `{"temperature":1,"downfall":0,"has_precipitation":false,"features":[[` + features + `]]}`
	}
	source := newPack(t, map[string]string{
		"worldgen/biome x:a": biome(`"disk_sand","disk_clay","disk_gravel"`),
		"worldgen/biome x:b": biome(`"disk_gravel","disk_sand"`),
		"worldgen/biome x:c": biome(`"disk_grass","disk_clay"`),
	})
	load := func(biomes ...string) (*feature.System, error) {
		return feature.Load(feature.NewLoader(source, feature.Core(), nil), feature.Settings{Biomes: biomes, Height: 256})
	}
	if _, err := load("x:a", "x:b"); !errors.Is(err, feature.ErrCycle) {
		t.Errorf("biomes in a cycle: %v", err)
	}
	s, err := load("x:a", "x:c")
	if err != nil {
		t.Fatal(err)
	}
	// The search starts from sand, so that what only x:c has comes first.
	got := ""
	for _, p := range s.Steps()[0] {
		got += strings.TrimPrefix(p.ID, "minecraft:disk_") + " "
	}
	if want := "grass sand clay gravel "; got != want {
		t.Errorf("the order is %q, want %q", got, want)
	}
}
