package tree

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
)

// mushroom is the feature of a huge mushroom.
type mushroom struct {
	cap, stem   feature.Provider
	ground      feature.Predicate
	replaceable *feature.Blocks
	radius      int // of the cap
	red         bool
}

func newRedMushroom(l *feature.Loader, config provider.Value) (feature.Feature, error) {
	return newMushroom(l, config, true)
}

func newBrownMushroom(l *feature.Loader, config provider.Value) (feature.Feature, error) {
	return newMushroom(l, config, false)
}

const mushroomTag = "minecraft:replaceable_by_mushrooms"

func newMushroom(l *feature.Loader, config provider.Value, red bool) (feature.Feature, error) {
	f := &mushroom{red: red}
	for name, to := range map[string]*feature.Provider{"cap_provider": &f.cap, "stem_provider": &f.stem} {
		var err error
		if *to, err = l.MemberProvider(config, name); err != nil {
			return nil, err
		}
	}
	member, err := config.Member("can_place_on")
	if err != nil {
		return nil, err
	}
	if f.ground, err = l.Predicate(member); err != nil {
		return nil, err
	}
	if f.radius, err = numberOr(config, "foliage_radius", 0, 16, 2); err != nil {
		return nil, err
	}
	f.replaceable, err = l.NamedTag(config, mushroomTag)
	return f, err
}

// Place builds a huge mushroom where nothing but leaves is in its way.
func (f *mushroom) Place(c *feature.Context, x, y, z int) bool {
	height := draw(c.Random, 3) + 4
	if c.Random.IntN(12) == 0 {
		height *= 2
	}
	foot := pos{x, y, z}
	if !f.fits(c, foot, height) {
		return false
	}
	if f.red {
		f.redCap(c, foot, height)
	} else {
		f.brownCap(c, foot, height)
	}
	for i := range height {
		f.put(c, foot.up(i), stateFor(c, f.stem, foot))
	}
	return true
}

func (f *mushroom) fits(c *feature.Context, foot pos, height int) bool {
	if foot.y < c.MinY()+1 || foot.y+height+1 >= c.Top() || !f.ground.Test(c.View, foot.x, foot.y-1, foot.z) {
		return false
	}
	for y := 0; y <= height; y++ {
		reach := 0
		if !f.red && y > 3 {
			reach = f.radius
		}
		for x := -reach; x <= reach; x++ {
			for z := -reach; z <= reach; z++ {
				if s := at(c, foot.offset(x, y, z)); !s.Air() && !s.Leaves() {
					return false
				}
			}
		}
	}
	return true
}

// put places a block where mushrooms may grow.
func (f *mushroom) put(c *feature.Context, p pos, s block.State) {
	if before := at(c, p); before.Air() || f.replaceable.Has(before) {
		c.Set(p.x, p.y, p.z, s)
	}
}

// faces gives a block of a cap its outer faces, if it has such.
func faces(s block.State, west, east, north, south bool) block.State {
	for _, side := range [...]struct {
		name  string
		outer bool
	}{{"west", west}, {"east", east}, {"north", north}, {"south", south}} {
		value := "false"
		if side.outer {
			value = "true"
		}
		with, ok := s.With(side.name, value)
		if !ok {
			return s
		}
		s = with
	}
	return s
}

// redCap is a lid above three layers of walls.
func (f *mushroom) redCap(c *feature.Context, foot pos, height int) {
	inner := f.radius - 2
	for y := height - 3; y <= height; y++ {
		reach := f.radius
		if y == height {
			reach--
		}
		for x := -reach; x <= reach; x++ {
			for z := -reach; z <= reach; z++ {
				if y < height && (abs(x) == reach) == (abs(z) == reach) {
					continue
				}
				s := faces(stateFor(c, f.cap, foot), x < -inner, x > inner, z < -inner, z > inner)
				value := "false"
				if y >= height-1 {
					value = "true"
				}
				if with, ok := s.With("up", value); ok {
					s = with
				}
				f.put(c, foot.offset(x, y, z), s)
			}
		}
	}
}

// brownCap is a flat square without corners.
func (f *mushroom) brownCap(c *feature.Context, foot pos, height int) {
	reach := f.radius
	for x := -reach; x <= reach; x++ {
		for z := -reach; z <= reach; z++ {
			rimX, rimZ := abs(x) == reach, abs(z) == reach
			if rimX && rimZ {
				continue
			}
			s := faces(stateFor(c, f.cap, foot),
				x == -reach || rimZ && x == 1-reach, x == reach || rimZ && x == reach-1,
				z == -reach || rimX && z == 1-reach, z == reach || rimX && z == reach-1)
			f.put(c, foot.offset(x, height, z), s)
		}
	}
}
