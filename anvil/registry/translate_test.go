package registry

import (
	"slices"
	"strings"
	"testing"
)

func TestTranslationIsByName(t *testing.T) {
	for _, r := range Registries(V26_1) {
		there, back := Translate(r.Key(), V26_1, V26_2), Translate(r.Key(), V26_2, V26_1)
		other := Of(r.Key(), V26_2)
		for id, name := range r.All() {
			got, ok := there.ID(id)
			if want, exists := other.ID(name); got != want || ok != exists {
				t.Fatalf("%s of %s is %d, %v in 26.2; want %d, %v", name, r.Key(), got, ok, want, exists)
			}
			if again, _ := back.ID(got); ok && again != id {
				t.Fatalf("%s of %s comes back as %d, not %d", name, r.Key(), again, id)
			}
			if near, exact := there.Nearest(id); exact != ok || exact && near != got {
				t.Fatalf("nearest to %s of %s is %d, %v", name, r.Key(), near, exact)
			}
		}
	}
}

func TestMissingNames(t *testing.T) {
	for _, test := range []struct {
		key      string
		from, to Version
		want     []string
	}{
		{"block_entity_type", V26_1, V26_2, []string{"minecraft:bed"}},
		{"block_entity_type", V26_2, V26_1, []string{"minecraft:potent_sulfur"}},
		{"data_component_type", V26_2, V26_1, []string{"minecraft:sulfur_cube_content"}},
		{"command_argument_type", V26_2, V26_1, []string{"minecraft:team_color"}},
		{"damage_type", V26_2, V26_1, []string{"minecraft:sulfur_cube_hot"}},
		{"worldgen/biome", V26_2, V26_1, []string{"minecraft:sulfur_caves"}},
		{"item", V26_1, V26_2, nil},
	} {
		if got := Translate(test.key, test.from, test.to).Missing(); !slices.Equal(got, test.want) {
			t.Errorf("%s from %v to %v misses %v, want %v", test.key, test.from, test.to, got, test.want)
		}
	}
	if Translate("sulfur_cube_archetype", V26_2, V26_1) != nil {
		t.Error("26.1 has sulfur cube archetypes")
	}
	var none *Translation
	if _, ok := none.ID(0); ok || none.Missing() != nil {
		t.Error("no translation knows something")
	}
	if id, exact := none.Nearest(0); id != -1 || exact {
		t.Error("no translation knows something near")
	}
	items := Translate("item", V26_2, V26_1)
	for _, id := range []int32{-1, 1 << 30} {
		if _, ok := items.ID(id); ok {
			t.Errorf("item %d is translated", id)
		}
		if other, _ := items.Nearest(id); other != -1 {
			t.Errorf("item %d is near to %d", id, other)
		}
	}
}

// TestEverythingShownHasASubstitute holds for what a client can not do
// without; the rest is left out of what it is sent.
func TestEverythingShownHasASubstitute(t *testing.T) {
	for _, key := range []string{
		"block", "item", "entity_type", "particle_type", "sound_event", "worldgen/biome", "damage_type", "jukebox_song",
		"command_argument_type", "menu", "mob_effect", "potion",
	} {
		for _, pair := range [][2]Version{{V26_1, V26_2}, {V26_2, V26_1}} {
			translation := Translate(key, pair[0], pair[1])
			for id, name := range Of(key, pair[0]).All() {
				if other, _ := translation.Nearest(id); other < 0 {
					t.Errorf("%v has neither %s of %s nor a substitute", pair[1], name, key)
				}
			}
		}
	}
}

func TestSubstitutesAreNeededAndExist(t *testing.T) {
	for key, names := range substitutes {
		older, newer := Of(key, V26_1), Of(key, V26_2)
		for name, other := range names {
			_, inOlder := older.ID(name)
			_, inNewer := newer.ID(name)
			if inOlder == inNewer {
				t.Errorf("%s of %s is in both versions or in none", name, key)
			}
			lacking := older
			if inOlder {
				lacking = newer
			}
			if _, ok := lacking.ID(other); !ok {
				t.Errorf("substitute %s of %s does not exist", other, key)
			}
		}
	}
}

func TestSubstitutedItemsStackAndWearAlike(t *testing.T) {
	translation := Translate("item", V26_2, V26_1)
	for _, item := range Items(V26_2) {
		id, _ := translation.Nearest(item.ID)
		other := Items(V26_1)[id]
		if item.MaxStackSize != other.MaxStackSize || item.MaxDamage != other.MaxDamage {
			t.Errorf("%s stacks to %d and wears %d, %s to %d and %d", item.Name, item.MaxStackSize, item.MaxDamage,
				other.Name, other.MaxStackSize, other.MaxDamage)
		}
	}
}

func TestSubstitutesOfSounds(t *testing.T) {
	sounds := Translate("sound_event", V26_2, V26_1)
	id, _ := Of("sound_event", V26_2).ID("entity.small_sulfur_cube.jump")
	other, exact := sounds.Nearest(id)
	if name, _ := Of("sound_event", V26_1).Name(other); exact || !strings.Contains(name, "slime") {
		t.Errorf("the jump of a small sulfur cube sounds like %s, exact %v", name, exact)
	}
}
