package nether

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
)

// pillar is the feature basalt_pillar: it falls from a ceiling to the ground
// and has a foot of rubble.
type pillar struct{}

func newPillar(*feature.Loader, provider.Value) (feature.Feature, error) { return pillar{}, nil }

// besides are the four horizontal directions as pillars ask for them.
var besides = [...][2]int{{0, -1}, {0, 1}, {-1, 0}, {1, 0}}

var basalt = block.Basalt.Default()

func (pillar) Place(c *feature.Context, x, y, z int) bool {
	if !empty(c, x, y, z) || empty(c, x, y+1, z) {
		return false
	}
	var frayed [len(besides)]bool // sides that have ended
	for ; empty(c, x, y, z); y-- {
		if c.Outside(y) {
			return true
		}
		c.Set(x, y, z, basalt)
		for i, d := range besides {
			if frayed[i] {
				continue
			}
			if c.Random.IntN(10) == 0 {
				frayed[i] = true
				continue
			}
			c.Set(x+d[0], y, z+d[1], basalt)
		}
	}
	for _, d := range besides {
		if c.Random.Bool() {
			c.Set(x+d[0], y+1, z+d[1], basalt)
		}
	}
	foot(c, x, y, z)
	return true
}

// foot places blocks around the foot of a pillar, fewer in the corners, each on
// the ground if that is at most three below.
func foot(c *feature.Context, x, y, z int) {
	for dx := -3; dx <= 3; dx++ {
		for dz := -3; dz <= 3; dz++ {
			if int(c.Random.IntN(10)) >= 10-abs(dx)*abs(dz) {
				continue
			}
			py := y
			for py > y-3 && empty(c, x+dx, py-1, z+dz) {
				py--
			}
			if !empty(c, x+dx, py-1, z+dz) {
				c.Set(x+dx, py, z+dz, basalt)
			}
		}
	}
}
