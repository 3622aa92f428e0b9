package main

import "strings"

// colorRule is the map color of a block's states: of those with the given
// property value the other color.
type colorRule struct {
	color      string
	key, value string // "" if all states have color
	other      string
}

func plain(color string) colorRule { return colorRule{color: color} }

// pillar is for logs: the color of the end on top shows if they stand.
func pillar(top, side string) colorRule {
	return colorRule{color: side, key: "axis", value: "y", other: top}
}

// colorRules is assumed: no source names the map colors of the blocks. It
// rests on what is commonly known of the game's maps.
func colorRules() rules[colorRule] {
	list := rules[colorRule]{
		{"piston_head", plain("stone")}, // before the heads of mobs
		{"light barrier", colorRule{"none", "waterlogged", "true", "water"}},
		{"wheat", colorRule{"plant", "age", "7", "color_yellow"}},
	}
	add := func(color, names string) { list = append(list, rule[colorRule]{names, plain(color)}) }
	add("none", "air void_air cave_air *_button lever potted_* flower_pot *_candle_cake candle_cake cake")
	add("none", "*_skull *_head *torch *_rail rail redstone_wire repeater comparator ladder tripwire*")
	add("none", "glass glass_pane *_stained_glass_pane *_bars *_chain nether_portal end_rod structure_void")
	list = append(list, woodColors()...)
	list = append(list, dyeColors()...)
	list = append(list, copperColors()...)
	for _, line := range strings.Split(strings.TrimSpace(naturalColors+stoneColors+builtColors), "\n") {
		color, names, _ := strings.Cut(line, ":")
		add(color, names)
	}
	return list
}

// woodColors: what is made of a wood has the color of its planks.
func woodColors() rules[colorRule] {
	list := rules[colorRule]{
		{"cherry_sapling cherry_leaves", plain("color_pink")},
		{"pale_oak_sapling", plain("quartz")},
		{"pale_oak_leaves", plain("terracotta_green")},
		{"*_sapling *_leaves mangrove_propagule", plain("plant")},
		{"bamboo_sapling", plain("wood")}, // taken above as a sapling but for this order
	}
	list = append(rules[colorRule]{list[4]}, list[:4]...)
	for _, wood := range []struct{ name, planks, bark, log string }{
		{"oak", "wood", "wood", "podzol"},
		{"spruce", "podzol", "podzol", "color_brown"},
		{"birch", "sand", "sand", "quartz"},
		{"jungle", "dirt", "dirt", "podzol"},
		{"acacia", "color_orange", "color_gray", "stone"},
		{"cherry", "terracotta_white", "terracotta_gray", "terracotta_gray"},
		{"dark_oak", "color_brown", "color_brown", "color_brown"},
		{"pale_oak", "quartz", "stone", "stone"},
		{"mangrove", "color_red", "color_red", "podzol"},
	} {
		stripped, strippedLog := wood.planks, plain(wood.planks)
		if wood.name == "cherry" {
			stripped, strippedLog = "terracotta_pink", pillar(wood.planks, "terracotta_pink")
		}
		list = append(list, rules[colorRule]{
			{wood.name + "_log", pillar(wood.planks, wood.log)},
			{wood.name + "_wood", plain(wood.bark)},
			{"stripped_" + wood.name + "_log", strippedLog},
			{"stripped_" + wood.name + "_wood", plain(stripped)},
		}...)
	}
	return append(list, rules[colorRule]{
		{"mangrove_roots muddy_mangrove_roots", plain("podzol")},
		{"bamboo_block", pillar("color_yellow", "plant")},
		{"bamboo", plain("plant")},
		{"oak_*", plain("wood")},
		{"spruce_*", plain("podzol")},
		{"birch_*", plain("sand")},
		{"jungle_*", plain("dirt")},
		{"acacia_*", plain("color_orange")},
		{"cherry_*", plain("terracotta_white")},
		{"dark_oak_*", plain("color_brown")},
		{"pale_oak_*", plain("quartz")},
		{"mangrove_*", plain("color_red")},
		{"bamboo_* stripped_bamboo_block", plain("color_yellow")},
		{"crimson_hyphae stripped_crimson_hyphae", plain("crimson_hyphae")},
		{"crimson_nylium", plain("crimson_nylium")},
		{"crimson_fungus crimson_roots weeping_vines weeping_vines_plant", plain("nether")},
		{"crimson_* stripped_crimson_stem", plain("crimson_stem")},
		{"warped_hyphae stripped_warped_hyphae", plain("warped_hyphae")},
		{"warped_nylium", plain("warped_nylium")},
		{"warped_wart_block", plain("warped_wart_block")},
		{"warped_fungus warped_roots nether_sprouts twisting_vines twisting_vines_plant", plain("color_cyan")},
		{"warped_* stripped_warped_stem", plain("warped_stem")},
	}...)
}

