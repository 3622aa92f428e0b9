package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/anvil/registry"
)

// TestTagsAreThoseOfTheDataPack resolves every tag file by following its
// references each time anew.
func TestTagsAreThoseOfTheDataPack(t *testing.T) {
	versions(t, func(t *testing.T, v registry.Version, rel *release) {
		seen := 0
		for _, tags := range registry.Tags(v) {
			folder := "tags/" + bare(tags.Registry().Key()) + "/"
			for i := range tags.Len() {
				seen++
				tag := tags.At(i)
				want := followTag(t, rel.pack, folder, bare(tag.Name()))
				got := map[string]bool{}
				for _, id := range tag.IDs() {
					name, _ := tags.Registry().Name(id)
					got[name] = true
				}
				if !maps.Equal(got, want) {
					t.Errorf("%s%s: %s", folder, tag.Name(), cmp.Diff(want, got))
				}
			}
		}
		if files := len(rel.pack.list("tags")); files != seen {
			t.Errorf("%d tags of %d files", seen, files)
		}
	})
}

func followTag(t *testing.T, pack files, folder, tag string) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	for _, value := range decode[struct{ Values []string }](t, pack[folder+tag+".json"]).Values {
		if inner, ok := strings.CutPrefix(value, "#minecraft:"); ok {
			maps.Copy(all, followTag(t, pack, folder, inner))
		} else {
			all[value] = true
		}
	}
	return all
}

func TestEntitiesAreThoseExtracted(t *testing.T) {
	versions(t, func(t *testing.T, v registry.Version, rel *release) {
		type facts struct {
			ID         int32
			Dimension  [2]float32
			EyeHeight  float32 `json:"eye_height"`
			Category   string
			FireImmune bool     `json:"fire_immune"`
			MaxHealth  *float64 `json:"max_health"`
			Attributes []map[string]float64
			HurtSound  string `json:"hurt_sound"`
			Experience int32  `json:"experience_reward"`
			Summonable bool
			Saveable   bool
			SpawnsFar  bool  `json:"can_spawn_far_from_player"`
			Limit      int32 `json:"limit_per_chunk"`
			Mob        bool
			Spawn      struct{ Location, Heightmap string } `json:"spawn_restriction"`
			Attackable bool
		}
		extracted := decode[map[string]facts](t, rel.extracted["entities.json"])
		attributes := registry.Of("attribute", v)
		for _, e := range registry.Entities(v) {
			want := extracted[bare(e.Name)]
			got := facts{
				ID: e.ID, Dimension: [2]float32{e.Width, e.Height}, EyeHeight: e.EyeHeight,
				Category: strings.ToUpper(e.Category), FireImmune: e.FireImmune, Experience: e.Experience,
				Summonable: e.Summonable, Saveable: e.Saved, SpawnsFar: e.SpawnsFar, Limit: e.MaxPerChunk, Mob: e.Mob,
				Attackable: e.Attackable,
			}
			got.Spawn.Location, got.Spawn.Heightmap = strings.ToUpper(e.Placement), strings.ToUpper(e.Heightmap)
			if e.Name == "minecraft:player" {
				want.Attackable = true // its entry does not say
			}
			for _, a := range e.Attributes {
				name, _ := attributes.Name(a.Attribute)
				got.Attributes = append(got.Attributes, map[string]float64{bare(name): a.Value})
			}
			health, _ := attributes.ID("max_health")
			if value, ok := e.Base(health); ok {
				got.MaxHealth = &value
			}
			name, _ := registry.Of("sound_event", v).Name(e.HurtSound)
			got.HurtSound = bare(name)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: %s", e.Name, diff)
			}
		}
		if len(extracted) != len(registry.Entities(v)) {
			t.Errorf("%d entities, %d extracted", len(registry.Entities(v)), len(extracted))
		}
	})
}

func TestMetadataIsThatOfTheSources(t *testing.T) {
	in := readSources(t)
	type field struct {
		ID   int
		Type int32 `json:"type_id"`
	}
	tracked := decode[map[string]map[string]field](t, in.releases[1].extracted["tracked_data.json"])
	for _, e := range registry.Entities(registry.V26_2) {
		want := tracked[bare(e.Name)]
		if len(want) != len(e.Metadata) {
			t.Errorf("%s has %d fields, want %d", e.Name, len(e.Metadata), len(want))
		}
		for _, f := range want {
			if e.Metadata[f.ID].Type != f.Type {
				t.Errorf("field %d of %s has type %d, want %d", f.ID, e.Name, e.Metadata[f.ID].Type, f.Type)
			}
		}
	}
	type entity struct {
		Name         string
		MetadataKeys []string
	}
	differ := []string{}
	for _, want := range decode[[]entity](t, in.npm[packageEntities]) {
		e := registry.EntityByName(want.Name, registry.V26_1)
		names := []string{}
		for _, f := range e.Metadata {
			names = append(names, f.Name)
		}
		if !slices.Equal(names, want.MetadataKeys) {
			t.Errorf("26.1: %s has %v, want %v", want.Name, names, want.MetadataKeys)
		}
		if newer := registry.EntityByName(want.Name, registry.V26_2); !cmp.Equal(newer.Metadata, e.Metadata) {
			differ = append(differ, want.Name)
		}
	}
	if !slices.Equal(differ, []string{"magma_cube", "slime"}) {
		t.Errorf("metadata differs between the versions for %v", differ)
	}
}

