package nether_test

import (
	"errors"
	"strings"
	"testing"

	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/feature/featuretest"
	"strata/pregen/worldgen/feature/nether"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/settings"
)

func TestFeaturesOfTheGameLoad(t *testing.T) {
	for _, version := range []int32{4790, 4903} {
		source, err := settings.Builtin(version)
		if err != nil {
			t.Fatal(err)
		}
		made := make(map[string]int)
		factories := nether.Factories()
		for kind, factory := range factories {
			factories[kind] = func(l *feature.Loader, config provider.Value) (feature.Feature, error) {
				made[kind]++
				return factory(l, config)
			}
		}
		ids, err := source.IDs("worldgen/configured_feature")
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range ids {
			text, err := source.Document("worldgen/configured_feature", id)
			if err != nil {
				t.Fatal(err)
			}
			v, err := provider.Parse("worldgen/configured_feature", id, text)
			if err != nil {
				t.Fatal(err)
			}
			member, err := v.Member("type")
			if err != nil {
				t.Fatal(err)
			}
			if kind, _ := member.ID(); factories[kind] == nil {
				continue
			}
			if _, err := feature.NewLoader(source, factories, nil).Feature(v); err != nil {
				t.Errorf("%d: %v", version, err)
			}
		}
		if len(made) != len(factories) {
			t.Errorf("%d: the game's features are of the types %v, want all %d", version, made, len(factories))
		}
	}
}

func TestBadConfigsAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		`{"type":"basalt_columns","config":{"height":11,"reach":1}}`:                                                    "config.height",
		`{"type":"basalt_columns","config":{"height":1,"reach":4}}`:                                                     "config.reach",
		`{"type":"basalt_columns","config":{"height":1}}`:                                                               "config.reach: missing",
		`{"type":"delta_feature","config":{"contents":{"Name":"lava"},"rim":{"Name":"no"}}}`:                            "config.rim",
		`{"type":"delta_feature","config":{"contents":{"Name":"lava"},"rim":{"Name":"stone"},"size":17}}`:               "config.size",
		`{"type":"netherrack_replace_blobs","config":{"target":{"Name":"stone"},"state":{"Name":"stone"},"radius":13}}`: "config.radius",
		`{"type":"twisting_vines","config":{"spread_width":0,"spread_height":1,"max_height":1}}`:                        "config.spread_width",
		`{"type":"twisting_vines","config":{"spread_width":1,"spread_height":1,"max_height":513}}`:                      "config.max_height",
		`{"type":"nether_forest_vegetation","config":{"spread_width":1,"spread_height":1}}`:                             "config.state_provider: missing",
	} {
		_, err := featuretest.Feature(t, nether.Factories(), text)
		if _, ok := errors.AsType[*provider.ValueError](err); !ok || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: error %v, want one about %q", text, err, want)
		}
	}
}
