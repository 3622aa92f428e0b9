package registry

import "maps"

// substitutes are what stands in for an entry in a version that does not have
// it: by registry, the name and the other version's name, without namespace.
// They are chosen to look or sound alike and are assumed; particles take no
// options. What has no stand-in is left out on the wire: attributes, data
// components, block entity types.
//
// Blocks are those by which anvil/block gives states; items of blocks follow
// them.
var substitutes = map[string]map[string]string{
	"block": blockSubstitutes,
	"item": merged(blockSubstitutes, map[string]string{
		"music_disc_bounce":     "music_disc_cat",
		"sulfur_cube_bucket":    "pufferfish_bucket",
		"sulfur_cube_spawn_egg": "slime_spawn_egg",
	}),
	"command_argument_type": {"team_color": "color", "color": "team_color"},
	"damage_type":           {"sulfur_cube_hot": "hot_floor"},
	"entity_type":           {"sulfur_cube": "slime"},
	"jukebox_song":          {"bounce": "cat"},
	"particle_type": {
		"geyser":            "splash",
		"geyser_base":       "poof",
		"geyser_plume":      "cloud",
		"geyser_poof":       "poof",
		"noxious_gas":       "sneeze",
		"noxious_gas_cloud": "campfire_cosy_smoke",
		"sulfur_bubbles":    "bubble",
		"sulfur_cube_goo":   "item_slime",
	},
	"sound_event":    soundSubstitutes,
	"worldgen/biome": {"sulfur_caves": "dripstone_caves"},
}

var blockSubstitutes = map[string]string{
	"chiseled_cinnabar":        "chiseled_red_sandstone",
	"chiseled_sulfur":          "chiseled_sandstone",
	"cinnabar":                 "granite",
	"cinnabar_brick_slab":      "brick_slab",
	"cinnabar_brick_stairs":    "brick_stairs",
	"cinnabar_brick_wall":      "brick_wall",
	"cinnabar_bricks":          "bricks",
	"cinnabar_slab":            "granite_slab",
	"cinnabar_stairs":          "granite_stairs",
	"cinnabar_wall":            "granite_wall",
	"polished_cinnabar":        "polished_granite",
	"polished_cinnabar_slab":   "polished_granite_slab",
	"polished_cinnabar_stairs": "polished_granite_stairs",
	"polished_cinnabar_wall":   "granite_wall",
	"polished_sulfur":          "smooth_sandstone",
	"polished_sulfur_slab":     "smooth_sandstone_slab",
	"polished_sulfur_stairs":   "smooth_sandstone_stairs",
	"polished_sulfur_wall":     "sandstone_wall",
	"potent_sulfur":            "cut_sandstone",
	"sulfur":                   "sandstone",
	"sulfur_brick_slab":        "end_stone_brick_slab",
	"sulfur_brick_stairs":      "end_stone_brick_stairs",
	"sulfur_brick_wall":        "end_stone_brick_wall",
	"sulfur_bricks":            "end_stone_bricks",
	"sulfur_slab":              "sandstone_slab",
	"sulfur_spike":             "pointed_dripstone",
	"sulfur_stairs":            "sandstone_stairs",
	"sulfur_wall":              "sandstone_wall",
}

