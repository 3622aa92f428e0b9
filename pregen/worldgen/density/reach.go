package density

import "math"

// The largest values of one octave. Each corner of a lattice cell adds the sum
// of two of three distances, weighted by fades of all three; the largest sum
// over a cell is 1.036354. Where heights are smeared, the height of a gradient
// may be 1 whatever its fade, and the largest sum is 1.535277.
const (
	octaveReach  = 1.0364
	smearedReach = 1.5356
)

// maxScale is far below what makes coordinates infinite.
const maxScale = 1e200

// analysis is what is known of a program's nodes before there is a position.
type analysis struct {
	// flat nodes do not depend on the height, cheap ones are made of flat
	// nodes and heights without noise.
	flat, cheap []bool
	// low and high bound the values. Unlike the game's bounds they always
	// hold; they are infinite where a value may be infinite or not a number.
	low, high []float64
	// telling nodes have bounds in a column that are often tighter than low
	// and high: what is cheap in them outweighs what is not.
	telling []bool
	spreads []float64
}

// analyse looks at all nodes, and sets the thresholds of min and max to where
// they need their right argument.
func analyse(nodes []node, flat []bool) *analysis {
	a := &analysis{
		flat: flat, cheap: make([]bool, len(nodes)), telling: make([]bool, len(nodes)),
		spreads: make([]float64, len(nodes)),
		low:     make([]float64, len(nodes)), high: make([]float64, len(nodes)),
	}
	for i := range nodes {
		n := &nodes[i]
		a.cheap[i] = flat[i] || a.isCheap(n)
		a.low[i], a.high[i] = a.reach(n)
		a.spreads[i] = a.spread(n, Node(i))
		a.telling[i] = a.isTelling(n, Node(i))
		// Where the left is below all that the right can be, it is the
		// smaller one, whatever the game's bound says.
		switch {
		case n.kind == minimum && a.bounded(n.b):
			n.p[0] = max(n.p[0], a.low[n.b])
		case n.kind == maximum && a.bounded(n.b):
			n.p[0] = min(n.p[0], a.high[n.b])
		}
	}
	return a
}

func (a *analysis) isCheap(n *node) bool {
	switch n.kind {
	case gradient:
		return true
	case plus, times, abs, square, cube, halfNegative, quarterNegative, invert, squeeze, clamp:
		return a.cheap[n.a]
	case add, mul, minimum, maximum:
		return a.cheap[n.a] && a.cheap[n.b]
	case rangeChoice:
		return a.cheap[n.a] && a.cheap[n.b] && a.cheap[n.c]
	}
	return false
}

// spread is about how far the bounds of a node are apart in a column, where
// what is cheap in it is known. It is a guess that decides where bounds are
// worth looking at, no more.
func (a *analysis) spread(n *node, id Node) float64 {
	if a.cheap[id] {
		return 0
	}
	size := func(n Node) float64 { return max(math.Abs(a.low[n]), math.Abs(a.high[n])) }
	all := a.high[id] - a.low[id]
	switch n.kind {
	case plus, abs, halfNegative, quarterNegative, clamp:
		return min(all, a.spreads[n.a])
	case times:
		return math.Abs(n.p[0]) * a.spreads[n.a]
	case square:
		return 2 * size(n.a) * a.spreads[n.a]
	case cube:
		return 3 * size(n.a) * size(n.a) * a.spreads[n.a]
	case add:
		return a.spreads[n.a] + a.spreads[n.b]
	case mul:
		if a.cheap[n.a] && !a.cheap[n.b] {
			return size(n.a) * a.spreads[n.b]
		}
	case minimum, maximum:
		return max(a.spreads[n.a], a.spreads[n.b])
	case rangeChoice:
		return max(a.spreads[n.b], a.spreads[n.c])
	}
	return all
}

// isTelling is for nodes whose bounds in a column can be found.
func (a *analysis) isTelling(n *node, id Node) bool {
	if n.kind == constant || a.cheap[id] {
		return n.kind != constant
	}
	known := func(n Node) bool { return a.telling[n] || a.bounded(n) }
	switch n.kind {
	case plus, times, abs, square, cube, halfNegative, quarterNegative, clamp:
		if !a.telling[n.a] {
			return false
		}
	case add, mul, minimum, maximum:
		if !known(n.a) || !known(n.b) {
			return false
		}
	case rangeChoice:
		if !known(n.a) || !known(n.b) || !known(n.c) {
			return false
		}
	default:
		return false
	}
	return !(a.spreads[id] > (a.high[id]-a.low[id])/2)
}

func (a *analysis) bounded(n Node) bool {
	return !math.IsInf(a.low[n], 0) && !math.IsInf(a.high[n], 0)
}

