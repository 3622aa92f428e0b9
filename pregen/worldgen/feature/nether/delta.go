package nether

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
)

// delta is the feature delta_feature: a pool in flat ground with a rim on two
// sides.
type delta struct {
	contents, rim block.State
	size, rimSize provider.Int
}

func newDelta(l *feature.Loader, config provider.Value) (feature.Feature, error) {
	f := delta{}
	var err error
	if f.contents, err = state(l, config, "contents"); err != nil {
		return nil, err
	}
	if f.rim, err = state(l, config, "rim"); err != nil {
		return nil, err
	}
	if f.size, err = l.Int(config, "size", 0, 16); err != nil {
		return nil, err
	}
	f.rimSize, err = l.Int(config, "rim_size", 0, 16)
	return f, err
}

// rimChance is how often a delta has a rim at all.
const rimChance = 0.9

func (f delta) Place(c *feature.Context, x, y, z int) bool {
	offX, offZ := 0, 0
	if c.Random.Double() < rimChance {
		offX = int(f.rimSize.Sample(c.Random))
		offZ = int(f.rimSize.Sample(c.Random))
	}
	rimmed := offX != 0 && offZ != 0
	reachX := int(f.size.Sample(c.Random))
	reachZ := int(f.size.Sample(c.Random))
	most := max(reachX, reachZ)
	placed := false
	rings(reachX, 0, reachZ, func(dx, _, dz, distance int) bool {
		if distance > most {
			return false
		}
		if !f.fits(c, x+dx, y, z+dz) {
			return true
		}
		if rimmed {
			placed = true
			c.Set(x+dx, y, z+dz, f.rim)
		}
		if px, pz := x+dx+offX, z+dz+offZ; f.fits(c, px, y, pz) {
			placed = true
			c.Set(px, y, pz, f.contents)
		}
		return true
	})
	return placed
}

// fits reports whether a block may turn into a part of a delta: the sky alone
// touches it.
func (f delta) fits(c *feature.Context, x, y, z int) bool {
	id := c.Block(x, y, z).Block()
	if id == f.contents.Block() || id == block.Bedrock || built(id) {
		return false
	}
	for _, d := range sides {
		if empty(c, x+d[0], y+d[1], z+d[2]) != (d[1] == 1) {
			return false
		}
	}
	return true
}

// built reports whether a block is one of fortresses, which deltas and columns
// keep off.
func built(id block.ID) bool {
	switch id {
	case block.NetherBricks, block.NetherBrickFence, block.NetherBrickStairs, block.NetherWart, block.Chest, block.Spawner:
		return true
	}
	return false
}
