package blocks

import (
	"strings"

	"strata/anvil/block"
)

func railRules(t *table) {
	t.kind(rule{
		place: func(p *placing, s block.State) (block.State, bool) {
			to := "north_south"
			if axis(p.heading) == "x" {
				to = "east_west"
			}
			s = with(s, "shape", to)
			return with(s, "shape", railShape(p.View, p.pos, s)), true
		},
		stays: railStays,
		set:   joinRails,
	}, "rail", "powered_rail", "detector_rail")
}

func isRail(s block.State) bool { return strings.HasSuffix(kind(s), "rail") && has(s, "shape") }

// railStays also wants something under the upper end of a slope.
func railStays(v View, p Pos, s block.State) bool {
	if !onRigid(v, p, s) {
		return false
	}
	if up, ok := strings.CutPrefix(s.Property("shape"), "ascending_"); ok {
		return holdsRail(v, step(p, direction(up)))
	}
	return true
}

func holdsRail(v View, p Pos) bool { return sturdy(at(v, p), block.Up, rim) }

// railEnds returns the two sides that a shape leads to.
func railEnds(shape string) [2]block.Direction {
	if up, ok := strings.CutPrefix(shape, "ascending_"); ok {
		return [2]block.Direction{direction(up), direction(up).Opposite()}
	}
	a, b, _ := strings.Cut(shape, "_")
	return [2]block.Direction{direction(a), direction(b)}
}

// railAt finds a rail beside p, one higher or one lower, with room for another
// line to p.
func railAt(v View, p Pos, d block.Direction) (Pos, bool) {
	q := step(p, d)
	for _, r := range [3]Pos{q, step(q, block.Up), step(q, block.Down)} {
		if isRail(at(v, r)) {
			return r, true
		}
	}
	return q, false
}

// railFree reports whether the rail at q, found from p, leads to
// p already or has an end that leads nowhere.
func railFree(v View, q, p Pos) bool {
	joined := 0
	for _, e := range railEnds(at(v, q).Property("shape")) {
		r, ok := railAt(v, q, e)
		if r.X == p.X && r.Z == p.Z {
			return true
		}
		if !ok {
			continue
		}
		for _, back := range railEnds(at(v, r).Property("shape")) {
			if back == e.Opposite() {
				joined++
			}
		}
	}
	return joined < 2
}

// railShape chooses the shape of a rail by the rails around: straight or curved
// to two of them, up a slope to one that is higher.
func railShape(v View, p Pos, s block.State) string {
	var to [6]bool
	for _, d := range horizontals {
		if q, ok := railAt(v, p, d); ok {
			to[d] = railFree(v, q, p)
		}
	}
	n, so, w, e := to[block.North], to[block.South], to[block.West], to[block.East]
	ns, ew := n || so, w || e
	shape := ""
	switch {
	case ns && !ew:
		shape = "north_south"
	case ew && !ns:
		shape = "east_west"
	case s.Block() == block.Rail && so && e && !n && !w:
		shape = "south_east"
	case s.Block() == block.Rail && so && w && !n && !e:
		shape = "south_west"
	case s.Block() == block.Rail && n && w && !so && !e:
		shape = "north_west"
	case s.Block() == block.Rail && n && e && !so && !w:
		shape = "north_east"
	}
	if shape == "" && ns && ew {
		shape = "north_south"
		if s.Block() == block.Rail {
			shape = curve(n, so, w, e)
		} else if is(s, "shape", "east_west") {
			shape = "east_west"
		}
	}
	if shape == "" {
		shape = s.Property("shape")
	}
	return slope(v, p, shape)
}

// curve is the choice among three or four rails without power: south and east
// before north and west.
func curve(n, so, w, e bool) string {
	switch {
	case so && e:
		return "south_east"
	case so && w:
		return "south_west"
	case n && e:
		return "north_east"
	}
	return "north_west"
}

// slope makes a straight rail rise to one that is a block higher.
func slope(v View, p Pos, shape string) string {
	if shape != "north_south" && shape != "east_west" {
		return shape
	}
	for _, d := range railEnds(shape) {
		if q := step(p, d); isRail(at(v, step(q, block.Up))) && holdsRail(v, q) {
			shape = "ascending_" + d.String()
		}
	}
	return shape
}

// joinRails bends the rails that a new one leads to, if they have a free end.
func joinRails(ctx Context, p Pos, s, before block.State) {
	if isRail(before) {
		return
	}
	for _, d := range railEnds(s.Property("shape")) {
		q, ok := railAt(ctx, p, d)
		if !ok {
			continue
		}
		t := at(ctx, q)
		if u := with(t, "shape", railShape(ctx, q, t)); u != t && railFree(ctx, q, p) {
			ctx.Set(q, u)
		}
	}
}
