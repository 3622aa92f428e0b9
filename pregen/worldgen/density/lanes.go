package density

import (
	"math"
	"math/bits"
)

// laneCount is how many places are evaluated together.
const laneCount = 64

// lane holds a value for each place.
type lane = [laneCount]float64

// lanes evaluates nodes at up to 64 places at once: at rows of one column of a
// chunk's corners, or at blocks of a cell. A set of places is a mask. Each node
// is evaluated where it is asked for and not before: a choice asks for its
// branches only where they are taken. What was evaluated stays until the
// places change.
type lanes struct {
	nodes  []node
	known  *analysis
	points *points

	included []Node // what the roots need

	values []*lane  // of nodes; nil for those that are not included
	have   []uint64 // where values are valid
	low    []*lane  // bounds of telling nodes, in columns
	high   []*lane
	bound  []uint64 // where low and high are valid

	column  bool // all places have the same x and z
	x, z    int  // of the column
	heights [laneCount]int
	xs, zs  [laneCount]int // of places that are no column
	placed  bool           // heights, xs and zs are set

	place  func()                                // sets them
	blocks func(n *node, mask uint64, dst *lane) // evaluates interpolated nodes

	ys, outs [laneCount]float64 // of noises
}

// newLanes returns an evaluator for what the roots are made of.
func newLanes(p *Program, points *points, column bool, roots []Node) *lanes {
	size := len(p.graph.nodes)
	l := &lanes{
		nodes: p.graph.nodes, known: p.known, points: points, column: column,
		values: make([]*lane, size), have: make([]uint64, size),
		low: make([]*lane, size), high: make([]*lane, size), bound: make([]uint64, size),
	}
	for _, root := range roots {
		l.include(root)
	}
	return l
}

// include makes room for a node and what it is made of.
func (l *lanes) include(id Node) {
	if l.values[id] != nil {
		return
	}
	l.included = append(l.included, id)
	l.values[id] = new(lane)
	if l.column {
		l.low[id], l.high[id] = new(lane), new(lane)
		for i := range l.low[id] {
			l.low[id][i], l.high[id][i] = l.known.low[id], l.known.high[id]
		}
	}
	n := &l.nodes[id]
	if n.kind == interpolated || n.kind == cellInterpolated || n.kind == flatCache || l.known.flat[id] {
		return
	}
	arguments := [...]Node{n.a, n.b, n.c}
	for _, argument := range arguments[:n.kind.arguments()] {
		l.include(argument)
	}
	for _, f := range n.functions {
		l.include(f)
	}
}

// forget makes ready for other places.
func (l *lanes) forget() {
	for _, id := range l.included {
		l.have[id], l.bound[id] = 0, 0
	}
	l.placed = false
}

// moveColumn goes to rows of a column, from a height up.
func (l *lanes) moveColumn(x, z, lowestY, stepY int) {
	l.x, l.z = x, z
	for i := range l.heights {
		l.heights[i] = lowestY + i*stepY
	}
	l.points.move(x, z)
	l.forget()
	l.placed = true
}

// nextRun splits the first range of places off a mask.
func nextRun(mask uint64) (first, last int, rest uint64) {
	first = bits.TrailingZeros64(mask)
	last = first + bits.TrailingZeros64(^(mask >> first))
	return first, last, mask &^ (1<<last - 1)
}

// need returns the values of a node, valid at least where the mask says.
func (l *lanes) need(id Node, mask uint64) *lane {
	missing := mask &^ l.have[id]
	if missing == 0 {
		return l.values[id]
	}
	if l.nodes[id].kind == constant || l.column && l.known.flat[id] {
		l.have[id] = 1<<laneCount - 1
		v, dst := l.points.value(id), l.values[id]
		for i := range dst {
			dst[i] = v
		}
		return dst
	}
	l.have[id] |= missing
	l.compute(&l.nodes[id], id, missing, l.values[id])
	return l.values[id]
}

