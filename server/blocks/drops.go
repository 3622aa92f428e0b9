package blocks

import (
	"strings"

	"strata/anvil/block"
)

// Drops returns what a block leaves when it is broken with a tool, by the item's
// name, "" for a hand. Assumed, until loot tables are here: a block drops itself
// but for what is named below; chances and numbers that vary have their least
// ordinary value; silk touch, fortune and shears do not count.
func Drops(s block.State, tool string) []Stack {
	if s.Air() || s.Block() == block.Water || s.Block() == block.Lava || !yields(s, tool) {
		return nil
	}
	return loot(s)
}

// loot is what a block drops that breaks by itself, whatever tool it needs.
func loot(s block.State) []Stack {
	if s.Air() {
		return nil
	}
	item, n := dropOf(s)
	if item == "" || n == 0 {
		return nil
	}
	return []Stack{{Item: "minecraft:" + item, Count: n, Contents: kind(s) == "shulker_box"}}
}

// yields reports whether a tool is good enough for the drops.
func yields(s block.State, tool string) bool {
	id := s.Block()
	if !id.NeedsTool() {
		return true
	}
	k, tier := toolOf(tool)
	return k == id.Tool() && tier >= id.Tier()
}

// otherDrops are blocks that do not drop themselves: the item and how many.
var otherDrops = map[string]Stack{
	"stone": {Item: "cobblestone", Count: 1}, "deepslate": {Item: "cobbled_deepslate", Count: 1},
	"grass_block": {Item: "dirt", Count: 1}, "mycelium": {Item: "dirt", Count: 1},
	"podzol": {Item: "dirt", Count: 1}, "dirt_path": {Item: "dirt", Count: 1},
	"farmland": {Item: "dirt", Count: 1}, "clay": {Item: "clay_ball", Count: 4},
	"crimson_nylium": {Item: "netherrack", Count: 1}, "warped_nylium": {Item: "netherrack", Count: 1},
	"coal_ore": {Item: "coal", Count: 1}, "deepslate_coal_ore": {Item: "coal", Count: 1},
	"iron_ore": {Item: "raw_iron", Count: 1}, "deepslate_iron_ore": {Item: "raw_iron", Count: 1},
	"copper_ore": {Item: "raw_copper", Count: 2}, "deepslate_copper_ore": {Item: "raw_copper", Count: 2},
	"gold_ore": {Item: "raw_gold", Count: 1}, "deepslate_gold_ore": {Item: "raw_gold", Count: 1},
	"redstone_ore": {Item: "redstone", Count: 4}, "deepslate_redstone_ore": {Item: "redstone", Count: 4},
	"emerald_ore": {Item: "emerald", Count: 1}, "deepslate_emerald_ore": {Item: "emerald", Count: 1},
	"lapis_ore": {Item: "lapis_lazuli", Count: 4}, "deepslate_lapis_ore": {Item: "lapis_lazuli", Count: 4},
	"diamond_ore": {Item: "diamond", Count: 1}, "deepslate_diamond_ore": {Item: "diamond", Count: 1},
	"nether_gold_ore": {Item: "gold_nugget", Count: 2}, "nether_quartz_ore": {Item: "quartz", Count: 1},
	"glowstone": {Item: "glowstone_dust", Count: 2}, "sea_lantern": {Item: "prismarine_crystals", Count: 2},
	"melon": {Item: "melon_slice", Count: 3}, "bookshelf": {Item: "book", Count: 3},
	"redstone_wire": {Item: "redstone", Count: 1}, "tripwire": {Item: "string", Count: 1},
	"snow_block": {Item: "snowball", Count: 4}, "cobweb": {Item: "string", Count: 1},
	"ender_chest": {Item: "obsidian", Count: 8}, "gilded_blackstone": {Item: "gilded_blackstone", Count: 1},
	"kelp_plant": {Item: "kelp", Count: 1}, "bamboo_sapling": {Item: "bamboo", Count: 1},
	"twisting_vines_plant": {Item: "twisting_vines", Count: 1},
	"weeping_vines_plant":  {Item: "weeping_vines", Count: 1},
	"big_dripleaf_stem":    {Item: "big_dripleaf", Count: 1},
	"campfire":             {Item: "charcoal", Count: 2}, "soul_campfire": {Item: "soul_soil", Count: 1},
	"tall_grass": {}, "large_fern": {}, "cake": {}, "spawner": {}, "turtle_egg": {}, "fire": {},
	"soul_fire": {}, "ice": {}, "blue_ice": {}, "packed_ice": {}, "frosted_ice": {}, "beehive": {Item: "beehive", Count: 1},
	"bee_nest": {}, "chorus_plant": {Item: "chorus_fruit", Count: 1}, "chorus_flower": {},
	"powder_snow": {}, "sculk": {}, "sculk_vein": {}, "sculk_sensor": {}, "sculk_catalyst": {},
	"sculk_shrieker": {}, "glow_lichen": {}, "vine": {}, "seagrass": {}, "tall_seagrass": {},
	"short_grass": {}, "fern": {}, "dead_bush": {Item: "stick", Count: 1}, "bush": {},
	"short_dry_grass": {}, "tall_dry_grass": {}, "hanging_roots": {}, "nether_sprouts": {},
	"suspicious_sand": {}, "suspicious_gravel": {}, "budding_amethyst": {}, "reinforced_deepslate": {},
	"small_amethyst_bud": {}, "medium_amethyst_bud": {}, "large_amethyst_bud": {},
	"amethyst_cluster": {Item: "amethyst_shard", Count: 2}, "pale_hanging_moss": {}, "leaf_litter": {Item: "leaf_litter", Count: 1},
	"brown_mushroom_block": {}, "red_mushroom_block": {}, "mushroom_stem": {},
	"small_dripleaf": {}, "chiseled_bookshelf": {}, "trial_spawner": {}, "vault": {}, "creaking_heart": {},
	"frogspawn": {}, "pitcher_crop": {Item: "pitcher_pod", Count: 1}, "player_head": {Item: "player_head", Count: 1},
	"infested_stone": {}, "infested_cobblestone": {}, "infested_stone_bricks": {}, "infested_deepslate": {},
	"infested_mossy_stone_bricks": {}, "infested_cracked_stone_bricks": {}, "infested_chiseled_stone_bricks": {},
	"attached_melon_stem": {Item: "melon_seeds", Count: 1}, "attached_pumpkin_stem": {Item: "pumpkin_seeds", Count: 1},
	"piston_head": {}, "moving_piston": {},
}

