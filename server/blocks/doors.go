package blocks

import "strata/anvil/block"

func doorRules(t *table) {
	t.kind(rule{
		place: placeDoor, more: placeUpper, stays: doorStays, shape: doorShape,
	}, "door", "weathering_copper_door")
	t.kind(rule{place: placeTrapdoor}, "trapdoor", "weathering_copper_trapdoor")
}

func placeDoor(p *placing, s block.State) (block.State, bool) {
	up := step(p.pos, block.Up)
	if up.Y > p.Highest || !at(p.View, up).Replaceable() {
		return 0, false
	}
	return with(s, "facing", p.heading.String(), "hinge", p.hinge(), "half", "lower"), true
}

func placeUpper(p *placing, s block.State) []Change {
	up := step(p.pos, block.Up)
	return []Change{{up, flood(with(s, "half", "upper"), at(p.View, up))}}
}

// hinge puts the hinge at walls, away from another door, else on the side that
// was clicked.
func (p *placing) hinge() string {
	left := p.heading.Clockwise().Opposite()
	right := p.heading.Clockwise()
	score := 0
	doors := [2]bool{}
	for i, d := range []block.Direction{left, right} {
		sign := 2*i - 1
		b := p.beside(d)
		for _, s := range []block.State{b, at(p.View, step(step(p.pos, block.Up), d))} {
			if s.FullCollision() {
				score += sign
			}
		}
		doors[i] = isDoor(b) && is(b, "half", "lower")
	}
	switch {
	case doors[0] && !doors[1] || score > 0:
		return "right"
	case doors[1] && !doors[0] || score < 0:
		return "left"
	}
	x, _, z := p.heading.Step()
	cx, cz := p.X, p.Z
	if x < 0 && cz < .5 || x > 0 && cz > .5 || z < 0 && cx > .5 || z > 0 && cx < .5 {
		return "right"
	}
	return "left"
}

func isDoor(s block.State) bool {
	return kind(s) == "door" || kind(s) == "weathering_copper_door"
}

func doorStays(v View, p Pos, s block.State) bool {
	below := at(v, step(p, block.Down))
	if is(s, "half", "lower") {
		return sturdy(below, block.Up, whole)
	}
	return below.Block() == s.Block()
}

// doorShape makes the halves agree; without its other half, one breaks.
func doorShape(_ *update, s block.State, d block.Direction, n block.State) block.State {
	other := block.Up
	if is(s, "half", "upper") {
		other = block.Down
	}
	if d != other {
		return s
	}
	if !isDoor(n) || n.Block() != s.Block() || n.Property("half") == s.Property("half") {
		return block.Air.Default()
	}
	return with(n, "half", s.Property("half"))
}

func placeTrapdoor(p *placing, s block.State) (block.State, bool) {
	half, front := "bottom", p.heading.Opposite()
	switch {
	case !p.replaced && horizontal(p.Face):
		front = p.Face
		if p.cursorHigh() {
			half = "top"
		}
	case p.Face != block.Up:
		half = "top"
	}
	return with(s, "facing", front.String(), "half", half), true
}
