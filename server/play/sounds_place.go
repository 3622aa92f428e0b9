package play

import (
	"slices"
	"strings"

	"strata/anvil/block"
	"strata/anvil/registry"
)

// placeSound is the sound of placing a block, and its pitch before that of placing.
// The game's lists do not say which block has which: it is the one that is named as
// the block, else that of its material, what it is cut from or its kind by name, else
// by the tool that digs it. Blocks that are named after nothing they sound like may
// sound as stone or wood.
func placeSound(s block.State) (name string, pitch float32) {
	short := shortName(s)
	switch short {
	case "wheat", "carrots", "potatoes", "beetroots", "melon_stem", "pumpkin_stem", "torchflower_crop", "pitcher_crop":
		return "item.crop.plant", 1
	case "nether_wart":
		return "item.nether_wart.plant", 1
	}
	if strings.HasSuffix(short, "hanging_sign") {
		return "block." + family(short, "hanging_sign", "") + "hanging_sign.place", 1
	}
	material := materialOf(s, short)
	if material == "metal" {
		return "block.metal.place", 1.5
	}
	return "block." + material + ".place", 1
}

// materialOf is what sounds of a block are named by.
func materialOf(s block.State, short string) string {
	if soundsOf(short) {
		return short
	}
	for _, by := range materialSounds {
		if by.is(short) {
			return by.sound
		}
	}
	for _, from := range append(originals(short), strings.TrimPrefix(s.Block().Kind(), "minecraft:")) {
		if soundsOf(from) {
			return from
		}
	}
	switch s.Block().Tool() {
	case block.Axe:
		return "wood"
	case block.Shovel:
		return "gravel"
	case block.Hoe:
		return "grass"
	}
	if s.Block().Tool() == block.NoTool && len(s.Collision()) == 0 && s.Block().Hardness() == 0 {
		return "grass"
	}
	return "stone"
}

// soundsOf reports whether there is a sound of placing that is named by a material.
func soundsOf(material string) bool {
	_, ok := registry.Of("minecraft:sound_event", registry.V26_1).ID("minecraft:block." + material + ".place")
	return ok
}

// originals are names of what a block is cut from, its own first.
func originals(name string) []string {
	all := []string{name}
	for _, form := range []string{"_stairs", "_slab", "_wall", "_fence"} {
		if base, ok := strings.CutSuffix(name, form); ok {
			all = append(all, base, base+"s", base+"_block")
		}
	}
	for _, before := range []string{"chiseled_", "cracked_", "smooth_", "infested_", "cobbled_", "weeping_"} {
		for _, n := range slices.Clone(all) {
			if base, ok := strings.CutPrefix(n, before); ok {
				all = append(all, base)
			}
		}
	}
	return all
}

// materialSound is the sound of blocks with one of some names, or with a part of one
// if it is between stars.
type materialSound struct {
	sound string
	names []string
}

func (m materialSound) is(name string) bool {
	for _, n := range m.names {
		part, within := strings.CutPrefix(n, "*")
		if name == n || within && strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// materialSounds are tried in order.
var materialSounds = []materialSound{
	{"moss_carpet", []string{"pale_moss_carpet"}},
	{"moss", []string{"moss_block", "pale_moss_block"}},
	{"snow", []string{"snow_block"}},
	{"grass", []string{"*_leaves", "grass_block", "podzol", "mycelium", "dirt_path", "hay_block", "tnt", "target"}},
	{"wet_grass", []string{"kelp", "seagrass", "tall_seagrass", "*_coral_fan", "*_coral_wall_fan", "tube_coral", "brain_coral", "bubble_coral", "fire_coral", "horn_coral"}},
	{"gravel", []string{"dirt", "coarse_dirt", "farmland", "clay"}},
	{"wool", []string{"*_wool", "*_carpet", "cake", "cactus"}},
	{"sand", []string{"red_sand", "*concrete_powder"}},
	{"stone", []string{"*sandstone", "*_concrete", "redstone_wire", "repeater", "comparator", "flower_pot", "tripwire", "tripwire_hook", "lever", "stone_button"}},
	{"glass", []string{"*glass", "ice", "packed_ice", "blue_ice", "frosted_ice", "glowstone", "sea_lantern", "beacon", "redstone_lamp"}},
	{"metal", []string{"gold_block", "diamond_block", "emerald_block", "redstone_block", "*rail", "hopper"}},
	{"iron", []string{"iron_block", "iron_bars", "iron_door", "iron_trapdoor"}},
	{"copper_bulb", []string{"*copper_bulb"}},
	{"copper_grate", []string{"*copper_grate"}},
	{"chain", []string{"*_chain"}},
	{"lantern", []string{"soul_lantern", "*copper_lantern"}},
	{"copper", []string{"*copper_block", "*cut_copper", "*exposed_copper", "*weathered_copper", "*oxidized_copper", "*copper_door", "*copper_trapdoor", "*copper_chest", "*lightning_rod", "*copper_bars"}},
	{"nylium", []string{"crimson_nylium", "warped_nylium"}},
	{"fungus", []string{"crimson_fungus", "warped_fungus"}},
	{"roots", []string{"crimson_roots", "warped_roots"}},
	{"stem", []string{"*crimson_stem", "*warped_stem", "*crimson_hyphae", "*warped_hyphae"}},
	{"wart_block", []string{"nether_wart_block", "warped_wart_block"}},
	{"shelf", []string{"*_shelf"}},
	{"nether_wood", []string{"*crimson_", "*warped_"}},
	{"nether_ore", []string{"nether_quartz_ore"}},
	{"cherry_wood", []string{"*cherry_"}},
	{"bamboo_wood", []string{"*bamboo_"}},
	{"coral_block", []string{"*_coral_block"}},
	{"froglight", []string{"*_froglight"}},
	{"candle", []string{"*candle"}},
	{"anvil", []string{"*anvil"}},
	{"wood", []string{"*torch", "*_sign", "*_banner", "end_rod"}},
	{"deepslate", []string{
		"deepslate_coal_ore", "deepslate_iron_ore", "deepslate_copper_ore", "deepslate_gold_ore", "deepslate_redstone_ore",
		"deepslate_lapis_ore", "deepslate_diamond_ore", "deepslate_emerald_ore",
	}},
}
