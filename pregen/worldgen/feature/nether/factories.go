package nether

import (
	"maps"

	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
)

// factories are those of this package.
var factories = map[string]feature.Factory{
	"minecraft:basalt_columns":           newColumns,
	"minecraft:basalt_pillar":            newPillar,
	"minecraft:delta_feature":            newDelta,
	"minecraft:glowstone_blob":           newGlowstone,
	"minecraft:nether_forest_vegetation": newVegetation,
	"minecraft:netherrack_replace_blobs": newBlob,
	"minecraft:twisting_vines":           newTwisting,
	"minecraft:weeping_vines":            newWeeping,
}

// Factories returns the factories of the features of this package, by type. The
// map is the caller's.
func Factories() map[string]feature.Factory { return maps.Clone(factories) }

// The largest values of configs that the game does not bound.
const (
	maxSpread = 64
	maxVine   = 512
)

// number reads a member that is an integer.
func number(v provider.Value, name string, low, high int32) (int, error) {
	member, err := v.Member(name)
	if err != nil {
		return 0, err
	}
	n, err := member.Int(low, high)
	return int(n), err
}

// state reads a member that is a block state.
func state(l *feature.Loader, v provider.Value, name string) (block.State, error) {
	member, err := v.Member(name)
	if err != nil {
		return 0, err
	}
	return l.State(member)
}

// between draws from low to high. As in the game nothing is drawn if there is no
// choice.
func between(r *rng.Worldgen, low, high int) int {
	if low >= high {
		return low
	}
	return low + int(r.IntN(int32(high-low+1)))
}

// around draws how far a place lies from the middle of a patch: up to n-1 to
// either side, near it more often.
func around(r *rng.Worldgen, n int) int {
	away := r.IntN(int32(n))
	return int(away - r.IntN(int32(n)))
}

// sides are the six directions in the game's order.
var sides = [...][3]int{{0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}, {-1, 0, 0}, {1, 0, 0}}

func empty(c *feature.Context, x, y, z int) bool { return c.Block(x, y, z).Air() }

// touches counts the sides of a place that a kind of block is at, up to two.
func touches(c *feature.Context, x, y, z int, kind func(block.State) bool) int {
	n := 0
	for _, d := range sides {
		if kind(c.Block(x+d[0], y+d[1], z+d[2])) {
			if n++; n == 2 {
				break
			}
		}
	}
	return n
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
