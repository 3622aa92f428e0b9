package main

// What blocks motion follows the size of the collision shape; these lists are
// the blocks for which the game says otherwise. They are assumed: no source
// has them.

// solid says whether a block blocks motion whatever its shape.
var solid = rules[bool]{
	{"*_sign *_banner *_pressure_plate *shulker_box moving_piston", true},
	{"bamboo amethyst_cluster *_amethyst_bud", true},
	{"*_chain lantern soul_lantern *copper_lantern pointed_dripstone sulfur_spike *lightning_rod", true},
	{"sculk_vein conduit turtle_egg bell cake *candle_cake", true},
	{"dead_*_coral dead_*_coral_fan dead_*_coral_wall_fan", true},
	{"cobweb bamboo_sapling", false},
	{"ladder end_rod snow azalea flowering_azalea big_dripleaf chorus_plant chorus_flower", false},
	// Their shapes depend on who looks.
	{"scaffolding powder_snow", false},
}

// solidSize is the mean extent of a shape's bounds from which it is solid: a
// trapdoor's. So is a shape as high as a block.
const solidSize = (1 + 1 + 3.0/16) / 3
