package end

import (
	"math"

	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
)

// island is the feature end_island: discs that shrink downwards.
type island struct{}

func newIsland(*feature.Loader, provider.Value) (feature.Feature, error) { return island{}, nil }

func (island) Place(c *feature.Context, x, y, z int) bool {
	radius := float32(c.Random.IntN(3)) + 4
	for radius > 0.5 {
		out := int(math.Ceil(float64(radius)))
		most := float32((radius + 1) * (radius + 1))
		for dx := -out; dx <= out; dx++ {
			for dz := -out; dz <= out; dz++ {
				if float32(dx*dx+dz*dz) <= most {
					c.Set(x+dx, y, z+dz, block.EndStone.Default())
				}
			}
		}
		y--
		radius -= float32(c.Random.IntN(2)) + 0.5
	}
	return true
}
