package rock

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
)

// pile is the feature block_pile, such as the hay of villages.
type pile struct{ state feature.Provider }

func newPile(l *feature.Loader, config provider.Value) (feature.Feature, error) {
	state, err := l.MemberProvider(config, "state_provider")
	return pile{state}, err
}

func (f pile) Place(c *feature.Context, x, y, z int) bool {
	if y < c.MinY()+5 {
		return false
	}
	radiusX := int(c.Random.IntN(2)) + 2
	radiusZ := int(c.Random.IntN(2)) + 2
	for dz := -radiusZ; dz <= radiusZ; dz++ {
		for dy := range 2 {
			for dx := -radiusX; dx <= radiusX; dx++ {
				far := float32(c.Random.Float() * 10)
				far -= float32(c.Random.Float() * 6)
				if float32(dx*dx+dz*dz) <= far || c.Random.Float() < 0.031 {
					f.set(c, x+dx, y+dy, z+dz)
				}
			}
		}
	}
	return true
}

// set sets a block of the pile, if it can lie there.
func (f pile) set(c *feature.Context, x, y, z int) {
	if !c.Block(x, y, z).Air() {
		return
	}
	if below := c.Block(x, y-1, z); below.Block() == block.DirtPath {
		if !c.Random.Bool() {
			return
		}
	} else if !feature.Sturdy(below, block.Up) {
		return
	}
	if state, ok := f.state.State(c, x, y, z); ok {
		c.Set(x, y, z, state)
	}
}
