package main

import "strata/anvil/block"

// The lists of this file are assumed: they are in none of the sources.

type motion struct{ friction, speed, jump float32 }

var defaultMotion = motion{0.6, 1, 1}

var motions = rules[motion]{
	{"ice packed_ice frosted_ice", motion{0.98, 1, 1}},
	{"blue_ice", motion{0.989, 1, 1}},
	{"slime_block", motion{0.8, 1, 1}},
	{"soul_sand", motion{0.6, 0.4, 1}},
	{"honey_block", motion{0.6, 0.4, 0.5}},
}

// odds are those of catching fire and of burning away.
type odds struct{ ignite, burn uint8 }

var flammability = rules[odds]{
	{"crimson_* warped_* stripped_crimson_* stripped_warped_*", odds{}},
	{"petrified_oak_slab", odds{}},
	{"*_planks *_fence_gate bamboo_mosaic bamboo_mosaic_slab bamboo_mosaic_stairs", odds{5, 20}},
	{"nether_brick_fence", odds{}},
	{"*_fence", odds{5, 20}},
	{"oak_slab spruce_slab birch_slab jungle_slab acacia_slab cherry_slab dark_oak_slab pale_oak_slab mangrove_slab bamboo_slab", odds{5, 20}},
	{"oak_stairs spruce_stairs birch_stairs jungle_stairs acacia_stairs cherry_stairs dark_oak_stairs pale_oak_stairs mangrove_stairs bamboo_stairs", odds{5, 20}},
	{"*_log *_wood bamboo_block stripped_bamboo_block coal_block", odds{5, 5}},
	{"mangrove_roots composter beehive", odds{5, 20}},
	{"*_leaves dried_kelp_block *_wool azalea flowering_azalea hanging_roots", odds{30, 60}},
	{"bookshelf chiseled_bookshelf lectern bee_nest *_shelf", odds{30, 20}},
	{"tnt vine glow_lichen", odds{15, 100}},
	{"short_grass fern dead_bush bush short_dry_grass tall_dry_grass firefly_bush leaf_litter cactus_flower", odds{60, 100}},
	{"sunflower lilac rose_bush peony tall_grass large_fern pitcher_plant", odds{60, 100}},
	{"dandelion golden_dandelion torchflower poppy blue_orchid allium azure_bluet *_tulip oxeye_daisy cornflower lily_of_the_valley wither_rose", odds{60, 100}},
	{"pink_petals wildflowers open_eyeblossom closed_eyeblossom spore_blossom big_dripleaf big_dripleaf_stem small_dripleaf sweet_berry_bush", odds{60, 100}},
	{"hay_block", odds{60, 20}},
	{"target", odds{15, 20}},
	{"pale_moss_block pale_moss_carpet pale_hanging_moss", odds{5, 100}},
	{"moss_carpet", odds{}},
	{"*_carpet", odds{60, 20}},
	{"bamboo scaffolding", odds{60, 60}},
	{"cave_vines cave_vines_plant", odds{15, 60}},
}

var pushes = rules[block.PushReaction]{
	{"bedrock obsidian crying_obsidian respawn_anchor reinforced_deepslate barrier end_portal_frame", block.PushBlocked},
	{"piston_head moving_piston nether_portal light grindstone lodestone", block.PushBlocked},
	// Blocks with a block entity stay where they are, but for those that
	// break.
	{"dispenser dropper furnace smoker blast_furnace chest trapped_chest ender_chest *copper_chest hopper barrel crafter brewing_stand", block.PushBlocked},
	{"enchanting_table beacon spawner trial_spawner vault jukebox lectern daylight_detector", block.PushBlocked},
	{"command_block repeating_command_block chain_command_block structure_block jigsaw test_block test_instance_block end_portal end_gateway", block.PushBlocked},
	{"*_sign *_banner campfire soul_campfire bee_nest beehive conduit creaking_heart chiseled_bookshelf *_shelf", block.PushBlocked},
	{"sculk_sensor calibrated_sculk_sensor sculk_catalyst sculk_shrieker potent_sulfur *copper_golem_statue", block.PushBlocked},
	{"*_glazed_terracotta", block.PushOnlyMoves},
	{"*shulker_box *_bed *_door *_button *_pressure_plate lever *torch ladder", block.PushDestroys},
	{"*_skull *_head decorated_pot suspicious_sand suspicious_gravel bell flower_pot potted_* cake *candle_cake *candle", block.PushDestroys},
	{"water lava bubble_column fire soul_fire cobweb snow structure_void", block.PushDestroys},
	{"redstone_wire repeater comparator tripwire tripwire_hook lantern soul_lantern *copper_lantern", block.PushDestroys},
	{"*_sapling mangrove_propagule *_leaves short_grass fern dead_bush bush short_dry_grass tall_dry_grass seagrass tall_seagrass firefly_bush leaf_litter cactus cactus_flower", block.PushDestroys},
	{"sunflower lilac rose_bush peony tall_grass large_fern pitcher_plant pitcher_crop torchflower_crop", block.PushDestroys},
	{"dandelion golden_dandelion torchflower poppy blue_orchid allium azure_bluet *_tulip oxeye_daisy cornflower lily_of_the_valley wither_rose", block.PushDestroys},
	{"pink_petals wildflowers open_eyeblossom closed_eyeblossom spore_blossom big_dripleaf big_dripleaf_stem small_dripleaf sweet_berry_bush", block.PushDestroys},
	{"brown_mushroom red_mushroom wheat carrots potatoes beetroots *pumpkin_stem *melon_stem pumpkin carved_pumpkin jack_o_lantern melon cocoa nether_wart sugar_cane lily_pad vine glow_lichen resin_clump sculk_vein", block.PushDestroys},
	{"kelp kelp_plant *_coral *_coral_fan *_coral_wall_fan sea_pickle turtle_egg frogspawn dragon_egg", block.PushDestroys},
	{"bamboo scaffolding azalea flowering_azalea moss_block moss_carpet pale_moss_block pale_moss_carpet pale_hanging_moss hanging_roots cave_vines cave_vines_plant", block.PushDestroys},
	{"weeping_vines weeping_vines_plant twisting_vines twisting_vines_plant crimson_fungus warped_fungus crimson_roots warped_roots nether_sprouts", block.PushDestroys},
	{"chorus_plant chorus_flower amethyst_cluster *_amethyst_bud budding_amethyst pointed_dripstone sulfur_spike", block.PushDestroys},
}
