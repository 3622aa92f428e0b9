package plant

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
)

// coral is what the features coral_tree, coral_claw and coral_mushroom have in
// common: one kind of block, with plants of corals on it.
type coral struct {
	blocks, plants, fans []block.State // of the tags, in their order
	soft                 *feature.Blocks
	build                func(f *coral, c *feature.Context, state block.State, x, y, z int) bool
}

func coralFactory(build func(f *coral, c *feature.Context, state block.State, x, y, z int) bool) feature.Factory {
	return func(l *feature.Loader, config provider.Value) (feature.Feature, error) {
		f := &coral{build: build}
		for tag, list := range map[string]*[]block.State{"coral_blocks": &f.blocks, "corals": &f.plants, "wall_corals": &f.fans} {
			names, err := l.Source().Tag("block", "minecraft:"+tag)
			if err != nil {
				return nil, config.Errorf("block tag: %v", err)
			}
			for _, name := range names {
				id, ok := block.Find(name)
				if !ok {
					return nil, config.Errorf("no block %s", name)
				}
				*list = append(*list, id.Default())
			}
		}
		var err error
		f.soft, err = l.OptionalTag("minecraft:corals")
		return f, err
	}
}

// choose draws one of a list; 0 of an empty one.
func choose(r *rng.Worldgen, list []block.State) block.State {
	if len(list) == 0 {
		return 0
	}
	return list[r.IntN(int32(len(list)))]
}

func (f *coral) Place(c *feature.Context, x, y, z int) bool {
	state := choose(c.Random, f.blocks)
	return state != 0 && f.build(f, c, state, x, y, z)
}

// set sets a block of coral in water, and what grows on it.
func (f *coral) set(c *feature.Context, state block.State, x, y, z int) bool {
	if before := c.Block(x, y, z); before.Block() != block.Water && !f.soft.Has(before) {
		return false
	}
	if c.Block(x, y+1, z).Block() != block.Water {
		return false
	}
	c.Set(x, y, z, state)
	if c.Random.Float() < 0.25 {
		if plant := choose(c.Random, f.plants); plant != 0 {
			c.Set(x, y+1, z, plant)
		}
	} else if c.Random.Float() < 0.05 {
		c.Set(x, y+1, z, pickles[c.Random.IntN(4)])
	}
	for _, s := range sides {
		if c.Random.Float() >= 0.2 {
			continue
		}
		px, pz := s.of(x, z)
		if c.Block(px, y, pz).Block() != block.Water {
			continue
		}
		if fan := choose(c.Random, f.fans); fan != 0 {
			if turned, ok := fan.With("facing", directions[s].String()); ok {
				fan = turned
			}
			c.Set(px, y, pz, fan)
		}
	}
	return true
}

// branches builds a trunk with branches.
func branches(f *coral, c *feature.Context, state block.State, x, y, z int) bool {
	for range c.Random.IntN(3) + 1 {
		if !f.set(c, state, x, y, z) {
			return true
		}
		y++
	}
	count := c.Random.IntN(3) + 2
	order := sides
	rng.Shuffle(c.Random, order[:])
	for _, s := range order[:count] {
		px, pz := s.of(x, z)
		py, straight := y, 0
		for i := range c.Random.IntN(5) + 2 {
			if !f.set(c, state, px, py, pz) {
				break
			}
			straight++
			py++
			if i == 0 || straight >= 2 && c.Random.Float() < 0.25 {
				px, pz = s.of(px, pz)
				straight = 0
			}
		}
	}
	return true
}

// claw builds fingers that bend one way.
func claw(f *coral, c *feature.Context, state block.State, x, y, z int) bool {
	if !f.set(c, state, x, y, z) {
		return false
	}
	ahead := side(c.Random.IntN(4))
	fingers := c.Random.IntN(2) + 2
	order := [3]side{ahead, (ahead + 1) & 3, (ahead + 3) & 3}
	rng.Shuffle(c.Random, order[:])
	for _, s := range order[:fingers] {
		px, pz := s.of(x, z)
		f.finger(c, state, px, y, pz, s, ahead)
	}
	return true
}

// finger builds a finger that goes to a side or up, and then ahead.
func (f *coral) finger(c *feature.Context, state block.State, x, y, z int, to, ahead side) {
	first := c.Random.IntN(2) + 1
	rising := false
	var second int32
	if to == ahead {
		second = c.Random.IntN(3) + 2
	} else {
		y++
		rising = c.Random.IntN(2) != 0
		second = c.Random.IntN(3) + 3
	}
	dx, dy, dz := steps[to].x, 0, steps[to].z
	if rising {
		dx, dy, dz = 0, 1, 0
	}
	for range first {
		if !f.set(c, state, x, y, z) {
			break
		}
		x, y, z = x+dx, y+dy, z+dz
	}
	x, y, z = x-dx, y-dy+1, z-dz
	for range second {
		x, z = ahead.of(x, z)
		if !f.set(c, state, x, y, z) {
			break
		}
		if c.Random.Float() < 0.25 {
			y++
		}
	}
}

// mushroom builds the faces of a box, without its edges.
func mushroom(f *coral, c *feature.Context, state block.State, x, y, z int) bool {
	height := int(c.Random.IntN(3)) + 3
	width := int(c.Random.IntN(3)) + 3
	length := int(c.Random.IntN(3)) + 3
	y -= int(c.Random.IntN(3)) + 1
	for dx := 0; dx <= width; dx++ {
		for dy := 0; dy <= height; dy++ {
			for dz := 0; dz <= length; dz++ {
				ends := 0
				for _, end := range [...]bool{dx == 0 || dx == width, dy == 0 || dy == height, dz == 0 || dz == length} {
					if end {
						ends++
					}
				}
				if ends == 1 && c.Random.Float() >= 0.1 {
					f.set(c, state, x+dx, y+dy, z+dz)
				}
			}
		}
	}
	return true
}