// dyeColors: what is dyed has the color of its dye.
func dyeColors() rules[colorRule] {
	list := rules[colorRule]{
		{"*_banner", plain("wood")},
		{"white_candle", plain("wool")},
		{"purple_shulker_box", plain("terracotta_purple")},
		{"shulker_box", plain("color_purple")},
		{"candle", plain("sand")},
		{"terracotta", plain("color_orange")},
	}
	for _, dye := range strings.Fields("white orange magenta light_blue yellow lime pink gray light_gray cyan purple blue brown green red black") {
		color, clay := "color_"+dye, "terracotta_"+dye
		switch dye {
		case "white":
			color = "snow"
		case "lime":
			color, clay = "color_light_green", "terracotta_light_green"
		}
		list = append(list, rules[colorRule]{
			{dye + "_bed", colorRule{color, "part", "head", "wool"}},
			{dye + "_terracotta", plain(clay)},
			{strings.ReplaceAll("D_wool D_carpet D_stained_glass D_concrete D_concrete_powder D_glazed_terracotta", "D", dye), plain(color)},
		}...)
		// Two of these have colors of their own above.
		if dye != "white" {
			list = append(list, rule[colorRule]{dye + "_candle", plain(color)})
		}
		if dye != "purple" {
			list = append(list, rule[colorRule]{dye + "_shulker_box", plain(color)})
		}
	}
	return list
}

// copperColors: copper has a color for each age, waxed or not.
func copperColors() rules[colorRule] {
	return rules[colorRule]{
		{"*copper_lantern lantern soul_lantern", plain("metal")},
		{"copper_ore", plain("stone")},
		{"raw_copper_block", plain("color_orange")},
		{"exposed_* waxed_exposed_*", plain("terracotta_light_gray")},
		{"weathered_* waxed_weathered_*", plain("warped_stem")},
		{"oxidized_* waxed_oxidized_*", plain("warped_nylium")},
		{"copper_* cut_copper* chiseled_copper waxed_* lightning_rod", plain("color_orange")},
	}
}

