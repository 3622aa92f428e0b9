package main

// Light: the sources give opacity and light of default states, and the
// occluding of blocks. What follows makes values of states from them.

// shapeForLight are the blocks whose shapes stop light at their sides. It is
// assumed: the sources do not say which blocks these are. Their occlusion
// shapes are their collision shapes, but for the snow layer.
var shapeForLight = rules[bool]{
	{"*_slab *_stairs", true},
	{"snow", true},
	{"farmland dirt_path", true},
	{"piston sticky_piston piston_head", true}, // bases while extended only
	{"enchanting_table end_portal_frame daylight_detector stonecutter lectern", true},
	{"sculk_sensor calibrated_sculk_sensor sculk_shrieker", true},
	{"*_shelf", true},
}

// opaque are blocks that let no light in though they occlude nothing.
var opaque = rules[bool]{
	{"tinted_glass", true},
}

// clearInWater are blocks through which sky light falls though they are full
// of water. Assumed.
var clearInWater = rules[bool]{
	{"*copper_grate", true},
}

// clingingPlants are full cubes to light with nothing on any side, a state
// that exists but does not last, and nothing otherwise.
var clingingPlants = rules[bool]{
	{"sculk_vein resin_clump", true},
}

// growsInWater are blocks without the property waterlogged that are water.
var growsInWater = rules[bool]{
	{"seagrass tall_seagrass kelp kelp_plant bubble_column", true},
}
