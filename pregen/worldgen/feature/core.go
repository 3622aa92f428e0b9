package feature

import "maps"

// core are the factories of this package.
var core = map[string]Factory{
	"minecraft:block_column":             newColumn,
	"minecraft:disk":                     newDisk,
	"minecraft:freeze_top_layer":         newFreeze,
	"minecraft:geode":                    newGeode,
	"minecraft:monster_room":             newDungeon,
	"minecraft:kelp":                     newKelp,
	"minecraft:lake":                     newLake,
	"minecraft:ore":                      newVein,
	"minecraft:random_boolean_selector":  newBooleanSelector,
	"minecraft:random_selector":          newRandomSelector,
	"minecraft:scattered_ore":            newScattered,
	"minecraft:seagrass":                 newSeagrass,
	"minecraft:sequence":                 newSequence,
	"minecraft:simple_block":             newSimpleBlock,
	"minecraft:simple_random_selector":   newSimpleSelector,
	"minecraft:spring_feature":           newSpring,
	"minecraft:underwater_magma":         newMagma,
	"minecraft:weighted_random_selector": newWeightedSelector,
}

// Core returns the factories of the features of this package, by type. The map
// is the caller's, to add others to.
func Core() map[string]Factory { return maps.Clone(core) }
