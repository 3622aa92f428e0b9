package nether

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
)

// blob is the feature netherrack_replace_blobs.
type blob struct {
	target block.ID
	state  block.State
	radius provider.Int
}

func newBlob(l *feature.Loader, config provider.Value) (feature.Feature, error) {
	target, err := state(l, config, "target")
	if err != nil {
		return nil, err
	}
	f := blob{target: target.Block()}
	if f.state, err = state(l, config, "state"); err != nil {
		return nil, err
	}
	f.radius, err = l.Int(config, "radius", 0, 12)
	return f, err
}

func (f blob) Place(c *feature.Context, x, y, z int) bool {
	y = min(max(y, c.MinY()+1), c.Top()-1)
	for ; y > c.MinY()+1 && c.Block(x, y, z).Block() != f.target; y-- {
	}
	if y <= c.MinY()+1 { // the lowest is not looked at
		return false
	}
	reachX := int(f.radius.Sample(c.Random))
	reachY := int(f.radius.Sample(c.Random))
	reachZ := int(f.radius.Sample(c.Random))
	most := max(reachX, reachY, reachZ)
	placed := false
	// The order does not show: each block is asked about itself alone.
	for dx := -reachX; dx <= reachX; dx++ {
		for dz := -reachZ; dz <= reachZ; dz++ {
			high := min(reachY, most-abs(dx)-abs(dz))
			for dy := -high; dy <= high; dy++ {
				if c.Block(x+dx, y+dy, z+dz).Block() == f.target {
					c.Set(x+dx, y+dy, z+dz, f.state)
					placed = true
				}
			}
		}
	}
	return placed
}