// countedBy are properties that say of how many items a block is made.
var countedBy = map[string]string{
	"candle": "candles", "sea_pickle": "pickles", "flower_bed": "flower_amount",
	"leaf_litter": "segment_amount",
}

// dropOf returns an item's name without namespace, and how many.
func dropOf(s block.State) (string, int) {
	n := name(s)
	if is(s, "half", "upper") && (isDoor(s) || has(s, "half") && !has(s, "open")) ||
		is(s, "part", "head") {
		return "", 0 // the other half has it
	}
	if d, ok := otherDrops[n]; ok {
		return d.Item, d.Count
	}
	switch k := kind(s); k {
	case "crop", "beetroot", "carrot", "potato", "nether_wart", "cocoa", "sweet_berry_bush":
		return cropDrop(s, k)
	case "cave_vines", "cave_vines_plant":
		if is(s, "berries", "true") {
			return "glow_berries", 1
		}
		return "", 0
	case "snow_layer":
		return "snowball", number(s, "layers")
	case "flower_pot":
		return "flower_pot", 1
	case "candle_cake":
		return strings.TrimSuffix(n, "_cake"), 1
	case "transparent", "stained_glass", "stained_glass_pane", "coral_fan", "coral_plant",
		"coral_wall_fan", "base_coral_fan", "base_coral_plant", "base_coral_wall_fan":
		return "", 0
	case "coral":
		return "dead_" + n, 1
	case "layered_cauldron", "lava_cauldron":
		return "cauldron", 1
	}
	if s.Leaves() || n == "glass_pane" {
		return "", 0
	}
	count := 1
	if p := countedBy[kind(s)]; p != "" {
		count = number(s, p)
	} else if is(s, "type", "double") {
		count = 2
	} else if kind(s) == "multiface" {
		count = faces(s)
	}
	return strings.TrimPrefix(ItemOf(s.Block()), "minecraft:"), count
}

// cropDrop gives the seed of young plants, and what they are grown for of ripe
// ones. The seeds of ripe ones are left to loot tables.
func cropDrop(s block.State, kind string) (string, int) {
	age := number(s, "age")
	switch kind {
	case "crop":
		if age == 7 {
			return "wheat", 1
		}
		return "wheat_seeds", 1
	case "beetroot":
		if age == 3 {
			return "beetroot", 1
		}
		return "beetroot_seeds", 1
	case "nether_wart":
		return "nether_wart", 1 + age/3
	case "cocoa":
		return "cocoa_beans", 1 + age
	case "sweet_berry_bush":
		return "sweet_berries", max(0, age-1)
	}
	return kind, 1
}
