package cave

import (
	"maps"

	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
)

var factories = map[string]feature.Factory{
	"minecraft:dripstone_cluster":  newDripstoneCluster,
	"minecraft:large_dripstone":    newLarge,
	"minecraft:multiface_growth":   newGrowth,
	"minecraft:pointed_dripstone":  newPointedDripstone,
	"minecraft:sculk_patch":        newSculk,
	"minecraft:speleothem":         newSpeleothem,
	"minecraft:speleothem_cluster": newCluster,
}

// Factories returns the factories of the features of this package, by type. The
// map is the caller's, to add others to.
func Factories() map[string]feature.Factory { return maps.Clone(factories) }

// place is a place of a block.
type place struct{ x, y, z int }

// steps are the directions as vectors.
var steps = [...]place{{0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}, {-1, 0, 0}, {1, 0, 0}}

// to returns the place beside a place.
func (p place) to(d block.Direction) place {
	step := &steps[d]
	return place{p.x + step.x, p.y + step.y, p.z + step.z}
}

// above and below return the places above and below.
func (p place) above() place { return place{p.x, p.y + 1, p.z} }
func (p place) below() place { return place{p.x, p.y - 1, p.z} }

// at returns the block of a place.
func at(c *feature.Context, p place) block.State { return c.Block(p.x, p.y, p.z) }

// set sets the block of a place.
func set(c *feature.Context, p place, s block.State) bool { return c.Set(p.x, p.y, p.z, s) }

// The directions in the orders in which the game goes through them.
var (
	all        = [6]block.Direction{block.Down, block.Up, block.North, block.South, block.West, block.East}
	horizontal = [4]block.Direction{block.North, block.East, block.South, block.West}
)

// hollow reports whether a block is air or water.
func hollow(s block.State) bool { return s.Air() || s.Block() == block.Water }

// holdsWater reports whether a block is or has water, flowing or not.
func holdsWater(s block.State) bool { return s.Fluid() == block.WaterFluid }

// source reports whether a block is or has a source of water.
func source(s block.State) bool { return holdsWater(s) && s.FluidSource() }

func abs(n int) int { return max(n, -n) }
