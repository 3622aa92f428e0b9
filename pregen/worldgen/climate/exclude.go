package climate

import (
	"cmp"
	"math"
	"slices"
)

// Partial is a Sampler that can give single parameters for less than the whole
// climate.
type Partial interface {
	Sampler
	// Flat tells which parameters are the same at all heights of a column.
	Flat() [Parameters]bool
	// Parameter gives one of those, exactly as Climate does.
	Parameter(parameter, qx, qz int) float64
}

// excluder tells from single parameters that no wanted row can be the nearest
// one in a column.
//
// It needs a group whose boxes fill their bounds, such as the overworld's
// surface. Whatever the other parameters are, one of its boxes is then at no
// distance but that of the point from the bounds, which every row within the
// bounds has, too, and that of the depth. A wanted row that is farther than the
// most by which its depth can be nearer loses. (Unless another parameter is so
// far away that sums of squares wrap around.)
type excluder struct {
	sampler Partial
	tests   []test
}

// test is what a parameter can tell.
type test struct {
	parameter int
	low, high int64 // bounds, beyond which it tells nothing of rows that stick out
	ranges    []reach
}

// reach is the values of a parameter at which some wanted row may be nearest.
type reach struct{ low, high int64 }

// excluder returns nil if there is nothing that it could tell.
func (t *Table) excluder(wanted []bool, from Sampler) *excluder {
	sampler, ok := from.(Partial)
	if !ok {
		return nil
	}
	at := slices.IndexFunc(t.groups, func(g group) bool { return g.covers })
	if at < 0 {
		return nil
	}
	cover := &t.groups[at]
	e := &excluder{sampler: sampler}
	for parameter, flat := range sampler.Flat() {
		if !flat || parameter == Depth {
			continue
		}
		bounds := &cover.tree.nodes[0]
		x := test{parameter: parameter, low: int64(bounds.low[parameter]), high: int64(bounds.high[parameter])}
		if t.fillTest(&x, wanted, cover) {
			e.tests = append(e.tests, x)
		}
	}
	slices.SortFunc(e.tests, func(a, b test) int { return cmp.Compare(a.share(), b.share()) })
	if len(e.tests) == 0 {
		return nil
	}
	return e
}

// fillTest sets the ranges of a test, and reports whether it is worth it.
func (t *Table) fillTest(x *test, wanted []bool, cover *group) bool {
	bounds := &cover.tree.nodes[0].box
	margins := make(map[interval]int64)
	for row, leaf := range t.tree.leaves {
		if biome := int(t.rows[row]); biome >= len(wanted) || !wanted[biome] {
			continue
		}
		b := &t.tree.nodes[leaf].box
		for i := range Parameters {
			if i != x.parameter && i != Depth && (b.low[i] < bounds.low[i] || b.high[i] > bounds.high[i]) {
				return false // a row that sticks out may be nearest beyond the bounds
			}
		}
		depth := interval{b.low[Depth], b.high[Depth]}
		margin, known := margins[depth]
		if !known {
			lead, ok := cover.lead(depth)
			if !ok {
				return false
			}
			// The largest distance that does not lose.
			for margin = int64(math.Sqrt(float64(lead))); (margin+1)*(margin+1) <= lead; {
				margin++
			}
			margins[depth] = margin
		}
		x.ranges = append(x.ranges, reach{int64(b.low[x.parameter]) - margin, int64(b.high[x.parameter]) + margin})
	}
	x.merge()
	return x.share() < 0.9
}

// lead is the most by which a row at an interval of depth can be nearer than the
// group, over all depths, in squares. It reports false if there is no most.
func (g *group) lead(of interval) (int64, bool) {
	var depths []int32
	lowest, highest := g.intervals[0].low, g.intervals[0].high
	for _, a := range g.intervals {
		lowest, highest = min(lowest, a.low), max(highest, a.high)
		depths = append(depths, a.low, a.high)
		for _, b := range g.intervals {
			middle := (a.high + b.low) / 2
			depths = append(depths, middle-1, middle, middle+1)
		}
	}
	if of.low < lowest || of.high > highest {
		return 0, false
	}
	var most int64
	for _, depth := range append(depths, of.low, of.high) {
		least := int64(math.MaxInt64)
		for _, in := range g.intervals {
			least = min(least, in.square(depth))
		}
		most = max(most, least-of.square(depth))
	}
	return most, true
}

// square is the squared distance of a depth.
func (in interval) square(depth int32) int64 {
	d := int64(max(depth-in.high, in.low-depth, 0))
	return d * d
}

// merge sorts the ranges and joins those that touch.
func (x *test) merge() {
	slices.SortFunc(x.ranges, func(a, b reach) int { return cmp.Compare(a.low, b.low) })
	merged := x.ranges[:0]
	for _, r := range x.ranges {
		if n := len(merged); n > 0 && r.low <= merged[n-1].high+1 {
			merged[n-1].high = max(merged[n-1].high, r.high)
			continue
		}
		merged = append(merged, r)
	}
	x.ranges = merged
}

// share is the part of the bounds that the ranges take.
func (x *test) share() float64 {
	sum := int64(0)
	for _, r := range x.ranges {
		sum += max(min(r.high, x.high)-max(r.low, x.low)+1, 0)
	}
	return float64(sum) / float64(x.high-x.low+1)
}

// column reports whether a column has none of the wanted biomes.
func (e *excluder) column(qx, qz int) bool {
	for i := range e.tests {
		x := &e.tests[i]
		v := quantize(float32(e.sampler.Parameter(x.parameter, qx, qz)))
		if v < x.low || v > x.high {
			continue // all rows are far away, which says nothing of those that stick out
		}
		if !slices.ContainsFunc(x.ranges, func(r reach) bool { return v >= r.low && v <= r.high }) {
			return true
		}
	}
	return false
}