const naturalColors = `
grass: grass_block slime_block
plant: short_grass fern bush tall_grass large_fern dandelion golden_dandelion torchflower poppy blue_orchid allium azure_bluet *_tulip oxeye_daisy cornflower wither_rose lily_of_the_valley
plant: sunflower lilac rose_bush peony pitcher_plant pitcher_crop torchflower_crop beetroots carrots potatoes
plant: cactus sugar_cane vine lily_pad attached_pumpkin_stem attached_melon_stem pumpkin_stem melon_stem cocoa sweet_berry_bush cave_vines cave_vines_plant spore_blossom azalea flowering_azalea
plant: pink_petals wildflowers big_dripleaf big_dripleaf_stem small_dripleaf open_eyeblossom closed_eyeblossom firefly_bush
color_yellow: short_dry_grass tall_dry_grass hay_block sponge wet_sponge bee_nest
wood: dead_bush
color_pink: cactus_flower
color_brown: leaf_litter brown_mushroom soul_sand soul_soil
color_red: red_mushroom red_mushroom_block nether_wart nether_wart_block shroomlight sniffer_egg
dirt: brown_mushroom_block dirt coarse_dirt farmland dirt_path rooted_dirt hanging_roots packed_mud
wool: mushroom_stem cobweb
podzol: podzol campfire soul_campfire
color_purple: mycelium chorus_plant chorus_flower amethyst_block budding_amethyst amethyst_cluster *_amethyst_bud
color_green: moss_block moss_carpet dried_kelp_block sea_pickle
color_light_gray: pale_moss_block pale_moss_carpet pale_hanging_moss
color_orange: pumpkin carved_pumpkin jack_o_lantern red_sand honey_block honeycomb_block creaking_heart
color_light_green: melon
glow_lichen: glow_lichen verdant_froglight
terracotta_orange: resin_clump resin_block *resin_brick* redstone_lamp
water: water bubble_column seagrass tall_seagrass kelp kelp_plant frogspawn
fire: lava fire tnt redstone_block
color_light_blue: soul_fire
snow: snow snow_block powder_snow
ice: ice packed_ice blue_ice frosted_ice
clay: clay infested_stone infested_cobblestone infested_*stone_bricks
terracotta_cyan: mud
terracotta_light_gray: mud_brick*
color_gray: dead_*_coral dead_*_coral_block dead_*_coral_fan dead_*_coral_wall_fan dried_ghast tinted_glass
color_blue: tube_coral*
color_pink: brain_coral* pearlescent_froglight
color_purple: bubble_coral*
color_red: fire_coral*
color_yellow: horn_coral* sulfur* *_sulfur*
`

const stoneColors = `
dirt: granite* polished_granite*
quartz: diorite* polished_diorite*
deepslate: *deepslate*
nether: nether_gold_ore nether_quartz_ore
stone: stone stone_* andesite* polished_andesite* *cobblestone* bedrock gravel suspicious_gravel *_ore mossy_stone_brick* cracked_stone_bricks chiseled_stone_bricks smooth_stone*
color_red: *cinnabar*
color_orange: *red_sandstone*
sand: sand suspicious_sand *sandstone* glowstone end_stone* bone_block turtle_egg ochre_froglight scaffolding
nether: netherrack *nether_brick* magma_block
color_black: *basalt *blackstone* obsidian crying_obsidian respawn_anchor netherite_block ancient_debris coal_block sculk sculk_vein sculk_catalyst sculk_shrieker dragon_egg end_portal end_gateway
terracotta_gray: *tuff*
terracotta_white: calcite
terracotta_brown: dripstone_block pointed_dripstone
quartz: *quartz* sea_lantern target
color_cyan: prismarine prismarine_slab prismarine_stairs prismarine_wall sculk_sensor calibrated_sculk_sensor
diamond: prismarine_brick* dark_prismarine* diamond_block beacon conduit
color_magenta: purpur_*
gold: gold_block raw_gold_block light_weighted_pressure_plate bell
raw_iron: raw_iron_block
lapis: lapis_block
emerald: emerald_block
`

const builtColors = `
metal: iron_block iron_door iron_trapdoor heavy_weighted_pressure_plate anvil chipped_anvil damaged_anvil brewing_stand grindstone lodestone heavy_core
stone: dispenser dropper furnace smoker blast_furnace observer crafter piston sticky_piston moving_piston spawner trial_spawner vault hopper cauldron *_cauldron ender_chest stonecutter
wood: note_block bookshelf chiseled_bookshelf chest trapped_chest crafting_table daylight_detector loom barrel cartography_table fletching_table lectern smithing_table composter beehive petrified_oak_slab
dirt: jukebox
color_red: brick* enchanting_table
color_green: end_portal_frame chain_command_block
color_brown: command_block
color_purple: repeating_command_block
color_light_gray: structure_block jigsaw test_block test_instance_block
terracotta_red: decorated_pot
`
