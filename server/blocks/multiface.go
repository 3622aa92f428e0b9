package blocks

import "strata/anvil/block"

// multifaceRules are what creeps on any of the six sides.
func multifaceRules(t *table) {
	t.kind(rule{place: placeFace, joins: func(_ *placing, there block.State) bool {
		return faces(there) < 6
	}, stays: func(v View, p Pos, s block.State) bool {
		return faces(facesLeft(v, p, s)) > 0
	}, shape: func(u *update, s block.State, _ block.Direction, _ block.State) block.State {
		return facesLeft(u, u.pos, s)
	}}, "glow_lichen", "sculk_vein", "multiface")
	t.kind(rule{place: placeCarpet, stays: carpetStays, shape: carpetShape}, "mossy_carpet")
}

func facesLeft(v View, p Pos, s block.State) block.State {
	for _, d := range order {
		if is(s, d.String(), "true") && !faceFull(at(v, step(p, d)), d.Opposite()) {
			s = with(s, d.String(), "false")
		}
	}
	return s
}

func placeFace(p *placing, s block.State) (block.State, bool) {
	if p.there.Block() == s.Block() {
		s = p.there
	}
	for _, d := range p.look {
		if !is(s, d.String(), "true") && faceFull(p.beside(d), d.Opposite()) {
			return with(s, d.String(), "true"), true
		}
	}
	return 0, false
}

// placeCarpet lets pale moss climb the walls beside it.
func placeCarpet(p *placing, s block.State) (block.State, bool) {
	for _, d := range horizontals {
		if faceFull(p.beside(d), d.Opposite()) {
			s = with(s, d.String(), carpetHeight(p.View, p.pos, d))
		}
	}
	return s, true
}

// carpetHeight is tall where a carpet's upper part goes on along the wall.
func carpetHeight(v View, p Pos, d block.Direction) string {
	above := at(v, step(p, block.Up))
	if kind(above) == "mossy_carpet" && is(above, "bottom", "false") && !is(above, d.String(), "none") {
		return "tall"
	}
	return "low"
}

func carpetStays(v View, p Pos, s block.State) bool {
	below := at(v, step(p, block.Down))
	if is(s, "bottom", "true") {
		return !below.Air()
	}
	if kind(below) != "mossy_carpet" || is(below, "bottom", "false") {
		return false
	}
	for _, d := range horizontals {
		if !is(s, d.String(), "none") && faceFull(at(v, step(p, d)), d.Opposite()) {
			return true
		}
	}
	return false
}

func carpetShape(u *update, s block.State, _ block.Direction, _ block.State) block.State {
	for _, d := range horizontals {
		if is(s, d.String(), "none") {
			continue
		}
		to := "none"
		if faceFull(at(u, step(u.pos, d)), d.Opposite()) {
			to = carpetHeight(u, u.pos, d)
		}
		s = with(s, d.String(), to)
	}
	return s
}
