package rock

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
)

// spike is the feature spike: those of ice.
type spike struct {
	state       block.State
	on, replace feature.Predicate
}

func newSpike(l *feature.Loader, config provider.Value) (feature.Feature, error) {
	f := spike{}
	var err error
	if f.state, err = l.MemberState(config, "state"); err != nil {
		return nil, err
	}
	if f.on, err = l.MemberPredicate(config, "can_place_on"); err != nil {
		return nil, err
	}
	f.replace, err = l.MemberPredicate(config, "can_replace")
	return f, err
}

func (f spike) Place(c *feature.Context, x, y, z int) bool {
	for y > c.MinY()+2 && c.Block(x, y, z).Air() {
		y--
	}
	if !f.on.Test(c.View, x, y, z) {
		return false
	}
	y += int(c.Random.IntN(4))
	height := int(c.Random.IntN(4)) + 7
	width := height/4 + int(c.Random.IntN(2))
	if width > 1 && c.Random.IntN(60) == 0 {
		y += int(c.Random.IntN(30)) + 10
	}
	f.body(c, x, y, z, height, width)
	f.roots(c, x, y, z, min(max(width-1, 0), 1))
	return true
}

// body sets a cone and, if it is wide, its reflection below.
func (f spike) body(c *feature.Context, x, y, z, height, width int) {
	for dy := range height {
		radius := float32((1 - float32(float32(dy)/float32(height))) * float32(width))
		reach := ceil(radius)
		for dx := -reach; dx <= reach; dx++ {
			for dz := -reach; dz <= reach; dz++ {
				ax, az := float32(abs(dx))-0.25, float32(abs(dz))-0.25
				if (dx != 0 || dz != 0) && float32(ax*ax)+float32(az*az) > float32(radius*radius) {
					continue
				}
				if (abs(dx) == reach || abs(dz) == reach) && c.Random.Float() > 0.75 {
					continue
				}
				f.set(c, x+dx, y+dy, z+dz)
				if dy != 0 && reach > 1 {
					f.set(c, x+dx, y-dy, z+dz)
				}
			}
		}
	}
}

func (f spike) set(c *feature.Context, x, y, z int) {
	if c.Block(x, y, z).Air() || f.replace.Test(c.View, x, y, z) {
		c.Set(x, y, z, f.state)
	}
}

const (
	rootLength = 50 // of the inner roots without a gap
	rootsEnd   = 50 // y that roots do not reach
)

// roots sets columns below, the outer ones with gaps.
func (f spike) roots(c *feature.Context, x, y, z, reach int) {
	for dx := -reach; dx <= reach; dx++ {
		for dz := -reach; dz <= reach; dz++ {
			left := rootLength
			if abs(dx) == 1 && abs(dz) == 1 {
				left = int(c.Random.IntN(5))
			}
			for py := y - 1; py > rootsEnd; py-- {
				before := c.Block(x+dx, py, z+dz)
				if !before.Air() && before != f.state && !f.replace.Test(c.View, x+dx, py, z+dz) {
					break
				}
				c.Set(x+dx, py, z+dz, f.state)
				if left--; left <= 0 {
					py -= int(c.Random.IntN(5)) + 1
					left = int(c.Random.IntN(5))
				}
			}
		}
	}
}
