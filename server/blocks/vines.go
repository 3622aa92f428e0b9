package blocks

import "strata/anvil/block"

func vineRules(t *table) {
	t.kind(rule{place: placeVine, joins: func(_ *placing, there block.State) bool {
		return faces(there) < 5
	}, stays: func(v View, p Pos, s block.State) bool {
		return faces(vineLeft(v, p, s)) > 0
	}, shape: func(u *update, s block.State, d block.Direction, _ block.State) block.State {
		if d == block.Down {
			return s
		}
		return vineLeft(u, u.pos, s)
	}}, "vine")
}

// faces counts the sides that a creeping block is on.
func faces(s block.State) int {
	n := 0
	for _, d := range order {
		if is(s, d.String(), "true") {
			n++
		}
	}
	return n
}

// vineHolds reports whether a vine may be on a side: a whole face is there, or
// the vine above is on the same side.
func vineHolds(v View, p Pos, d block.Direction) bool {
	if d == block.Down {
		return false
	}
	if faceFull(at(v, step(p, d)), d.Opposite()) {
		return true
	}
	above := at(v, step(p, block.Up))
	return horizontal(d) && above.Block() == block.Vine && is(above, d.String(), "true")
}

// vineLeft takes off the sides that nothing holds.
func vineLeft(v View, p Pos, s block.State) block.State {
	for _, d := range order {
		if is(s, d.String(), "true") && !vineHolds(v, p, d) {
			s = with(s, d.String(), "false")
		}
	}
	return s
}

func placeVine(p *placing, s block.State) (block.State, bool) {
	if p.there.Block() == s.Block() {
		s = p.there
	}
	for _, d := range p.look {
		if d != block.Down && !is(s, d.String(), "true") && vineHolds(p.View, p.pos, d) {
			return with(s, d.String(), "true"), true
		}
	}
	return 0, false
}
