package registry_test

import (
	"fmt"

	"strata/anvil/registry"
)

func ExampleOf() {
	items := registry.Of("minecraft:item", registry.V26_2)
	id, _ := items.ID("minecraft:iron_ingot")
	name, _ := items.Name(id)
	fmt.Println(name, items.Len())

	older, ok := registry.Translate("item", registry.V26_2, registry.V26_1).ID(id)
	fmt.Println(older < id, ok)
	// Output:
	// minecraft:iron_ingot 1537
	// true true
}

func ExampleSyncedRegistries() {
	for _, r := range registry.SyncedRegistries(registry.V26_2) {
		if r.ID == "minecraft:dimension_type" {
			for _, e := range r.Entries {
				fmt.Println(e.ID, len(e.NBT) > 0)
			}
		}
	}
	// Output:
	// minecraft:overworld true
	// minecraft:overworld_caves true
	// minecraft:the_end true
	// minecraft:the_nether true
}

func ExampleTag_Has() {
	blocks := registry.TagsOf("minecraft:block", registry.V26_2)
	stone, _ := blocks.Registry().ID("stone")
	fmt.Println(blocks.Tag("mineable/pickaxe").Has(stone), blocks.Tag("leaves").Has(stone))
	// Output: true false
}

func ExampleRecipes() {
	items := registry.Of("item", registry.V26_2)
	for _, r := range registry.Recipes(registry.V26_2) {
		if r.Name == "minecraft:torch" {
			name, _ := items.Name(r.Result.Item)
			fmt.Println(r.Width, r.Height, r.Result.Count, name)
		}
	}
	// Output: 1 2 4 minecraft:torch
}
