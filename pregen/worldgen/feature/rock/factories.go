package rock

import (
	"maps"

	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
)

var factories = map[string]feature.Factory{
	"minecraft:block_blob":          newBlob,
	"minecraft:block_pile":          newPile,
	"minecraft:blue_ice":            newBlueIce,
	"minecraft:bonus_chest":         newBonusChest,
	"minecraft:desert_well":         newWell,
	"minecraft:iceberg":             newIceberg,
	"minecraft:spike":               newSpike,
	"minecraft:void_start_platform": newPlatform,
}

// Factories returns the factories of the features of this package, by type. The
// map is the caller's, to add others to.
func Factories() map[string]feature.Factory { return maps.Clone(factories) }

// beside are the four horizontal directions in the game's order.
var beside = [4]struct{ x, z int }{{0, -1}, {1, 0}, {0, 1}, {-1, 0}}

// isWater reports whether a block is water, not merely has some.
func isWater(s block.State) bool { return s.Block() == block.Water }

// ceil is the least integer that is not below a number.
func ceil(v float32) int {
	n := int(v)
	if float32(n) < v {
		n++
	}
	return n
}

func abs(n int) int { return max(n, -n) }
