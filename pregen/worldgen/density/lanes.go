package density

import "math/bits"

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
