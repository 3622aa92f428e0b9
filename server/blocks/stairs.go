package blocks

import "strata/anvil/block"

func stairRules(t *table) {
	t.kind(rule{
		place: func(p *placing, s block.State) (block.State, bool) {
			half := "bottom"
			if p.Face == block.Down || p.Face != block.Up && p.cursorHigh() {
				half = "top"
			}
			s = with(s, "facing", p.heading.String(), "half", half)
			return with(s, "shape", stairShape(p.View, p.pos, s)), true
		},
		shape: func(u *update, s block.State, d block.Direction, _ block.State) block.State {
			if vertical(d) {
				return s
			}
			return with(s, "shape", stairShape(u, u.pos, s))
		},
	}, "stair", "weathering_copper_stair")
}

func isStair(s block.State) bool {
	return kind(s) == "stair" || kind(s) == "weathering_copper_stair"
}

// stairShape bends stairs by those behind (outer) and before them (inner).
func stairShape(v View, p Pos, s block.State) string {
	f := facing(s)
	if back := at(v, step(p, f)); isStair(back) && is(back, "half", s.Property("half")) {
		b := facing(back)
		if axis(b) != axis(f) && stairFree(v, p, s, b.Opposite()) {
			if b == f.Clockwise().Opposite() {
				return "outer_left"
			}
			return "outer_right"
		}
	}
	if front := at(v, step(p, f.Opposite())); isStair(front) && is(front, "half", s.Property("half")) {
		b := facing(front)
		if axis(b) != axis(f) && stairFree(v, p, s, b) {
			if b == f.Clockwise().Opposite() {
				return "inner_left"
			}
			return "inner_right"
		}
	}
	return "straight"
}

// stairFree reports whether no stairs beside continue these in a line.
func stairFree(v View, p Pos, s block.State, d block.Direction) bool {
	n := at(v, step(p, d))
	return !isStair(n) || facing(n) != facing(s) || !is(n, "half", s.Property("half"))
}
