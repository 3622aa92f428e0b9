package rock

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
)

// platform is the feature void_start_platform: what players of the void stand on.
type platform struct{}

func newPlatform(*feature.Loader, provider.Value) (feature.Feature, error) { return platform{}, nil }

const (
	platformCenter = 8 // x and z
	platformAbove  = 3 // the place that is built at
	platformReach  = 16
)

func (platform) Place(c *feature.Context, x, y, z int) bool {
	if max(abs(x>>4), abs(z>>4)) > 1 {
		return true
	}
	x, y, z = x&^15, y+platformAbove, z&^15
	for pz := z; pz < z+16; pz++ {
		for px := x; px < x+16; px++ {
			if away := max(abs(px-platformCenter), abs(pz-platformCenter)); away == 0 {
				c.Set(px, y, pz, block.Cobblestone.Default())
			} else if away <= platformReach {
				c.Set(px, y, pz, block.Stone.Default())
			}
		}
	}
	return true
}
