package cave

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
)

// stone is what speleothems are made of: dripstone or sulfur.
type stone struct {
	base        block.State
	replaceable *feature.Blocks // by the base
	point       block.ID
	// pointed are the states by direction, dry or in water, and thickness.
	pointed [2][2][thicknesses]block.State
}

// The thicknesses of pointed blocks.
const (
	foot = iota
	middle
	frustum
	tip
	mergedTip
	thicknesses
)

var thicknessNames = [thicknesses]string{"base", "middle", "frustum", "tip", "tip_merge"}

// newStone reads the stone of a config.
func newStone(l *feature.Loader, config provider.Value) (*stone, error) {
	base, err := l.MemberState(config, "base_block")
	if err != nil {
		return nil, err
	}
	pointed, err := l.MemberState(config, "pointed_block")
	if err != nil {
		return nil, err
	}
	replaceable, err := l.MemberBlocks(config, "replaceable_blocks")
	if err != nil {
		return nil, err
	}
	m := &stone{base: base, replaceable: replaceable, point: pointed.Block()}
	if !m.setPointed(pointed) {
		return nil, config.Errorf("%s is no pointed block", pointed)
	}
	return m, nil
}

// newDripstone returns the stone of the features of 26.1, which do not name it.
func newDripstone(l *feature.Loader) (*stone, error) {
	replaceable, err := l.OptionalTag("minecraft:dripstone_replaceable_blocks")
	m := &stone{base: block.DripstoneBlock.Default(), replaceable: replaceable, point: block.PointedDripstone}
	m.setPointed(block.PointedDripstone.Default())
	return m, err
}

// setPointed makes the table of states, and reports whether there are such.
func (m *stone) setPointed(state block.State) bool {
	ok := true
	with := func(s block.State, name, value string) block.State {
		changed, has := s.With(name, value)
		ok = ok && has
		return changed
	}
	for d, direction := range [...]string{"down", "up"} {
		for w, wet := range [...]string{"false", "true"} {
			for t, thickness := range thicknessNames {
				s := with(state, "vertical_direction", direction)
				m.pointed[d][w][t] = with(with(s, "waterlogged", wet), "thickness", thickness)
			}
		}
	}
	return ok
}

// bears reports whether a pointed block may start from a block.
func (m *stone) bears(s block.State) bool {
	return s.Block() == m.base.Block() || m.replaceable.Has(s)
}

// replace replaces a block by the base if that may be.
func (m *stone) replace(c *feature.Context, p place) bool {
	if !m.replaceable.Has(at(c, p)) {
		return false
	}
	return set(c, p, m.base)
}

// grow sets pointed blocks from a place on, if there is something behind it.
func (m *stone) grow(c *feature.Context, p place, d block.Direction, length int, merged bool) {
	if !m.bears(at(c, p.to(d.Opposite()))) {
		return
	}
	for left := length; left > 0; left-- {
		thickness := tip
		switch {
		case left == 1 && merged:
			thickness = mergedTip
		case left == 1:
		case left == 2:
			thickness = frustum
		case left == length:
			thickness = foot
		default:
			thickness = middle
		}
		wet := 0
		if holdsWater(at(c, p)) {
			wet = 1
		}
		set(c, p, m.pointed[d][wet][thickness])
		p = p.to(d)
	}
}

// speleothem is the feature speleothem: one stalactite or stalagmite of a block
// or two, with its base around it.
type speleothem struct {
	*stone
	taller                     float32
	directional, second, third float32 // chances that the base spreads
}

func newSpeleothem(l *feature.Loader, config provider.Value) (feature.Feature, error) {
	stone, err := newStone(l, config)
	if err != nil {
		return nil, err
	}
	return readSpeleothem(stone, config, "chance_of_taller_generation")
}

func newPointedDripstone(l *feature.Loader, config provider.Value) (feature.Feature, error) {
	stone, err := newDripstone(l)
	if err != nil {
		return nil, err
	}
	return readSpeleothem(stone, config, "chance_of_taller_dripstone")
}

func readSpeleothem(stone *stone, config provider.Value, taller string) (feature.Feature, error) {
	f := &speleothem{stone: stone}
	for _, chance := range []struct {
		name     string
		to       *float32
		standard float32
	}{
		{taller, &f.taller, 0.2},
		{"chance_of_directional_spread", &f.directional, 0.7},
		{"chance_of_spread_radius2", &f.second, 0.5},
		{"chance_of_spread_radius3", &f.third, 0.5},
	} {
		var err error
		if *chance.to, err = feature.OptionalFloat(config, chance.name, 0, 1, chance.standard); err != nil {
			return nil, err
		}
	}
	return f, nil
}

func (f *speleothem) Place(c *feature.Context, x, y, z int) bool {
	p := place{x, y, z}
	d := block.Up
	switch above, below := f.bears(at(c, p.above())), f.bears(at(c, p.below())); {
	case above && below:
		if c.Random.Bool() {
			d = block.Down
		}
	case above:
		d = block.Down
	case !below:
		return false
	}
	f.spread(c, p.to(d.Opposite()))
	length := 1
	if c.Random.Float() < f.taller && hollow(at(c, p.to(d))) {
		length = 2
	}
	f.grow(c, p, d, length, false)
	return true
}

// spread sets the base around a place.
func (f *speleothem) spread(c *feature.Context, p place) {
	f.replace(c, p)
	for _, d := range horizontal {
		if c.Random.Float() > f.directional {
			continue
		}
		to := p.to(d)
		f.replace(c, to)
		for _, chance := range [...]float32{f.second, f.third} {
			if c.Random.Float() > chance {
				break
			}
			to = to.to(all[c.Random.IntN(6)])
			f.replace(c, to)
		}
	}
}
