package main

// modelOf names for each block new in 26.2 the older block that its facts are
// taken from, since no source has them: shapes, light, hardness, resistance,
// the need of a tool. All are of the stone class. Assumed. It is also what a
// version without the block shows.
var modelOf = map[string]string{
	"sulfur":                 "sandstone",
	"sulfur_slab":            "sandstone_slab",
	"sulfur_stairs":          "sandstone_stairs",
	"sulfur_wall":            "sandstone_wall",
	"polished_sulfur":        "smooth_sandstone",
	"polished_sulfur_slab":   "smooth_sandstone_slab",
	"polished_sulfur_stairs": "smooth_sandstone_stairs",
	"polished_sulfur_wall":   "sandstone_wall",
	"sulfur_bricks":          "end_stone_bricks",
	"sulfur_brick_slab":      "end_stone_brick_slab",
	"sulfur_brick_stairs":    "end_stone_brick_stairs",
	"sulfur_brick_wall":      "end_stone_brick_wall",
	"chiseled_sulfur":        "chiseled_sandstone",
	"potent_sulfur":          "cut_sandstone",
	"sulfur_spike":           "pointed_dripstone",

	"cinnabar":                 "granite",
	"cinnabar_slab":            "granite_slab",
	"cinnabar_stairs":          "granite_stairs",
	"cinnabar_wall":            "granite_wall",
	"polished_cinnabar":        "polished_granite",
	"polished_cinnabar_slab":   "polished_granite_slab",
	"polished_cinnabar_stairs": "polished_granite_stairs",
	"polished_cinnabar_wall":   "granite_wall",
	"cinnabar_bricks":          "bricks",
	"cinnabar_brick_slab":      "brick_slab",
	"cinnabar_brick_stairs":    "brick_stairs",
	"cinnabar_brick_wall":      "brick_wall",
	"chiseled_cinnabar":        "chiseled_red_sandstone",
}

// strengthOf is the hardness and resistance of the new blocks, since those of
// the blocks they look like differ from stone. Assumed: that of tuff, which
// the other decorative stones of caves share.
const strengthOf = "tuff"
