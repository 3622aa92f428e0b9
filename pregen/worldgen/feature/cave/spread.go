package cave

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/rng"
)

// film is a block that covers sides of others: glow lichen, sculk veins.
type film struct {
	id    block.ID
	sculk bool // of sculk: spreads from other blocks too, and not to sculk
	fire  *feature.Blocks
	// properties are those of the directions, and yes the number of the value true.
	properties [len(all)]int
	yes        int
}

func newFilm(l *feature.Loader, id block.ID) (f film, err error) {
	f.id, f.sculk = id, id == block.SculkVein
	for _, d := range all {
		f.properties[d] = id.PropertyIndex(d.String())
	}
	f.yes = id.Properties()[f.properties[0]].Index("true")
	f.fire, err = l.OptionalTag("minecraft:fire")
	return f, err
}

// has reports whether a state covers the side that is in a direction.
func (f *film) has(s block.State, d block.Direction) bool {
	return s.Block() == f.id && s.Value(f.properties[d]) == f.yes
}

// holds reports whether a block can be covered, from the place beside it: d is
// from that place to the block.
func holds(c *feature.Context, p place, d block.Direction) bool {
	return feature.Attachable(at(c, p.to(d)), d.Opposite())
}

// joined returns what a state becomes that shall cover a side, and false if it
// cannot.
func (f *film) joined(c *feature.Context, before block.State, p place, d block.Direction) (block.State, bool) {
	if f.has(before, d) || !holds(c, p, d) {
		return 0, false
	}
	state := before
	if before.Block() != f.id {
		state = f.id.Default()
		if source(before) {
			state, _ = state.With("waterlogged", "true")
		}
	}
	return state.WithValue(f.properties[d], f.yes), true
}

// side is a side of a block, seen from the place of a film that covers it.
type side struct {
	place
	toward block.Direction
}

// reach is how far a film spreads: into its own place, to the next block of the
// same plane, and around an edge.
type reach int

const (
	samePlace reach = 1
	anyPlace  reach = 3
)

// next returns a side to which a film at p that covers from may spread.
func (r reach) next(p place, from, d block.Direction) side {
	switch r {
	case 0:
		return side{p, d}
	case 1:
		return side{p.to(d), from}
	}
	return side{p.to(d).to(from), d.Opposite()}
}

// replaces reports whether a film that spreads from a place may take another.
func (f *film) replaces(c *feature.Context, p place, to side) bool {
	before := at(c, to.place)
	plain := before.Air() || before.Block() == f.id || before.Block() == block.Water && before.FluidSource()
	if !f.sculk || !plain && !before.Replaceable() {
		return plain
	}
	switch at(c, to.to(to.toward)).Block() {
	case block.Sculk, block.SculkCatalyst, block.MovingPiston:
		return false
	}
	if abs(p.x-to.x)+abs(p.y-to.y)+abs(p.z-to.z) == 2 &&
		feature.Sturdy(at(c, p.to(to.toward.Opposite())), to.toward) {
		return false
	}
	return (before.Fluid() == block.NoFluid || source(before)) && !f.fire.Has(before)
}

// spread spreads a film, or from another block, that covers one side towards
// another direction, and reports whether it did.
func (f *film) spread(c *feature.Context, state block.State, p place, from, d block.Direction, most reach) bool {
	if d>>1 == from>>1 {
		return false
	}
	if !f.startsAt(state) && (!f.has(state, from) || f.has(state, d)) {
		return false
	}
	for r := reach(0); r < most; r++ {
		to := r.next(p, from, d)
		if !f.replaces(c, p, to) {
			continue
		}
		if joined, ok := f.joined(c, at(c, to.place), to.place, to.toward); ok {
			c.Mark(to.x, to.y, to.z)
			return set(c, to.place, joined)
		}
	}
	return false
}

// startsAt reports whether a film spreads from a block that is not one.
func (f *film) startsAt(s block.State) bool { return f.sculk && s.Block() != f.id }

// spreadAtRandom spreads a film in one direction.
func (f *film) spreadAtRandom(c *feature.Context, state block.State, p place, from block.Direction) {
	order := all
	rng.Shuffle(c.Random, order[:])
	for _, d := range order {
		if f.spread(c, state, p, from, d, anyPlace) {
			return
		}
	}
}

// spreadAll spreads from all sides in all directions, and reports whether
// anything spread.
func (f *film) spreadAll(c *feature.Context, state block.State, p place, most reach) bool {
	spread := false
	for _, from := range all {
		if !f.startsAt(state) && !f.has(state, from) {
			continue
		}
		for _, d := range all {
			spread = f.spread(c, state, p, from, d, most) || spread
		}
	}
	return spread
}
