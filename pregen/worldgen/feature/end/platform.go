package end

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
)

// platform is the feature end_platform: a floor of obsidian with air above.
type platform struct{}

func newPlatform(*feature.Loader, provider.Value) (feature.Feature, error) { return platform{}, nil }

func (platform) Place(c *feature.Context, x, y, z int) bool {
	for dz := -2; dz <= 2; dz++ {
		for dx := -2; dx <= 2; dx++ {
			for dy := -1; dy < 3; dy++ {
				want := block.Air
				if dy == -1 {
					want = block.Obsidian
				}
				if c.Block(x+dx, y+dy, z+dz).Block() != want {
					c.Set(x+dx, y+dy, z+dz, want.Default())
				}
			}
		}
	}
	return true
}
