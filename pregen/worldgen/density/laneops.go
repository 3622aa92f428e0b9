package density

import (
	"math"
	"math/bits"
)

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
