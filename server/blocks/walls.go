package blocks

import "strata/anvil/block"

func wallRules(t *table) {
	t.kind(rule{
		place: func(p *placing, s block.State) (block.State, bool) {
			for _, d := range horizontals {
				s = with(s, d.String(), "none")
				if wallJoins(p.beside(d), d) {
					s = with(s, d.String(), "low")
				}
			}
			return wallHeights(p.View, p.pos, s), true
		},
		shape: func(u *update, s block.State, d block.Direction, n block.State) block.State {
			if d == block.Down {
				return s
			}
			if horizontal(d) {
				to := "none"
				if wallJoins(n, d) {
					to = "low"
				}
				s = with(s, d.String(), to)
			}
			return wallHeights(u, u.pos, s)
		},
	}, "wall")
}

func wallJoins(n block.State, d block.Direction) bool {
	return kind(n) == "wall" || isPane(n) || gateAcross(n, d) ||
		!unjoined(n) && sturdy(n, d.Opposite(), whole)
}

// wallHeights makes the sides that are connected tall below something that
// covers them, and gives the wall its post.
func wallHeights(v View, p Pos, s block.State) block.State {
	above := at(v, step(p, block.Up))
	boxes := above.Collision()
	for _, d := range horizontals {
		if is(s, d.String(), "none") {
			continue
		}
		to := "low"
		if coversStrip(boxes, d) {
			to = "tall"
		}
		s = with(s, d.String(), to)
	}
	return with(s, "up", flag(post(s, above, boxes)))
}

// coversStrip reports whether a shape's lower face covers the strip from the
// middle to one side, 2/16 wide and up to the edge.
func coversStrip(boxes []block.Box, d block.Direction) bool {
	x, _, z := d.Step()
	for i := range 9 {
		for j := -1; j <= 1; j++ {
			a, b := float64(i)/16, float64(j)*.99/16
			px, pz := .5+float64(x)*a, .5+float64(z)*a
			if x == 0 {
				px += b
			} else {
				pz += b
			}
			// touches takes the axes in the order z, x for the lower face.
			if !touches(boxes, block.Down, min(max(pz, .001), .999), min(max(px, .001), .999)) {
				return false
			}
		}
	}
	return true
}

// post reports whether a wall has its middle post: always but in a straight line
// or a full cross, and there if a post or something like it stands above.
func post(s, above block.State, boxes []block.Box) bool {
	if kind(above) == "wall" && is(above, "up", "true") {
		return true
	}
	n, so, w, e := s.Property("north"), s.Property("south"), s.Property("west"), s.Property("east")
	none := func(v string) bool { return v == "none" }
	if none(n) && none(so) && none(w) && none(e) ||
		none(n) != none(so) || none(w) != none(e) {
		return true
	}
	if n == "tall" && so == "tall" || w == "tall" && e == "tall" {
		return false
	}
	if tagged(above, "wall_post_override") {
		return true
	}
	for _, d := range []float64{7.01, 8, 8.99} {
		for _, f := range []float64{7.01, 8, 8.99} {
			if !touches(boxes, block.Down, d/16, f/16) {
				return false
			}
		}
	}
	return true
}
