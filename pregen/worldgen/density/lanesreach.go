package density

import "math/bits"

// reach returns bounds of a node's values in a column, valid where the mask
// says. It evaluates no noise but what is flat.
func (l *lanes) reach(id Node, mask uint64) (low, high *lane) {
	if l.known.cheap[id] {
		v := l.need(id, mask)
		return v, v
	}
	missing := mask &^ l.bound[id]
	low, high = l.low[id], l.high[id]
	if !l.known.telling[id] || missing == 0 {
		return low, high
	}
	l.bound[id] |= missing
	switch n := &l.nodes[id]; n.kind {
	case rangeChoice:
		l.choiceReach(n, missing, low, high)
	case add, mul, minimum, maximum:
		l.pairReach(n, missing, low, high)
	default:
		l.oneReach(n, missing, low, high)
	}
	return low, high
}

func (l *lanes) oneReach(n *node, mask uint64, low, high *lane) {
	lowA, highA := l.reach(n.a, mask)
	for mask != 0 {
		first, last, rest := nextRun(mask)
		mask = rest
		l, h, x, y := low[first:last], high[first:last], lowA[first:last], highA[first:last]
		switch p := n.p[0]; {
		case n.kind == plus:
			for i := range l {
				l[i], h[i] = x[i]+p, y[i]+p
			}
		case n.kind == times && p >= 0:
			for i := range l {
				l[i], h[i] = x[i]*p, y[i]*p
			}
		case n.kind == times:
			for i := range l {
				l[i], h[i] = y[i]*p, x[i]*p
			}
		default:
			for i := range l {
				l[i], h[i] = n.oneReach(x[i], y[i])
			}
		}
	}
}

func (l *lanes) pairReach(n *node, mask uint64, low, high *lane) {
	lowA, highA := l.reach(n.a, mask)
	lowB, highB := l.reach(n.b, mask)
	cheap := l.known.cheap[n.a]
	for mask != 0 {
		first, last, rest := nextRun(mask)
		mask = rest
		l, h, x, y := low[first:last], high[first:last], lowA[first:last], highA[first:last]
		u, v := lowB[first:last], highB[first:last]
		switch {
		case n.kind == add:
			for i := range l {
				l[i], h[i] = x[i]+u[i], y[i]+v[i]
			}
		case n.kind == mul && cheap:
			for i := range l {
				if x[i] >= 0 {
					l[i], h[i] = x[i]*u[i], x[i]*v[i]
				} else {
					l[i], h[i] = x[i]*v[i], x[i]*u[i]
				}
			}
		default:
			for i := range l {
				l[i], h[i] = n.pairReach(x[i], y[i], u[i], v[i])
			}
		}
	}
}

// choiceReach looks only at the branches that may be taken.
func (l *lanes) choiceReach(n *node, mask uint64, low, high *lane) {
	in, out := l.branches(n, mask)
	unsure := mask &^ (in | out)
	lowB, highB := l.reach(n.b, in|unsure)
	lowC, highC := l.reach(n.c, out|unsure)
	for ; mask != 0; mask &= mask - 1 {
		switch i := bits.TrailingZeros64(mask); {
		case in>>i&1 != 0:
			low[i], high[i] = lowB[i], highB[i]
		case out>>i&1 != 0:
			low[i], high[i] = lowC[i], highC[i]
		default:
			low[i], high[i] = min(lowB[i], lowC[i]), max(highB[i], highC[i])
		}
	}
}

// branches tells where bounds of a rangeChoice's input decide it.
func (l *lanes) branches(n *node, mask uint64) (in, out uint64) {
	low, high := l.reach(n.a, mask)
	for ; mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros64(mask)
		switch {
		case low[i] >= n.p[0] && high[i] < n.p[1]:
			in |= 1 << i
		case high[i] < n.p[0] || low[i] >= n.p[1]:
			out |= 1 << i
		}
	}
	return in, out
}
