package rock

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
)

// blob is the feature block_blob: three small lumps of one block.
type blob struct {
	state block.State
	on    feature.Predicate // the ground
}

func newBlob(l *feature.Loader, config provider.Value) (feature.Feature, error) {
	f := blob{}
	var err error
	if f.state, err = l.MemberState(config, "state"); err != nil {
		return nil, err
	}
	f.on, err = l.MemberPredicate(config, "can_place_on")
	return f, err
}

func (f blob) Place(c *feature.Context, x, y, z int) bool {
	lowest := c.MinY() + 3
	for y > lowest && !f.on.Test(c.View, x, y-1, z) {
		y--
	}
	if y <= lowest {
		return false
	}
	for range 3 {
		rx, ry, rz := int(c.Random.IntN(2)), int(c.Random.IntN(2)), int(c.Random.IntN(2))
		radius := float32(float32(rx+ry+rz)*0.333) + 0.5
		f.lump(c, x, y, z, [3]int{rx, ry, rz}, float32(radius*radius))
		x += int(c.Random.IntN(2)) - 1
		y -= int(c.Random.IntN(2))
		z += int(c.Random.IntN(2)) - 1
	}
	return true
}

// lump sets the blocks of a box that are within a distance of its center, given
// by its square.
func (f blob) lump(c *feature.Context, x, y, z int, reach [3]int, square float32) {
	for dz := -reach[2]; dz <= reach[2]; dz++ {
		for dy := -reach[1]; dy <= reach[1]; dy++ {
			for dx := -reach[0]; dx <= reach[0]; dx++ {
				if float32(dx*dx+dy*dy+dz*dz) <= square {
					c.Set(x+dx, y+dy, z+dz, f.state)
				}
			}
		}
	}
}
