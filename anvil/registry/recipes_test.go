package registry

import (
	"slices"
	"strings"
	"testing"
)

func TestRecipes(t *testing.T) {
	for i, want := range []int{1515, 1585} {
		if got := len(Recipes(Versions()[i])); got != want {
			t.Errorf("%v: %d recipes, want %d", Versions()[i], got, want)
		}
	}
	find := func(name string) *Recipe {
		list := Recipes(V26_2)
		i, ok := slices.BinarySearchFunc(list, "minecraft:"+name, func(r Recipe, name string) int { return strings.Compare(r.Name, name) })
		if !ok {
			t.Fatalf("no recipe %s", name)
		}
		return &list[i]
	}
	items := Of("item", V26_2)
	id := func(name string) int32 {
		id, ok := items.ID(name)
		if !ok {
			t.Fatalf("no item %s", name)
		}
		return id
	}
	table := find("crafting_table")
	if table.Type != "minecraft:crafting_shaped" || table.Width != 2 || table.Height != 2 || len(table.Ingredients) != 4 ||
		!table.Ingredients[3].Has(id("cherry_planks")) || table.Ingredients[0].Has(id("stone")) ||
		table.Ingredients[0].Tag.Name() != "minecraft:planks" || table.Result.Item != id("crafting_table") ||
		table.Result.Count != 1 || table.ShowNotification || table.Category != "misc" {
		t.Errorf("crafting table: %+v", *table)
	}
	boat := find("oak_boat")
	if boat.Group != "boat" || boat.Width != 3 || boat.Height != 2 || len(boat.Ingredients[1].Items) != 0 || boat.Ingredients[1].Has(0) {
		t.Errorf("boat: %+v", *boat)
	}
	iron := find("iron_ingot_from_smelting_raw_iron")
	if iron.CookTicks != 200 || iron.Experience != 0.7 || iron.Result.Item != id("iron_ingot") || iron.Ingredients[0].Role != "" {
		t.Errorf("iron: %+v", *iron)
	}
	if fish := find("cooked_cod_from_campfire_cooking"); fish.CookTicks != 600 {
		t.Errorf("campfire: %d ticks", fish.CookTicks)
	}
	trim := find("wayfinder_armor_trim_smithing_template_smithing_trim")
	if name, _ := Of("trim_pattern", V26_2).Name(trim.TrimPattern); name != "minecraft:wayfinder" || trim.Result.Item != -1 ||
		len(trim.Ingredients) != 3 || table.TrimPattern != -1 {
		t.Errorf("trim: %+v", *trim)
	}
	copies := find("map_cloning")
	if copies.MinMaterial != 1 || copies.MaxMaterial != 8 || !copies.AddMaterial {
		t.Errorf("map cloning: %+v", *copies)
	}
	stew := find("suspicious_stew_from_poppy")
	if len(stew.Result.Components) != 1 || stew.Result.Components[0].Name != "minecraft:suspicious_stew_effects" {
		t.Errorf("stew: %+v", stew.Result)
	}
}