// compute evaluates a node where the mask says, and writes nothing elsewhere.
func (l *lanes) compute(n *node, id Node, mask uint64, dst *lane) {
	switch n.kind {
	case plus, times, abs, square, cube, halfNegative, quarterNegative, invert, squeeze:
		l.one(n, mask, dst)
	case add:
		a, b := l.need(n.a, mask), l.need(n.b, mask)
		for mask != 0 {
			first, last, rest := nextRun(mask)
			mask = rest
			d, x, y := dst[first:last], a[first:last], b[first:last]
			for i := range d {
				d[i] = x[i] + y[i]
			}
		}
	case mul:
		l.product(n, mask, dst)
	case minimum, maximum:
		l.extreme(n, mask, dst)
	case clamp:
		l.clamped(n, mask, dst)
	case gradient:
		l.ensurePlaced()
		for ; mask != 0; mask &= mask - 1 {
			i := bits.TrailingZeros64(mask)
			dst[i] = n.gradientAt(l.heights[i])
		}
	case rangeChoice:
		l.choice(n, mask, dst)
	case intervalSelect:
		l.selection(n, mask, dst)
	case interpolated, cellInterpolated:
		l.blocks(n, mask, dst)
	case sample, shiftedSample, blendedNoise:
		if l.column && l.noise(n, mask, dst) {
			return
		}
		l.each(id, mask, dst)
	default:
		l.each(id, mask, dst)
	}
}

func (l *lanes) ensurePlaced() {
	if !l.placed {
		l.place()
		l.placed = true
	}
}

// each evaluates a node place by place.
func (l *lanes) each(id Node, mask uint64, dst *lane) {
	l.ensurePlaced()
	for ; mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros64(mask)
		if l.column {
			dst[i] = l.points.at(id, l.x, l.heights[i], l.z)
		} else {
			dst[i] = l.points.at(id, l.xs[i], l.heights[i], l.zs[i])
		}
	}
}

// one evaluates kinds of one argument.
func (l *lanes) one(n *node, mask uint64, dst *lane) {
	a, p := l.need(n.a, mask), n.p[0]
	for mask != 0 {
		first, last, rest := nextRun(mask)
		mask = rest
		d, x := dst[first:last], a[first:last]
		switch n.kind {
		case plus:
			for i := range d {
				d[i] = x[i] + p
			}
		case times:
			for i := range d {
				d[i] = x[i] * p
			}
		case abs:
			for i := range d {
				d[i] = math.Abs(x[i])
			}
		case squeeze:
			for i := range d {
				v := clampTo(x[i], -1, 1)
				d[i] = float64(v/2) - float64(v*v*v/24)
			}
		default:
			for i := range d {
				d[i] = transform(n.kind, x[i])
			}
		}
	}
}

// product asks for the right factor only where the left is not 0.
func (l *lanes) product(n *node, mask uint64, dst *lane) {
	a := l.need(n.a, mask)
	var zero uint64
	for m := mask; m != 0; m &= m - 1 {
		if i := bits.TrailingZeros64(m); a[i] == 0 {
			zero |= 1 << i
			dst[i] = 0
		}
	}
	if mask &^= zero; mask == 0 {
		return
	}
	b := l.need(n.b, mask)
	for mask != 0 {
		first, last, rest := nextRun(mask)
		mask = rest
		d, x, y := dst[first:last], a[first:last], b[first:last]
		for i := range d {
			d[i] = x[i] * y[i]
		}
	}
}

// extreme is min or max. It asks for the right argument only where the left is
// not beyond its bound.
func (l *lanes) extreme(n *node, mask uint64, dst *lane) {
	a, least, limit := l.need(n.a, mask), n.kind == minimum, n.p[0]
	var alone uint64
	for m := mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		if least && a[i] < limit || !least && a[i] > limit {
			alone |= 1 << i
			dst[i] = a[i]
		}
	}
	if mask &^= alone; mask == 0 {
		return
	}
	b := l.need(n.b, mask)
	for mask != 0 {
		first, last, rest := nextRun(mask)
		mask = rest
		d, x, y := dst[first:last], a[first:last], b[first:last]
		if least {
			for i := range d {
				d[i] = min(x[i], y[i])
			}
		} else {
			for i := range d {
				d[i] = max(x[i], y[i])
			}
		}
	}
}

