package nether

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
)

// columns is the feature basalt_columns: mounds of columns, lower the farther
// from the middle.
type columns struct{ height, reach provider.Int }

func newColumns(l *feature.Loader, config provider.Value) (feature.Feature, error) {
	f := columns{}
	var err error
	if f.height, err = l.Int(config, "height", 1, 10); err != nil {
		return nil, err
	}
	f.reach, err = l.Int(config, "reach", 0, 3)
	return f, err
}

// The mounds of a place: mostly many close together, sometimes few far apart.
const (
	closeChance                = 0.9
	closeMounds, fewMounds     = 50, 15
	closeDistance, farDistance = 5, 8
)

func (f columns) Place(c *feature.Context, x, y, z int) bool {
	if !standsOn(c, x, y, z) {
		return false
	}
	height := int(f.height.Sample(c.Random))
	mounds, away := fewMounds, farDistance
	if c.Random.Float() < closeChance {
		mounds, away = closeMounds, closeDistance
	}
	away = min(away, height)
	placed := false
	for range mounds {
		dx := int(c.Random.IntN(int32(2*away+1))) - away
		c.Random.IntN(1) // of y, along which there is no choice
		dz := int(c.Random.IntN(int32(2*away+1))) - away
		if left := height - abs(dx) - abs(dz); left >= 0 {
			placed = mound(c, x+dx, y, z+dz, left, int(f.reach.Sample(c.Random))) || placed
		}
	}
	return placed
}

// mound builds the columns around the highest one.
func mound(c *feature.Context, x, y, z, height, reach int) bool {
	placed := false
	for pz := z - reach; pz <= z+reach; pz++ {
		for px := x - reach; px <= x+reach; px++ {
			distance := abs(px-x) + abs(pz-z)
			find := firstAir
			if open(c, px, y, pz) {
				find = surface
			}
			if base, ok := find(c, px, y, pz, distance); ok && raise(c, px, base, pz, height-distance/2+1) {
				placed = true
			}
		}
	}
	return placed
}

// raise builds a column of a number of blocks, counting those that are there.
func raise(c *feature.Context, x, y, z, blocks int) bool {
	placed := false
	for ; blocks > 0; blocks-- {
		switch {
		case open(c, x, y, z):
			c.Set(x, y, z, basalt)
			placed = true
		case c.Block(x, y, z).Block() != block.Basalt:
			return placed
		}
		y++
	}
	return placed
}

// surface returns the first y at or below a place that a column can stand at,
// of as many as there are steps.
func surface(c *feature.Context, x, y, z, steps int) (int, bool) {
	for ; y > c.MinY()+1 && steps > 0; steps-- {
		if standsOn(c, x, y, z) {
			return y, true
		}
		y--
	}
	return 0, false
}

// firstAir returns the first y at or above a place that is air, of as many as
// there are steps, unless what must not bear columns is before it.
func firstAir(c *feature.Context, x, y, z, steps int) (int, bool) {
	for ; y < c.Top() && steps > 0; steps-- {
		s := c.Block(x, y, z)
		if bearsNone(s.Block()) {
			return 0, false
		}
		if s.Air() {
			return y, true
		}
		y++
	}
	return 0, false
}

// open reports whether a place is air or in the sea of lava.
func open(c *feature.Context, x, y, z int) bool {
	s := c.Block(x, y, z)
	return s.Air() || s.Block() == block.Lava && y <= c.SeaLevel()
}

// standsOn reports whether a column can begin at a place.
func standsOn(c *feature.Context, x, y, z int) bool {
	if !open(c, x, y, z) {
		return false
	}
	below := c.Block(x, y-1, z)
	return !below.Air() && !bearsNone(below.Block())
}

// bearsNone reports whether columns keep off a block.
func bearsNone(id block.ID) bool {
	switch id {
	case block.Lava, block.Bedrock, block.MagmaBlock, block.SoulSand:
		return true
	}
	return built(id)
}
