package climate

import (
	"math"
	"math/big"
)

// hit is what a search of a tree found: the item of the nearest leaf, its
// distance, and whether an item of another class is as near.
type hit struct {
	distance int64
	item     int32
	tied     bool
}

// search is one walk through a tree.
type search struct {
	hit
	nodes   []node
	classes []uint32
	safe    []bool // nil if no item is
	point   Point
}

// nearest finds the item nearest to a point, of equally near ones that of start
// and then the first in the tree's order. start is where the search begins: an
// item that is likely to be near, or -1.
func (t *tree) nearest(p *Point, start int32) hit {
	s := search{nodes: t.nodes, classes: t.classes, safe: t.safe, point: *p}
	s.distance, s.item = math.MaxInt64, -1
	if start >= 0 {
		leaf := &t.nodes[t.leaves[start]]
		s.distance, s.item = leaf.distance(p), start
		if s.distance == 0 && t.safe != nil && t.safe[start] && leaf.inside(p) {
			return s.hit
		}
	}
	if t.safe != nil {
		if item := t.around(0, p); item >= 0 {
			return hit{item: item}
		}
	}
	if root := &t.nodes[0]; root.count == 0 {
		s.meet(root, root.distance(p))
	} else {
		s.walk(root)
	}
	s.distance = max(s.distance, 0)
	return s.hit
}

// around returns the safe item that a point is inside of, if there is one, below
// a node or at it: most points have one, and this is the quick way to it.
func (t *tree) around(at int32, p *Point) int32 {
	n := &t.nodes[at]
	if n.count == 0 {
		if t.safe[n.first] && n.inside(p) {
			return n.first
		}
		return -1
	}
	for child := n.first; child < n.first+n.count; child++ {
		if t.nodes[child].inside(p) {
			if item := t.around(child, p); item >= 0 {
				return item
			}
		}
	}
	return -1
}

// walk visits the children of a node. It goes into those that are as near as
// the best so far, too: the game does not, but they hold nothing nearer, only
// ties.
func (s *search) walk(n *node) {
	children := s.nodes[n.first : n.first+n.count]
	for i := range children {
		child := &children[i]
		d := child.distance(&s.point)
		switch {
		case d > s.distance:
		case child.count == 0:
			s.meet(child, d)
		default:
			s.walk(child)
		}
	}
}

// meet compares a leaf with the best so far.
func (s *search) meet(leaf *node, distance int64) {
	switch {
	case distance < s.distance:
		s.distance, s.item, s.tied = distance, leaf.first, false
		if distance == 0 && s.safe != nil && s.safe[leaf.first] && leaf.inside(&s.point) {
			s.distance = -1 // nothing else can be as near, so look no further
		}
	case distance == s.distance && s.classes[leaf.first] != s.classes[s.item]:
		s.tied = true
	}
}

// inside reports whether a point is inside a box and on none of its faces. It
// does not look at the depth.
func (b *box) inside(p *Point) bool {
	for i, v := range p {
		if i != Depth && (v <= int64(b.low[i]) || v >= int64(b.high[i])) {
			return false
		}
	}
	return true
}

// asGame finds the item as the game does, step by step, for points so far away
// that distances wrap around, where what is nearest depends on the walk.
func (t *tree) asGame(p *Point, start int32) int32 {
	if t.nodes[0].count == 0 {
		return t.nodes[0].first
	}
	best := int32(-1)
	if start >= 0 {
		best = t.leaves[start]
	}
	if best = t.descend(&t.nodes[0], p, best); best < 0 {
		return 0 // all distances wrapped around to the largest number
	}
	return t.nodes[best].first
}

// descend returns the node of the best leaf below n, or best if none is better.
func (t *tree) descend(n *node, p *Point, best int32) int32 {
	least := int64(math.MaxInt64)
	if best >= 0 {
		least = t.nodes[best].distance(p)
	}
	for at := n.first; at < n.first+n.count; at++ {
		child := &t.nodes[at]
		d := child.distance(p)
		if least <= d {
			continue
		}
		leaf := at
		if child.count > 0 {
			leaf = t.descend(child, p, best)
			if leaf < 0 {
				continue
			}
			d = t.nodes[leaf].distance(p)
		}
		if d < least {
			least, best = d, leaf
		}
	}
	return best
}

// findSafe sets safe, for boxes that share no inner point with another one. The
// boxes of the overworld's table tile the space of climates, so that all are.
// Depth is left out.
func (t *tree) findSafe() {
	t.safe = make([]bool, len(t.leaves))
	for item, at := range t.leaves {
		leaf := &t.nodes[at]
		t.safe[item] = leaf.low[offset] == 0 && !t.overlaps(&t.nodes[0], leaf)
	}
}

// overlaps reports whether a leaf below n, or n itself, shares inner points
// with leaf and is another.
func (t *tree) overlaps(n, leaf *node) bool {
	for i := range Parameters {
		if i != Depth && (n.low[i] >= leaf.high[i] || n.high[i] <= leaf.low[i]) {
			return false
		}
	}
	if n.count == 0 {
		return n.first != leaf.first
	}
	for at := range n.count {
		if t.overlaps(&t.nodes[n.first+at], leaf) {
			return true
		}
	}
	return false
}

// fills reports whether the items fill the root's bounds: none shares inner
// points with another, and their volumes are that of the bounds, which is not 0.
// Depth is left out.
func (t *tree) fills() bool {
	sum := new(big.Int)
	for item, leaf := range t.leaves {
		if !t.safe[item] {
			return false
		}
		sum.Add(sum, t.nodes[leaf].volume())
	}
	return sum.Sign() > 0 && sum.Cmp(t.nodes[0].volume()) == 0
}

// volume is that of the five parameters without the depth.
func (b *box) volume() *big.Int {
	v := big.NewInt(1)
	for i := range Parameters {
		if i != Depth {
			v.Mul(v, big.NewInt(int64(b.high[i]-b.low[i])))
		}
	}
	return v
}
