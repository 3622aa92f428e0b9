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
	n := &l.nodes[id]
	lowA, highA := l.reach(n.a, missing)
	var lowB, highB, lowC, highC *lane
	arguments := n.kind.arguments()
	if arguments > 1 {
		lowB, highB = l.reach(n.b, missing)
	}
	if arguments > 2 {
		lowC, highC = l.reach(n.c, missing)
	}
	for ; missing != 0; missing &= missing - 1 {
		i := bits.TrailingZeros64(missing)
		switch arguments {
		case 1:
			low[i], high[i] = n.oneReach(lowA[i], highA[i])
		case 2:
			low[i], high[i] = n.pairReach(lowA[i], highA[i], lowB[i], highB[i])
		default:
			low[i], high[i] = n.choiceReach(lowA[i], highA[i], lowB[i], highB[i], lowC[i], highC[i])
		}
	}
	return low, high
}
