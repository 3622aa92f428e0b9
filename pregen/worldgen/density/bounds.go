package density

import "math"

// bound sets a node's bounds by the game's rules. They show in the output,
// since min and max leave out their right argument by its bounds.
func (g *Graph) bound(n *node) {
	if n.kind.arguments() > 0 {
		n.low, n.high = g.nodes[n.a].low, g.nodes[n.a].high
	}
	switch n.kind {
	case constant:
		n.low, n.high = n.p[0], n.p[0]
	case plus:
		n.low, n.high = n.low+n.p[0], n.high+n.p[0]
	case times:
		n.low, n.high = float64(n.low*n.p[0]), float64(n.high*n.p[0])
		if !(n.p[0] >= 0) {
			n.low, n.high = n.high, n.low
		}
	case add, mul, minimum, maximum:
		n.low, n.high = pairBounds(n.kind, &g.nodes[n.a], &g.nodes[n.b])
	case abs, square, cube, halfNegative, quarterNegative, invert, squeeze:
		n.low, n.high = mapBounds(n.kind, n.low, n.high)
	case clamp:
		n.low, n.high = n.p[0], n.p[1]
	case gradient:
		n.low, n.high = min(n.p[2], n.p[3]), max(n.p[2], n.p[3])
	case rangeChoice:
		n.low = min(g.nodes[n.b].low, g.nodes[n.c].low)
		n.high = max(g.nodes[n.b].high, g.nodes[n.c].high)
	case intervalSelect:
		n.low, n.high = math.Inf(1), math.Inf(-1)
		for _, f := range n.functions {
			n.low, n.high = min(n.low, g.nodes[f].low), max(n.high, g.nodes[f].high)
		}
	case topSurface:
		n.low, n.high = n.p[0], max(n.p[0], g.nodes[n.b].high)
	case splineOf:
		n.low, n.high = float64(n.spline.low), float64(n.spline.high)
	case blendDensity, beardifier:
		n.low, n.high = math.Inf(-1), math.Inf(1)
	case blendAlpha:
		n.low, n.high = 1, 1
	case blendOffset:
		n.low, n.high = 0, 0
	default:
		n.noiseBounds()
	}
}

func (n *node) noiseBounds() {
	switch n.kind {
	case sample, shiftedSample:
		n.high = n.noise.Max()
	case shift, shiftA, shiftB:
		n.high = n.noise.Max() * 4
	case blendedNoise:
		n.high = n.blended.Max()
	case weirdScaled:
		n.low, n.high = 0, (1+n.p[0])*n.noise.Max()
		return
	case endIslands:
		n.low, n.high = -0.84375, 0.5625
		return
	default: // a cache or an interpolation
		return
	}
	n.low = -n.high
}

func pairBounds(k kind, a, b *node) (low, high float64) {
	switch k {
	case add:
		return a.low + b.low, a.high + b.high
	case minimum:
		return min(a.low, b.low), min(a.high, b.high)
	case maximum:
		return max(a.low, b.low), max(a.high, b.high)
	}
	switch {
	case a.low > 0 && b.low > 0:
		return a.low * b.low, a.high * b.high
	case a.high < 0 && b.high < 0:
		return a.high * b.high, a.low * b.low
	}
	return min(a.low*b.high, a.high*b.low), max(a.low*b.low, a.high*b.high)
}

func mapBounds(k kind, low, high float64) (float64, float64) {
	first, last := transform(k, low), transform(k, high)
	switch {
	case k == invert && low < 0 && high > 0:
		return math.Inf(-1), math.Inf(1)
	case k == invert:
		return last, first
	case k == abs || k == square:
		return max(0, low), max(first, last)
	}
	return first, last
}

// transform applies a function of one number.
func transform(k kind, v float64) float64 {
	switch k {
	case abs:
		return math.Abs(v)
	case square:
		return v * v
	case cube:
		return v * v * v
	case halfNegative:
		if v > 0 {
			return v
		}
		return v * 0.5
	case quarterNegative:
		if v > 0 {
			return v
		}
		return v * 0.25
	case invert:
		return 1 / v
	default: // squeeze
		v = clampTo(v, -1, 1)
		return float64(v/2) - float64(v*v*v/24)
	}
}

// clampTo lets NaN through, as the game's does.
func clampTo(v, low, high float64) float64 {
	if v < low {
		return low
	}
	return min(v, high)
}
