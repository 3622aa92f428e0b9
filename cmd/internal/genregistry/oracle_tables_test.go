package main

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/anvil/registry"
)

// namesOf returns the names of numbers in a registry.
func namesOf(v registry.Version, key string, ids ...int32) []string {
	names := []string{}
	for _, id := range ids {
		name, _ := registry.Of(key, v).Name(id)
		names = append(names, name)
	}
	return names
}

func TestBrewingIsThatExtracted(t *testing.T) {
	versions(t, func(t *testing.T, v registry.Version, rel *release) {
		type mix struct {
			From, To   string
			Ingredient []string
		}
		want := decode[struct {
			Potions []mix `json:"potion_recipes"`
			Items   []mix `json:"item_recipes"`
		}](t, rel.extracted["potion_brewing.json"])
		brewing := registry.BrewingMixes(v)
		for _, x := range []struct {
			key  string
			got  []registry.Mix
			want []mix
		}{{"potion", brewing.Potions, want.Potions}, {"item", brewing.Items, want.Items}} {
			got := []mix{}
			for _, m := range x.got {
				ends := namesOf(v, x.key, m.From, m.To)
				got = append(got, mix{ends[0], ends[1], namesOf(v, "item", m.Ingredients...)})
			}
			if diff := cmp.Diff(x.want, got); diff != "" || len(got) == 0 {
				t.Errorf("%s: %s", x.key, diff)
			}
		}
	})
}

func TestProfessionsAreThoseExtracted(t *testing.T) {
	versions(t, func(t *testing.T, v registry.Version, rel *release) {
		type profession struct {
			Requested []string          `json:"requested_items"`
			Secondary []string          `json:"secondary_poi"`
			Sound     string            `json:"work_sound"`
			Sets      map[string]string `json:"trade_sets"`
		}
		type file struct{ Professions map[string]profession }
		want := decode[file](t, rel.extracted["villager_data.json"]).Professions
		oldest := decode[file](t, readSources(t).releases[0].extracted["villager_data.json"]).Professions
		for _, p := range registry.Professions(v) {
			w := want[bare(p.Name)]
			w.Secondary = oldest[bare(p.Name)].Secondary
			sound, _ := registry.Of("sound_event", v).Name(p.WorkSound)
			got := profession{namesOf(v, "item", p.Requested...), namesOf(v, "block", p.SecondaryPOI...), sound, map[string]string{}}
			for i, set := range p.TradeSets {
				got.Sets[string(rune('1'+i))] = set
			}
			if diff := cmp.Diff(w, got); diff != "" {
				t.Errorf("%s: %s", p.Name, diff)
			}
		}
		if len(want) != len(registry.Professions(v)) {
			t.Errorf("%d professions, %d extracted", len(registry.Professions(v)), len(want))
		}
	})
}

func TestEnumsAndSlotsAreThoseExtracted(t *testing.T) {
	versions(t, func(t *testing.T, v registry.Version, rel *release) {
		for _, x := range enums {
			want := map[string]int32{}
			if data := rel.extracted[x[1]]; data[0] == '[' {
				for i, name := range decode[[]string](t, data) {
					want[strings.ToLower(name)] = int32(i)
				}
			} else {
				for name, id := range decode[map[string]int32](t, data) {
					want[strings.ToLower(name)] = id
				}
			}
			got := map[string]int32{}
			for id, name := range registry.EnumOf(x[0], v).All() {
				got[name] = id
			}
			if !maps.Equal(got, want) || len(got) == 0 {
				t.Errorf("%s: %s", x[0], cmp.Diff(want, got))
			}
		}
		slots := decode[map[string][]int32](t, rel.extracted["slot_ranges.json"])
		for name, want := range slots {
			if got, ok := registry.SlotRange(name, v); !ok || !slices.Equal(got, want) {
				t.Errorf("slots %s are %v, want %v", name, got, want)
			}
		}
		if _, ok := registry.SlotRange("nothing", v); ok || len(slots) == 0 {
			t.Error("slots of nothing")
		}
	})
}

func TestAttributesAndDyesAreThoseExtracted(t *testing.T) {
	versions(t, func(t *testing.T, v registry.Version, rel *release) {
		type attribute struct {
			ID      int32
			Default float64 `json:"default_value"`
		}
		want := decode[map[string]attribute](t, rel.extracted["attributes.json"])
		got := map[string]attribute{}
		for _, a := range registry.Attributes(v) {
			got[bare(a.Name)] = attribute{a.ID, a.Default}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		type dye struct {
			Name       string
			Map        int32 `json:"map_color_id"`
			Terracotta int32 `json:"terracotta_color_id"`
			Texture    int32 `json:"texture_diffuse_color"`
			Firework   int32 `json:"firework_color"`
			Text       int32 `json:"text_color"`
		}
		dyes := []dye{}
		for _, d := range registry.Dyes(v) {
			dyes = append(dyes, dye{d.Name, d.MapColor, d.TerracottaColor, d.Texture, d.Firework, d.Text})
		}
		if diff := cmp.Diff(decode[[]dye](t, readSources(t).releases[1].extracted["dye_colors.json"]), dyes); diff != "" {
			t.Error(diff)
		}
	})
}
