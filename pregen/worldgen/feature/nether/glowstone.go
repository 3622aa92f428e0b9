package nether

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
)

// glowstone is the feature glowstone_blob: it hangs from a ceiling and grows
// where one block of it touches.
type glowstone struct{}

func newGlowstone(*feature.Loader, provider.Value) (feature.Feature, error) { return glowstone{}, nil }

// glowstoneTries is how many places a blob tries to grow to.
const glowstoneTries = 1500

func isGlowstone(s block.State) bool { return s.Block() == block.Glowstone }

func (glowstone) Place(c *feature.Context, x, y, z int) bool {
	if !empty(c, x, y, z) {
		return false
	}
	switch c.Block(x, y+1, z).Block() {
	case block.Netherrack, block.Basalt, block.Blackstone:
	default:
		return false
	}
	c.Set(x, y, z, block.Glowstone.Default())
	for range glowstoneTries {
		px := x + around(c.Random, 8)
		py := y - int(c.Random.IntN(12))
		pz := z + around(c.Random, 8)
		if empty(c, px, py, pz) && touches(c, px, py, pz, isGlowstone) == 1 {
			c.Set(px, py, pz, block.Glowstone.Default())
		}
	}
	return true
}
