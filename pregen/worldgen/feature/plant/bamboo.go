package plant

import (
	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
)

// bamboo is the feature bamboo: a stem, and maybe podzol around it.
type bamboo struct {
	podzol   float32 // chance
	ground   *feature.Blocks
	survival *feature.Survival
}

// The states of a stem, from the ground up.
var (
	stem      = block.MustParse("minecraft:bamboo[age=1,leaves=none,stage=0]")
	stemTop   = block.MustParse("minecraft:bamboo[age=1,leaves=large,stage=1]")
	stemLarge = block.MustParse("minecraft:bamboo[age=1,leaves=large,stage=0]")
	stemSmall = block.MustParse("minecraft:bamboo[age=1,leaves=small,stage=0]")
)

func newBamboo(l *feature.Loader, config provider.Value) (feature.Feature, error) {
	f := bamboo{}
	var err error
	if f.podzol, err = feature.Float(config, "probability", 0, 1); err != nil {
		return nil, err
	}
	if f.ground, err = l.OptionalTag("minecraft:beneath_bamboo_podzol_replaceable"); err != nil {
		return nil, err
	}
	f.survival, err = l.Survival()
	return f, err
}

func (f bamboo) Place(c *feature.Context, x, y, z int) bool {
	if !c.Block(x, y, z).Air() {
		return false
	}
	if !f.survival.Survives(c.View, stem, x, y, z) {
		return true
	}
	height := int(c.Random.IntN(12)) + 5
	if c.Random.Float() < f.podzol {
		f.spread(c, x, z)
	}
	top := y
	for top < y+height && c.Block(x, top, z).Air() {
		c.Set(x, top, z, stem)
		top++
	}
	if top-y >= 3 {
		// The tip takes the place of what stopped the stem.
		c.Set(x, top, z, stemTop)
		c.Set(x, top-1, z, stemLarge)
		c.Set(x, top-2, z, stemSmall)
	}
	return true
}

// spread turns the ground around to podzol.
func (f bamboo) spread(c *feature.Context, x, z int) {
	radius := int(c.Random.IntN(4)) + 1
	for px := x - radius; px <= x+radius; px++ {
		for pz := z - radius; pz <= z+radius; pz++ {
			if dx, dz := px-x, pz-z; dx*dx+dz*dz > radius*radius {
				continue
			}
			py := c.Height(chunk.WorldSurface, px, pz) - 1
			if f.ground.Has(c.Block(px, py, pz)) {
				c.Set(px, py, pz, block.Podzol.Default())
			}
		}
	}
}
