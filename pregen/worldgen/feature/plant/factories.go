package plant

import (
	"maps"

	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/rng"
)

var factories = map[string]feature.Factory{
	"minecraft:bamboo":                       newBamboo,
	"minecraft:coral_claw":                   coralFactory(claw),
	"minecraft:coral_mushroom":               coralFactory(mushroom),
	"minecraft:coral_tree":                   coralFactory(branches),
	"minecraft:root_system":                  newRoots,
	"minecraft:sea_pickle":                   newPickles,
	"minecraft:vegetation_patch":             newPatch,
	"minecraft:vines":                        newVines,
	"minecraft:waterlogged_vegetation_patch": newPool,
}

// Factories returns the factories of the features of this package, by type. The
// map is the caller's, to add others to.
func Factories() map[string]feature.Factory { return maps.Clone(factories) }

// around draws a number from -(n-1) to n-1, those near 0 more often.
func around(r *rng.Worldgen, n int32) int {
	up := r.IntN(n)
	return int(up - r.IntN(n))
}

// side is one of the horizontal directions, in the game's order: clockwise from
// north.
type side int

// sides are all of them.
var sides = [4]side{0, 1, 2, 3}

// steps are the sides as vectors.
var steps = [4]struct{ x, z int }{{0, -1}, {1, 0}, {0, 1}, {-1, 0}}

// directions are the sides as directions of blocks.
var directions = [4]block.Direction{block.North, block.East, block.South, block.West}

// of returns the place beside a column.
func (s side) of(x, z int) (int, int) { return x + steps[s].x, z + steps[s].z }
