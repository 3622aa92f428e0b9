package blocks

import (
	"strconv"

	"strata/anvil/block"
)

// column is a plant that grows in a line: a head that grows and a body.
type column struct {
	head, body block.ID
	grows      block.Direction
	wet        bool
}

var columns = []column{
	{block.Kelp, block.KelpPlant, block.Up, true},
	{block.TwistingVines, block.TwistingVinesPlant, block.Up, false},
	{block.WeepingVines, block.WeepingVinesPlant, block.Down, false},
	{block.CaveVines, block.CaveVinesPlant, block.Down, false},
}

func columnRules(t *table) {
	for _, c := range columns {
		t.name(rule{place: c.place, stays: c.stays, shape: c.headShape, late: 1}, name(c.head.Default()))
		t.name(rule{stays: c.stays, shape: c.bodyShape, late: 1}, name(c.body.Default()))
	}
	t.kind(rule{
		place: func(p *placing, s block.State) (block.State, bool) {
			return with(s, "tip", flag(p.beside(block.Down).Block() != s.Block())), true
		},
		stays: func(v View, p Pos, s block.State) bool {
			above := at(v, step(p, block.Up))
			return above.Block() == s.Block() || faceFull(above, block.Down)
		},
		shape: func(_ *update, s block.State, d block.Direction, n block.State) block.State {
			if d != block.Down {
				return s
			}
			return with(s, "tip", flag(n.Block() != s.Block()))
		},
		late: 1,
	}, "hanging_moss")
}

func (c column) part(s block.State) bool { return s.Block() == c.head || s.Block() == c.body }

func (c column) place(p *placing, s block.State) (block.State, bool) {
	if c.wet && !water(p.there) {
		return 0, false
	}
	if c.part(p.beside(c.grows)) {
		return c.body.Default(), true
	}
	return with(s, "age", strconv.Itoa(p.random(25))), true
}

func (c column) stays(v View, p Pos, _ block.State) bool {
	b := at(v, step(p, c.grows.Opposite()))
	if c.wet && tagged(b, "cannot_support_kelp") {
		return false
	}
	return c.part(b) || sturdy(b, c.grows, whole)
}

func (c column) headShape(_ *update, s block.State, d block.Direction, n block.State) block.State {
	if d == c.grows && c.part(n) {
		return withProperties(c.body.Default(), s)
	}
	return s
}

func (c column) bodyShape(u *update, s block.State, d block.Direction, n block.State) block.State {
	if d == c.grows && !c.part(n) {
		age := strconv.Itoa(u.Random(25))
		return with(withProperties(c.head.Default(), s), "age", age)
	}
	return s
}