// reach bounds a node by its arguments' bounds.
func (a *analysis) reach(n *node) (low, high float64) {
	arguments := [...]Node{n.a, n.b, n.c}
	for _, argument := range arguments[:n.kind.arguments()] {
		if !a.bounded(argument) {
			return math.Inf(-1), math.Inf(1)
		}
	}
	switch n.kind {
	case constant:
		return n.p[0], n.p[0]
	case gradient:
		if n.p[0] != n.p[1] { // or it is no number at its height
			return widen(min(n.p[2], n.p[3]), max(n.p[2], n.p[3]))
		}
	case sample, shiftedSample:
		if max(math.Abs(n.p[0]), math.Abs(n.p[1])) < maxScale {
			return -n.reach, n.reach
		}
	case shift, shiftA, shiftB:
		return -4 * n.reach, 4 * n.reach
	case weirdScaled:
		return 0, (1 + n.p[0]) * n.reach
	case blendedNoise:
		return -smearedReach, smearedReach
	case flatCache:
		return a.low[n.a], a.high[n.a]
	case interpolated, cellInterpolated:
		return widen(a.low[n.a], a.high[n.a])
	case rangeChoice:
		return n.choiceReach(a.low[n.a], a.high[n.a],
			a.low[n.b], a.high[n.b], a.low[n.c], a.high[n.c])
	case intervalSelect:
		low, high = math.Inf(1), math.Inf(-1)
		for _, f := range n.functions {
			if !a.bounded(f) {
				return math.Inf(-1), math.Inf(1)
			}
			low, high = min(low, a.low[f]), max(high, a.high[f])
		}
		return low, high
	case add, mul, minimum, maximum:
		return n.pairReach(a.low[n.a], a.high[n.a], a.low[n.b], a.high[n.b])
	case plus, times, abs, square, cube, halfNegative, quarterNegative, invert, squeeze, clamp:
		return n.oneReach(a.low[n.a], a.high[n.a])
	}
	return math.Inf(-1), math.Inf(1)
}

// widen moves bounds by more than roundings do, but over no zero: what is
// interpolated between values of one sign has that sign.
func widen(low, high float64) (float64, float64) {
	by := float64(1e-13 * max(math.Abs(low), math.Abs(high)))
	wideLow, wideHigh := low-by, high+by
	if low > 0 && wideLow <= 0 || low == 0 {
		wideLow = 0
	}
	if high < 0 && wideHigh >= 0 || high == 0 {
		wideHigh = 0
	}
	return wideLow, wideHigh
}

// The functions below bound kinds by finite bounds of their arguments.
// Additions and products of floating-point numbers are monotone, so that the
// same operation on bounds gives bounds.

func (n *node) oneReach(low, high float64) (float64, float64) {
	switch n.kind {
	case plus:
		return low + n.p[0], high + n.p[0]
	case times:
		return order(low*n.p[0], high*n.p[0])
	case abs, square:
		first, last := order(transform(n.kind, low), transform(n.kind, high))
		if low <= 0 && high >= 0 {
			first = 0
		}
		return first, last
	case invert:
		if low <= 0 && high >= 0 {
			return math.Inf(-1), math.Inf(1)
		}
		return 1 / high, 1 / low
	case squeeze:
		return widen(transform(squeeze, low), transform(squeeze, high))
	case clamp:
		if n.p[0] > n.p[1] {
			return n.p[1], n.p[0]
		}
		return clampTo(low, n.p[0], n.p[1]), clampTo(high, n.p[0], n.p[1])
	}
	return transform(n.kind, low), transform(n.kind, high)
}

func order(a, b float64) (low, high float64) { return min(a, b), max(a, b) }

func (n *node) pairReach(lowA, highA, lowB, highB float64) (low, high float64) {
	switch n.kind {
	case add:
		return lowA + lowB, highA + highB
	case mul:
		low, high = order(lowA*lowB, lowA*highB)
		low2, high2 := order(highA*lowB, highA*highB)
		return min(low, low2), max(high, high2)
	case minimum: // the left argument alone where it is below p0
		return min(lowA, lowB), min(highA, max(highB, n.p[0]))
	default: // maximum
		return max(lowA, min(lowB, n.p[0])), max(highA, highB)
	}
}

func (n *node) choiceReach(low, high, lowIn, highIn, lowOut, highOut float64) (float64, float64) {
	switch {
	case low >= n.p[0] && high < n.p[1]:
		return lowIn, highIn
	case high < n.p[0] || low >= n.p[1]:
		return lowOut, highOut
	}
	return min(lowIn, lowOut), max(highIn, highOut)
}
