package nether

import (
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
)

// vegetation is the feature nether_forest_vegetation: plants on nylium.
type vegetation struct {
	state         feature.Provider
	width, height int
	ground        *feature.Blocks
	survival      *feature.Survival
}

func newVegetation(l *feature.Loader, config provider.Value) (feature.Feature, error) {
	f := vegetation{}
	var err error
	if f.state, err = l.MemberProvider(config, "state_provider"); err != nil {
		return nil, err
	}
	if f.width, err = number(config, "spread_width", 1, maxSpread); err != nil {
		return nil, err
	}
	if f.height, err = number(config, "spread_height", 1, maxSpread); err != nil {
		return nil, err
	}
	if f.ground, err = l.NamedTag(config, "minecraft:nylium"); err != nil {
		return nil, err
	}
	f.survival, err = l.Survival()
	return f, err
}

func (f vegetation) Place(c *feature.Context, x, y, z int) bool {
	if !f.ground.Has(c.Block(x, y-1, z)) || y <= c.MinY() || y+1 >= c.Top() {
		return false
	}
	placed := false
	for range f.width * f.width {
		px := x + around(c.Random, f.width)
		py := y + around(c.Random, f.height)
		pz := z + around(c.Random, f.width)
		plant, ok := f.state.State(c, px, py, pz)
		if ok && py > c.MinY() && empty(c, px, py, pz) && f.survival.Survives(c.View, plant, px, py, pz) {
			c.Set(px, py, pz, plant)
			placed = true
		}
	}
	return placed
}
