package end_test

import (
	"errors"
	"strings"
	"testing"

	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/feature/end"
	"strata/pregen/worldgen/feature/featuretest"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/settings"
)

func TestFeaturesOfTheGameLoad(t *testing.T) {
	for _, version := range []int32{4790, 4903} {
		source, err := settings.Builtin(version)
		if err != nil {
			t.Fatal(err)
		}
		loader := feature.NewLoader(source, end.Factories(), nil)
		for _, id := range []string{"end_island_decorated", "end_spike", "end_platform", "chorus_plant", "end_gateway_return"} {
			if _, err := loader.PlacedByID("minecraft:" + id); err != nil {
				t.Errorf("%d: %v", version, err)
			}
		}
	}
}

func TestBadConfigsAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		`{"type":"end_gateway","config":{}}`:                                               "config.exact: missing",
		`{"type":"end_gateway","config":{"exact":true,"exit":[1,2]}}`:                      "config.exit: not a list of three",
		`{"type":"end_gateway","config":{"exact":true,"exit":[1,2,30000001]}}`:             "config.exit[2]",
		`{"type":"end_spike","config":{}}`:                                                 "config.spikes: missing",
		`{"type":"end_spike","config":{"spikes":[{"radius":65}]}}`:                         "config.spikes[0].radius",
		`{"type":"end_spike","config":{"spikes":[{"height":-1}]}}`:                         "config.spikes[0].height",
		`{"type":"end_spike","config":{"spikes":[{"guarded":1}]}}`:                         "config.spikes[0].guarded",
		`{"type":"end_spike","config":{"spikes":[],"crystal_invulnerable":0}}`:             "config.crystal_invulnerable",
		`{"type":"end_spike","config":{"spikes":[],"crystal_beam_target":{"x":1}}}`:        "config.crystal_beam_target",
		`{"type":"end_spike","config":{"spikes":[` + strings.Repeat("{},", 1024) + `{}]}}`: "config.spikes: not a list of at most",
	} {
		_, err := featuretest.Feature(t, end.Factories(), text)
		if _, ok := errors.AsType[*provider.ValueError](err); !ok || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: error %v, want one about %q", text, err, want)
		}
	}
}
