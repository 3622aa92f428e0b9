package plant

import (
	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
)

// roots is the feature root_system: something that grows on the ground above a
// hollow, a column of roots down to it, and roots that hang from its ceiling.
type roots struct {
	above      *feature.Placed
	where      feature.Predicate // it may grow
	room       int               // blocks above it
	wetRoom    int               // of them that may be water, from the lowest on
	level      int               // how far away the ground is to be as high, 0 for no matter
	deviation  int               // of that ground
	belowTop   bool              // end at the surface of generation, as from 26.2 on
	most       int               // blocks that are climbed
	radius     int32
	attempts   int // for each block of the column
	state      feature.Provider
	replace    *feature.Blocks
	hangRadius int32
	hangSpan   int32
	hangTries  int
	hanging    feature.Provider
	survival   *feature.Survival
}

func newRoots(l *feature.Loader, config provider.Value) (feature.Feature, error) {
	f := &roots{belowTop: config.Has("level_test_distance")}
	if err := f.readNumbers(config); err != nil {
		return nil, err
	}
	member, err := config.Member("feature")
	if err != nil {
		return nil, err
	}
	if f.above, err = l.Placed(member); err != nil {
		return nil, err
	}
	if f.where, err = l.MemberPredicate(config, "allowed_tree_position"); err != nil {
		return nil, err
	}
	if f.replace, err = l.MemberBlocks(config, "root_replaceable"); err != nil {
		return nil, err
	}
	if f.state, err = l.MemberProvider(config, "root_state_provider"); err != nil {
		return nil, err
	}
	if f.hanging, err = l.MemberProvider(config, "hanging_root_state_provider"); err != nil {
		return nil, err
	}
	f.survival, err = l.Survival()
	return f, err
}

func (f *roots) readNumbers(config provider.Value) error {
	var radius, hangRadius, span int
	for _, n := range []struct {
		name      string
		to        *int
		low, high int32
	}{
		{"required_vertical_space_for_tree", &f.room, 1, 64},
		{"root_radius", &radius, 1, 64},
		{"root_placement_attempts", &f.attempts, 1, 256},
		{"root_column_max_height", &f.most, 1, 4096},
		{"hanging_root_radius", &hangRadius, 1, 64},
		{"hanging_roots_vertical_span", &span, 1, 16},
		{"hanging_root_placement_attempts", &f.hangTries, 1, 256},
		{"allowed_vertical_water_for_tree", &f.wetRoom, 1, 64},
		{"level_test_distance", &f.level, 0, 16},
		{"max_level_deviation", &f.deviation, 0, 64},
	} {
		if n.low == 0 && !f.belowTop {
			continue // not known before 26.2
		}
		member, err := config.Member(n.name)
		if err != nil {
			return err
		}
		value, err := member.Int(n.low, n.high)
		if err != nil {
			return err
		}
		*n.to = int(value)
	}
	f.radius, f.hangRadius, f.hangSpan = int32(radius), int32(hangRadius), int32(span)
	return nil
}

func (f *roots) Place(c *feature.Context, x, y, z int) bool {
	if !c.Block(x, y, z).Air() {
		return false
	}
	if f.climb(c, x, y, z) {
		f.hang(c, x, y, z)
	}
	return true
}

// climb seeks where something grows above, and sets the column below it.
func (f *roots) climb(c *feature.Context, x, y, z int) bool {
	for i := range f.most {
		py := y + i + 1
		if f.belowTop && c.Height(chunk.WorldSurfaceWG, x, z) < py {
			return false
		}
		if !f.where.Test(c.View, x, py, z) || !f.fits(c, x, py, z) {
			continue
		}
		ground := c.Block(x, py-1, z)
		if ground.Fluid() == block.LavaFluid || !feature.Solid(ground) {
			return false
		}
		if f.above.Place(c, x, py, z) {
			for ry := y; ry < y+i; ry++ {
				f.root(c, x, ry, z)
			}
			return true
		}
	}
	return false
}

// fits reports whether there is room above a place, and ground around it that is
// about as high.
func (f *roots) fits(c *feature.Context, x, y, z int) bool {
	for i := 1; i <= f.room; i++ {
		s := c.Block(x, y+i, z)
		if !s.Air() && (i+1 > f.wetRoom || s.Fluid() != block.WaterFluid) {
			return false
		}
	}
	if f.level == 0 {
		return true
	}
	for _, s := range sides {
		px, pz := x+f.level*steps[s].x, z+f.level*steps[s].z
		if c.Block(px, y-f.deviation, pz).Air() || !c.Block(px, y+f.deviation, pz).Air() {
			return false
		}
	}
	return true
}

// root sets roots around a block of the column.
func (f *roots) root(c *feature.Context, x, y, z int) {
	for range f.attempts {
		px := x + around(c.Random, f.radius)
		pz := z + around(c.Random, f.radius)
		if !f.replace.Has(c.Block(px, y, pz)) {
			continue
		}
		if state, ok := f.state.State(c, px, y, pz); ok {
			c.Set(px, y, pz, state)
		}
	}
}

// hang sets roots below the ceiling.
func (f *roots) hang(c *feature.Context, x, y, z int) {
	for range f.hangTries {
		px := x + around(c.Random, f.hangRadius)
		py := y + around(c.Random, f.hangSpan)
		pz := z + around(c.Random, f.hangRadius)
		if !c.Block(px, py, pz).Air() {
			continue
		}
		state, ok := f.hanging.State(c, px, py, pz)
		if ok && f.survival.Survives(c.View, state, px, py, pz) && feature.Sturdy(c.Block(px, py+1, pz), block.Down) {
			c.Set(px, py, pz, state)
		}
	}
}