func TestBiomesAreThoseOfTheDataPack(t *testing.T) {
	versions(t, func(t *testing.T, v registry.Version, rel *release) {
		type spawn struct {
			Type               string
			Weight             int32
			MinCount, MaxCount int32
		}
		entities := registry.Of("entity_type", v)
		for _, b := range registry.Biomes(v) {
			want := decode[struct {
				Temperature, Downfall float32
				Precipitation         bool                 `json:"has_precipitation"`
				Modifier              string               `json:"temperature_modifier"`
				Probability           *float32             `json:"creature_spawn_probability"`
				Costs                 map[string]jsonCosts `json:"spawn_costs"`
				Spawners              map[string][]spawn
			}](t, rel.pack["worldgen/biome/"+bare(b.Name)+".json"])
			if b.Temperature != want.Temperature || b.Downfall != want.Downfall || b.HasPrecipitation != want.Precipitation ||
				b.Frozen != (want.Modifier == "frozen") || want.Probability != nil && *want.Probability != b.SpawnProbability {
				t.Errorf("%s: %+v, want %+v", b.Name, b, want)
			}
			got := map[string][]spawn{}
			for category := range want.Spawners {
				got[category] = []spawn{}
			}
			for _, group := range b.Spawns {
				for _, s := range group.Spawns {
					name, _ := entities.Name(s.Entity)
					got[group.Category] = append(got[group.Category], spawn{name, s.Weight, s.Min, s.Max})
				}
			}
			if diff := cmp.Diff(want.Spawners, got); diff != "" {
				t.Errorf("%s: %s", b.Name, diff)
			}
			costs := map[string]jsonCosts{}
			for _, c := range b.SpawnCosts {
				name, _ := entities.Name(c.Entity)
				costs[name] = jsonCosts{c.EnergyBudget, c.Charge}
			}
			if diff := cmp.Diff(want.Costs, costs); diff != "" {
				t.Errorf("%s: %s", b.Name, diff)
			}
		}
	})
}

type jsonCosts struct {
	Budget float64 `json:"energy_budget"`
	Charge float64
}

func TestEffectsPotionsAndRulesAreThoseExtracted(t *testing.T) {
	versions(t, func(t *testing.T, v registry.Version, rel *release) {
		type modifier struct {
			Attribute, Operation, ID string
			BaseValue                float64
		}
		effects := decode[map[string]struct {
			ID        int32
			Category  string
			Color     int32
			Modifiers []modifier `json:"attribute_modifiers"`
		}](t, rel.extracted["effect.json"])
		for _, e := range registry.Effects(v) {
			want := effects[bare(e.Name)]
			got := []modifier{}
			for _, m := range e.Modifiers {
				name, _ := registry.Of("attribute", v).Name(m.Attribute)
				got = append(got, modifier{bare(name), strings.ToUpper(m.Operation), m.ID, m.Amount})
			}
			if want.ID != e.ID || want.Color != e.Color || !strings.EqualFold(want.Category, e.Category) || !slices.Equal(got, want.Modifiers) {
				t.Errorf("effect %s: %+v, want %+v", e.Name, e, want)
			}
		}
		type effect struct {
			Effect              string `json:"effect_type"`
			Duration, Amplifier int32
		}
		potions := decode[map[string]struct {
			ID      int32
			Base    string `json:"base_name"`
			Effects []effect
		}](t, rel.extracted["potion.json"])
		for _, p := range registry.Potions(v) {
			want, got := potions[bare(p.Name)], []effect{}
			for _, e := range p.Effects {
				name, _ := registry.Of("mob_effect", v).Name(e.Effect)
				got = append(got, effect{name, e.Ticks, e.Amplifier})
			}
			if want.ID != p.ID || want.Base != p.BaseName || !slices.Equal(got, want.Effects) {
				t.Errorf("potion %s: %+v, want %+v", p.Name, p, want)
			}
		}
		rules := decode[map[string]json.RawMessage](t, rel.extracted["game_rules.json"])
		for _, r := range registry.GameRules(v) {
			text := string(rules[bare(r.Name)])
			switch {
			case r.Bool && text != fmt.Sprint(r.Default == 1),
				!r.Bool && strings.HasPrefix(text, "{") && text != fmt.Sprintf(`{"default":%d,"min":%d,"max":%d}`, r.Default, r.Min, r.Max),
				!r.Bool && !strings.HasPrefix(text, "{") && text != fmt.Sprint(r.Default):
				t.Errorf("game rule %+v, want %s", r, text)
			}
		}
	})
}
