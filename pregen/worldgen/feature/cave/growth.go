package cave

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
)

// growth is the feature multiface_growth: a film on a side of the place or of
// one beside it.
type growth struct {
	film
	on     *feature.Blocks
	sides  []block.Direction
	chance float32 // of spreading
}

func newGrowth(l *feature.Loader, config provider.Value) (feature.Feature, error) {
	f := &growth{}
	id := block.GlowLichen
	if member, ok, err := config.Optional("block"); err != nil {
		return nil, err
	} else if ok {
		name, err := member.ID()
		if err != nil {
			return nil, err
		}
		if id, ok = block.Find(name); !ok {
			return nil, member.Errorf("no block %s", name)
		}
		for _, d := range all {
			if id.PropertyIndex(d.String()) < 0 || id.PropertyIndex("waterlogged") < 0 {
				return nil, member.Errorf("%s does not cover sides", name)
			}
		}
	}
	var err error
	if f.film, err = newFilm(l, id); err != nil {
		return nil, err
	}
	if f.on, err = l.MemberBlocks(config, "can_be_placed_on"); err != nil {
		return nil, err
	}
	if _, err = feature.Number(config, "search_range", 1, 64, 10); err != nil {
		return nil, err
	}
	if f.chance, err = feature.OptionalFloat(config, "chance_of_spreading", 0, 1, 0.5); err != nil {
		return nil, err
	}
	return f, f.readSides(config)
}

func (f *growth) readSides(config provider.Value) error {
	for _, kind := range []struct {
		name  string
		sides []block.Direction
	}{
		{"can_place_on_ceiling", []block.Direction{block.Up}},
		{"can_place_on_floor", []block.Direction{block.Down}},
		{"can_place_on_wall", horizontal[:]},
	} {
		may, err := feature.OptionalBool(config, kind.name)
		if err != nil {
			return err
		}
		if may {
			f.sides = append(f.sides, kind.sides...)
		}
	}
	return nil
}

func (f *growth) Place(c *feature.Context, x, y, z int) bool {
	p := place{x, y, z}
	before := at(c, p)
	if !hollow(before) {
		return false
	}
	var first, second [6]block.Direction
	n := copy(first[:], f.sides)
	rng.Shuffle(c.Random, first[:n])
	if f.cover(c, p, before, first[:n]) {
		return true
	}
	for _, d := range first[:n] {
		m := 0
		for _, other := range f.sides {
			if other != d.Opposite() {
				second[m] = other
				m++
			}
		}
		rng.Shuffle(c.Random, second[:m])
		// The game looks at the same place as often as the search range says.
		next := p.to(d)
		before := at(c, next)
		if (hollow(before) || before.Block() == f.id) && f.cover(c, next, before, second[:m]) {
			return true
		}
	}
	return false
}

// cover covers the first side that may be, and reports whether it did.
func (f *growth) cover(c *feature.Context, p place, before block.State, order []block.Direction) bool {
	for _, d := range order {
		if !f.on.Has(at(c, p.to(d))) {
			continue
		}
		state, ok := f.joined(c, before, p, d)
		if !ok {
			return false
		}
		set(c, p, state)
		c.Mark(p.x, p.y, p.z)
		if c.Random.Float() < f.chance {
			f.spreadAtRandom(c, state, p, d)
		}
		return true
	}
	return false
}
