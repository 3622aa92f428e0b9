package tree_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/settings"
)

// document returns a configured feature of the game as text.
func document(t testing.TB, id string) string {
	t.Helper()
	source, err := settings.Builtin(4903)
	if err != nil {
		t.Fatal(err)
	}
	text, err := source.Document(registry, "minecraft:"+id)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// load reads a configured feature that was changed: members by their path are
// set, or removed if the value is empty.
func load(t *testing.T, id string, path, value string) error {
	t.Helper()
	var doc map[string]any
	if err := json.Unmarshal([]byte(document(t, id)), &doc); err != nil {
		t.Fatal(err)
	}
	at := doc["config"].(map[string]any)
	names := strings.Split(path, ".")
	for _, name := range names[:len(names)-1] {
		at = at[name].(map[string]any)
	}
	last := names[len(names)-1]
	if _, ok := at[last]; !ok {
		t.Fatalf("%s has no %s", id, path)
	}
	if value == "" {
		delete(at, last)
	} else {
		at[last] = json.RawMessage(value)
	}
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	v, err := provider.Parse("test", id, text)
	if err != nil {
		t.Fatal(err)
	}
	_, err = newLoader(t).Feature(v)
	return err
}

func TestWrongDocumentsAreErrors(t *testing.T) {
	for _, c := range []struct{ id, path, value string }{
		{"oak", "trunk_provider", ""},
		{"oak", "foliage_provider", `"oak_leaves"`},
		{"oak", "trunk_placer", ""},
		{"oak", "trunk_placer.type", `"minecraft:crooked_trunk_placer"`},
		{"oak", "trunk_placer.base_height", `33`},
		{"oak", "trunk_placer.height_rand_b", `25`},
		{"oak", "foliage_placer.type", `"minecraft:no_foliage_placer"`},
		{"oak", "foliage_placer.radius", `17`},
		{"oak", "foliage_placer.height", ""},
		{"oak", "minimum_size.type", `"minecraft:one_layer_feature_size"`},
		{"oak", "decorators", `{}`},
		{"oak", "decorators", `[{"type":"minecraft:glitter"}]`},
		{"oak", "decorators", `[{"type":"minecraft:beehive","probability":1.5}]`},
		{"oak", "decorators", `[{"type":"minecraft:attached_to_logs","block_provider":{"type":"simple_state_provider","state":{"Name":"stone"}},"probability":1,"directions":["inward"]}]`},
		{"oak", "ignore_vines", `3`},
		{"azalea_tree", "trunk_placer.bend_length", `0`},
		{"azalea_tree", "foliage_placer.radius", `0`},
		{"azalea_tree", "foliage_placer.leaf_placement_attempts", `257`},
		{"cherry", "trunk_placer.branch_count", `4`},
		{"cherry", "trunk_placer.branch_start_offset_from_top", `{"min_inclusive":-3,"max_inclusive":-3}`},
		{"cherry", "foliage_placer.corner_hole_chance", `2`},
		{"mangrove", "root_placer.type", `"minecraft:deep_root_placer"`},
		{"mangrove", "root_placer.mangrove_root_placement.max_root_length", `65`},
		{"mangrove", "root_placer.mangrove_root_placement.muddy_roots_in", `["minecraft:no_block"]`},
		{"mangrove", "trunk_placer.can_grow_through", ""},
		{"pale_oak", "minimum_size.upper_size", `17`},
		{"fallen_oak_tree", "log_length", `17`},
		{"fallen_oak_tree", "stump_decorators", ""},
		{"huge_red_mushroom", "can_place_on", ""},
		{"huge_brown_mushroom", "foliage_radius", `-1`},
		{"crimson_fungus", "valid_base_block", `{"Name":"minecraft:no_block"}`},
		{"crimson_fungus", "replaceable_blocks", ""},
	} {
		err := load(t, c.id, c.path, c.value)
		if wrong := new(provider.ValueError); !errors.As(err, &wrong) {
			t.Errorf("%s with %s %q: error %v, want a *provider.ValueError", c.id, c.path, c.value, err)
		}
	}
}

// What the format lets away has the values that the game gives it.
func TestMissingMembersHaveTheirStandard(t *testing.T) {
	for _, c := range []struct{ id, path string }{
		{"spruce", "minimum_size.limit"},
		{"fancy_oak", "minimum_size.min_clipped_height"},
		{"azalea_tree", "trunk_placer.min_height_for_leaves"},
		{"mangrove", "root_placer.above_root_placement"},
		{"mangrove", "root_placer"},
		{"oak", "below_trunk_provider"},
		{"oak", "ignore_vines"},
		{"huge_brown_mushroom", "foliage_radius"},
		{"crimson_fungus_planted", "planted"},
	} {
		if err := load(t, c.id, c.path, ""); err != nil {
			t.Errorf("%s without %s: %v", c.id, c.path, err)
		}
	}
}
