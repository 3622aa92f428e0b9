package gen

import (
	"slices"
	"sync"

	"strata/nbt"
	"strata/pregen/worldgen/feature"
)

// freshMembers are what the game saves of a block entity that nobody has
// touched, beside what generation gives it. The order is that of our files.
var freshMembers = sync.OnceValue(func() map[string][]feature.Member {
	none := []byte{byte(nbt.TypeEnd), 0, 0, 0, 0}
	list := nbt.Raw{Type: nbt.TypeList, Data: none}
	empty := nbt.Compound{}
	var tick, listener nbt.Compound
	tick.Set("tick", int64(-1))
	listener.Set("selector", tick)
	listener.Set("event_delay", int32(0))
	one := func(name string, value any) feature.Member {
		raw, err := nbt.MarshalRaw(value)
		if err != nil {
			panic(err) // the values above are sound
		}
		return feature.Member{Name: name, Value: raw}
	}
	items := feature.Member{Name: "Items", Value: list}
	hears := one("listener", listener)
	places := make([]int32, 4)
	return map[string][]feature.Member{
		"minecraft:barrel":                  {items},
		"minecraft:beehive":                 {{Name: "bees", Value: list}},
		"minecraft:calibrated_sculk_sensor": {one("last_vibration_frequency", int32(0)), hears},
		"minecraft:campfire":                {items, one("CookingTimes", places), one("CookingTotalTimes", places)},
		"minecraft:chest":                   {items},
		"minecraft:dispenser":               {items},
		"minecraft:dropper":                 {items},
		"minecraft:hopper":                  {items, one("TransferCooldown", int32(0))},
		"minecraft:potent_sulfur":           {one("countdown", int32(-1))},
		"minecraft:sculk_catalyst":          {{Name: "cursors", Value: list}},
		"minecraft:sculk_sensor":            {one("last_vibration_frequency", int32(0)), hears},
		"minecraft:sculk_shrieker":          {one("warning_level", int32(0)), hears},
		"minecraft:trapped_chest":           {items},
		"minecraft:vault":                   {one("server_data", empty), one("shared_data", empty)},
		"":                                  {one("components", empty)}, // of all
	}
})

// completed are the members of a block entity and those that it begins with
// beside them.
func completed(e *feature.BlockEntity) []feature.Member {
	all := slices.Clip(e.Extra)
	has := func(name string) bool {
		return slices.ContainsFunc(e.Extra, func(m feature.Member) bool { return m.Name == name })
	}
	looted := e.LootTable != "" || has("LootTable")
	for _, kind := range []string{e.ID, ""} {
		for _, m := range freshMembers()[kind] {
			// What has a loot table has no items until it is opened.
			if !has(m.Name) && (m.Name != "Items" || !looted) {
				all = append(all, m)
			}
		}
	}
	return all
}
