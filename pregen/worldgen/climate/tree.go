package climate

import (
	"cmp"
	"math"
	"slices"
)

// fanOut is how many children a node of the tree has at most.
const fanOut = 6

// box is a row or a node's bounds: the six parameters and the offset.
type box struct{ low, high [dimensions]int32 }

// centre is the middle of a dimension, rounded towards zero as the game does.
func (b *box) centre(d int) int32 { return (b.low[d] + b.high[d]) / 2 }

// cover makes b include other.
func (b *box) cover(other *box) {
	for d := range dimensions {
		b.low[d] = min(b.low[d], other.low[d])
		b.high[d] = max(b.high[d], other.high[d])
	}
}

// distance is the sum of squares from the box to a point, whose offset is 0.
func (b *box) distance(p *Point) int64 {
	sum := int64(b.low[offset]) * int64(b.low[offset])
	for i, v := range p {
		d := max(v-int64(b.high[i]), int64(b.low[i])-v, 0)
		sum += d * d
	}
	return sum
}

// node is a node of a tree. A leaf has no children, and first is its item.
type node struct {
	box
	first, count int32
}

// tree is the game's search tree over boxes. It has to be the game's in the
// order of leaves alone, which decides between boxes at the same distance.
// Siblings lie one after the other; the root is node 0.
type tree struct {
	nodes   []node
	leaves  []int32  // the node of each item
	classes []uint32 // of each item; items of one class are no tie
	safe    []bool   // see findSafe
}

// branch is a node of a tree that is being built.
type branch struct {
	box
	item     int32 // of a leaf
	children []*branch
	// ranks are a leaf's places in the order of each dimension, among all.
	ranks [dimensions]int32
}

// newTree makes a tree of boxes, whose items are their places in the list.
func newTree(boxes []box, classes []uint32) tree {
	leaves := make([]branch, len(boxes))
	list := make([]*branch, len(boxes))
	for i := range boxes {
		leaves[i] = branch{box: boxes[i], item: int32(i)}
		list[i] = &leaves[i]
	}
	rank(list)
	t := tree{
		nodes:   make([]node, 1, len(boxes)+len(boxes)/2+1),
		leaves:  make([]int32, len(boxes)),
		classes: classes,
	}
	t.place(0, grow(list))
	return t
}

// place writes a branch and all below it, in the order of a walk in depth.
func (t *tree) place(at int, b *branch) {
	if b.children == nil {
		t.nodes[at] = node{box: b.box, first: b.item}
		t.leaves[b.item] = int32(at)
		return
	}
	first := len(t.nodes)
	t.nodes[at] = node{box: b.box, first: int32(first), count: int32(len(b.children))}
	t.nodes = slices.Grow(t.nodes, len(b.children))[:first+len(b.children)]
	for i, child := range b.children {
		t.place(first+i, child)
	}
}

// join makes a node over children.
func join(children []*branch) *branch {
	b := &branch{box: children[0].box, children: children}
	for _, child := range children[1:] {
		b.cover(&child.box)
	}
	return b
}

// grow makes a tree of a list of leaves, whose order it changes. The game's sorts
// are stable, so leaves with the same centres stay in the order of the rows.
func grow(list []*branch) *branch {
	if len(list) == 1 {
		return list[0]
	}
	if len(list) <= fanOut {
		slices.SortStableFunc(list, func(a, b *branch) int { return cmp.Compare(eccentricity(a), eccentricity(b)) })
		return join(list)
	}
	best, bestDimension := []*branch(nil), 0
	bestCost := int64(math.MaxInt64)
	for d := range dimensions {
		order(list, d)
		buckets := split(list)
		if c := cost(buckets); c < bestCost {
			best, bestDimension, bestCost = buckets, d, c
		}
	}
	slices.SortStableFunc(best, func(a, b *branch) int {
		return compare(a, b, bestDimension, func(v int32) int32 { return max(v, -v) })
	})
	for i, bucket := range best {
		best[i] = grow(bucket.children)
	}
	return join(best)
}

// eccentricity is how far from the middle of all dimensions a branch is.
func eccentricity(b *branch) int64 {
	var sum int64
	for d := range dimensions {
		sum += int64(max(b.centre(d), -b.centre(d)))
	}
	return sum
}

// compare tells the order of two branches by the centres of a dimension, then of
// those after it, going around, seen through a function.
func compare(a, b *branch, dimension int, see func(int32) int32) int {
	for d := range dimensions {
		d = (dimension + d) % dimensions
		if v, w := see(a.centre(d)), see(b.centre(d)); v != w {
			return cmp.Compare(v, w)
		}
	}
	return 0
}

// rank sets the ranks of all leaves. A part of them is then in order if its
// ranks are.
func rank(leaves []*branch) {
	sorted := slices.Clone(leaves)
	for d := range dimensions {
		slices.SortFunc(sorted, func(a, b *branch) int {
			if c := compare(a, b, d, func(v int32) int32 { return v }); c != 0 {
				return c
			}
			return cmp.Compare(a.item, b.item)
		})
		for i, leaf := range sorted {
			leaf.ranks[d] = int32(i)
		}
	}
}

// order sorts leaves by their ranks in a dimension.
func order(list []*branch, dimension int) {
	keys := make([]uint64, len(list))
	for i, leaf := range list {
		keys[i] = uint64(leaf.ranks[dimension])<<32 | uint64(i)
	}
	slices.Sort(keys)
	before := slices.Clone(list)
	for i, key := range keys {
		list[i] = before[uint32(key)]
	}
}

// split cuts a list into nodes of the largest power of fanOut that is less than
// its length.
func split(list []*branch) []*branch {
	size := 1
	for size*fanOut < len(list) {
		size *= fanOut
	}
	var buckets []*branch
	for part := range slices.Chunk(list, size) {
		buckets = append(buckets, join(slices.Clone(part)))
	}
	return buckets
}

// cost is the sum of all extents.
func cost(buckets []*branch) int64 {
	var sum int64
	for _, b := range buckets {
		for d := range dimensions {
			sum += int64(b.high[d] - b.low[d])
		}
	}
	return sum
}