// clamped does not ask for values that are known to be beyond the limits.
func (l *lanes) clamped(n *node, mask uint64, dst *lane) {
	if l.column && l.known.telling[n.a] && !l.known.cheap[n.a] && n.p[0] <= n.p[1] {
		low, high := l.reach(n.a, mask)
		for m := mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros64(m)
			switch {
			case low[i] >= n.p[1]:
				dst[i] = n.p[1]
			case high[i] <= n.p[0]:
				dst[i] = n.p[0]
			default:
				continue
			}
			mask &^= 1 << i
		}
	}
	if mask == 0 {
		return
	}
	a := l.need(n.a, mask)
	for ; mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros64(mask)
		dst[i] = clampTo(a[i], n.p[0], n.p[1])
	}
}

// choice evaluates its input only where bounds do not tell the branch, and
// where a branch begins with it: noises cost less when they are asked once.
func (l *lanes) choice(n *node, mask uint64, dst *lane) {
	var in, out uint64
	if l.column && l.known.telling[n.a] && !l.known.cheap[n.a] {
		in, out = l.branches(n, mask)
	}
	unsure := mask &^ (in | out)
	ask := unsure
	if l.beginsWith(n.b, n.a) {
		ask |= in
	}
	if l.beginsWith(n.c, n.a) {
		ask |= out
	}
	if ask != 0 {
		a := l.need(n.a, ask)
		for m := unsure; m != 0; m &= m - 1 {
			i := bits.TrailingZeros64(m)
			if a[i] >= n.p[0] && a[i] < n.p[1] {
				in |= 1 << i
			}
		}
		out = mask &^ in
	}
	l.take(n.b, in, dst)
	l.take(n.c, out, dst)
}

// beginsWith reports whether a node evaluates another one first, or is it.
func (l *lanes) beginsWith(id, other Node) bool {
	for id > other && l.nodes[id].kind.arguments() > 0 {
		id = l.nodes[id].a
	}
	return id == other
}

// selection groups places by the function that they choose.
func (l *lanes) selection(n *node, mask uint64, dst *lane) {
	a := l.need(n.a, mask)
	for mask != 0 {
		function := n.choose(a[bits.TrailingZeros64(mask)])
		var same uint64
		for m := mask; m != 0; m &= m - 1 {
			if i := bits.TrailingZeros64(m); n.choose(a[i]) == function {
				same |= 1 << i
			}
		}
		l.take(n.functions[function], same, dst)
		mask &^= same
	}
}

// take copies a node's values where the mask says.
func (l *lanes) take(id Node, mask uint64, dst *lane) {
	if mask == 0 {
		return
	}
	for v := l.need(id, mask); mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros64(mask)
		dst[i] = v[i]
	}
}

// noise samples a noise in a column. It reports false where it cannot, because
// places are moved apart.
func (l *lanes) noise(n *node, mask uint64, dst *lane) bool {
	x, z := float64(l.x), float64(l.z)
	if n.kind == blendedNoise {
		step := l.heights[1] - l.heights[0]
		for mask != 0 {
			first, last, rest := nextRun(mask)
			mask = rest
			n.blended.Column(l.x, l.heights[first], step, l.z, dst[first:last])
		}
		return true
	}
	x, z = float64(x*n.p[0]), float64(z*n.p[0])
	var moved *lane
	if n.kind == shiftedSample {
		if !l.known.flat[n.a] || !l.known.flat[n.c] {
			return false
		}
		x, z = x+l.points.value(n.a), z+l.points.value(n.c)
		moved = l.need(n.b, mask)
	}
	count := 0
	for m := mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		l.ys[count] = float64(float64(l.heights[i]) * n.p[1])
		if moved != nil {
			l.ys[count] += moved[i]
		}
		count++
	}
	n.noise.Column(x, l.ys[:count], z, l.outs[:count])
	for i := 0; mask != 0; mask &= mask - 1 {
		dst[bits.TrailingZeros64(mask)] = l.outs[i]
		i++
	}
	return true
}