var soundSubstitutes = map[string]string{
	"block.cinnabar.break":                                  "block.stone.break",
	"block.cinnabar.fall":                                   "block.stone.fall",
	"block.cinnabar.hit":                                    "block.stone.hit",
	"block.cinnabar.place":                                  "block.stone.place",
	"block.cinnabar.step":                                   "block.stone.step",
	"block.potent_sulfur.break":                             "block.stone.break",
	"block.potent_sulfur.fall":                              "block.stone.fall",
	"block.potent_sulfur.geyser_continuous_eruption":        "block.bubble_column.upwards_ambient",
	"block.potent_sulfur.geyser_continuous_eruption_active": "block.bubble_column.upwards_ambient",
	"block.potent_sulfur.geyser_eruption":                   "block.bubble_column.upwards_ambient",
	"block.potent_sulfur.geyser_eruption_active":            "block.bubble_column.upwards_ambient",
	"block.potent_sulfur.hit":                               "block.stone.hit",
	"block.potent_sulfur.noxious_gas":                       "block.lava.extinguish",
	"block.potent_sulfur.place":                             "block.stone.place",
	"block.potent_sulfur.step":                              "block.stone.step",
	"block.sulfur.break":                                    "block.stone.break",
	"block.sulfur.fall":                                     "block.stone.fall",
	"block.sulfur.hit":                                      "block.stone.hit",
	"block.sulfur.place":                                    "block.stone.place",
	"block.sulfur.step":                                     "block.stone.step",
	"block.sulfur_spike.break":                              "block.pointed_dripstone.break",
	"block.sulfur_spike.fall":                               "block.pointed_dripstone.fall",
	"block.sulfur_spike.hit":                                "block.pointed_dripstone.hit",
	"block.sulfur_spike.land":                               "block.pointed_dripstone.land",
	"block.sulfur_spike.place":                              "block.pointed_dripstone.place",
	"block.sulfur_spike.step":                               "block.pointed_dripstone.step",
	"entity.small_sulfur_cube.death":                        "entity.slime.death_small",
	"entity.small_sulfur_cube.eat":                          "entity.generic.eat",
	"entity.small_sulfur_cube.hurt":                         "entity.slime.hurt_small",
	"entity.small_sulfur_cube.jump":                         "entity.slime.jump_small",
	"entity.small_sulfur_cube.squish":                       "entity.slime.squish_small",
	"entity.sulfur_cube.absorb":                             "entity.slime.attack",
	"entity.sulfur_cube.bounce":                             "entity.slime.jump",
	"entity.sulfur_cube.bouncy.hit":                         "entity.slime.hurt",
	"entity.sulfur_cube.bouncy.push":                        "entity.slime.squish",
	"entity.sulfur_cube.death":                              "entity.slime.death",
	"entity.sulfur_cube.eject":                              "entity.slime.attack",
	"entity.sulfur_cube.explosive.hit":                      "entity.slime.hurt",
	"entity.sulfur_cube.explosive.push":                     "entity.slime.squish",
	"entity.sulfur_cube.fast_flat.hit":                      "entity.slime.hurt",
	"entity.sulfur_cube.fast_flat.push":                     "entity.slime.squish",
	"entity.sulfur_cube.fast_sliding.hit":                   "entity.slime.hurt",
	"entity.sulfur_cube.fast_sliding.push":                  "entity.slime.squish",
	"entity.sulfur_cube.high_resistance.hit":                "entity.slime.hurt",
	"entity.sulfur_cube.high_resistance.push":               "entity.slime.squish",
	"entity.sulfur_cube.hot.hit":                            "entity.slime.hurt",
	"entity.sulfur_cube.hot.push":                           "entity.slime.squish",
	"entity.sulfur_cube.hurt":                               "entity.slime.hurt",
	"entity.sulfur_cube.jump":                               "entity.slime.jump",
	"entity.sulfur_cube.light.hit":                          "entity.slime.hurt",
	"entity.sulfur_cube.light.push":                         "entity.slime.squish",
	"entity.sulfur_cube.regular.hit":                        "entity.slime.hurt",
	"entity.sulfur_cube.regular.push":                       "entity.slime.squish",
	"entity.sulfur_cube.slow_bouncy.hit":                    "entity.slime.hurt",
	"entity.sulfur_cube.slow_bouncy.push":                   "entity.slime.squish",
	"entity.sulfur_cube.slow_flat.hit":                      "entity.slime.hurt",
	"entity.sulfur_cube.slow_flat.push":                     "entity.slime.squish",
	"entity.sulfur_cube.slow_sliding.hit":                   "entity.slime.hurt",
	"entity.sulfur_cube.slow_sliding.push":                  "entity.slime.squish",
	"entity.sulfur_cube.squish":                             "entity.slime.squish",
	"entity.sulfur_cube.sticky.hit":                         "entity.slime.hurt",
	"entity.sulfur_cube.sticky.push":                        "entity.slime.squish",
	"item.bucket.empty_sulfur_cube":                         "item.bucket.empty_axolotl",
	"item.bucket.fill_sulfur_cube":                          "item.bucket.fill_axolotl",
	"music.overworld.sulfur_caves":                          "music.overworld.dripstone_caves",
	"music_disc.bounce":                                     "music_disc.cat",
}

func merged(a, b map[string]string) map[string]string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}
