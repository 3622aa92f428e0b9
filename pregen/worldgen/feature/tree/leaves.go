package tree

import (
	"sync"

	"strata/anvil/block"
)

// farthest is the distance from a log of leaves that decay, and the largest
// there is.
const farthest = 7

// leafProperties are the places of properties of leaves, by block.
type leafProperties struct{ distance, persistent [block.BlockCount]int8 }

var leafTable = sync.OnceValue(func() *leafProperties {
	t := new(leafProperties)
	for id := range block.ID(block.BlockCount) {
		t.distance[id], t.persistent[id] = none, none
		if id.Default().Leaves() {
			t.distance[id] = int8(id.PropertyIndex("distance"))
			t.persistent[id] = int8(id.PropertyIndex("persistent"))
		}
	}
	return t
})

// persistent reports whether a block is leaves that do not decay. Trees leave
// them alone.
func persistent(s block.State) bool {
	i := leafTable().persistent[s.Block()]
	return i >= 0 && s.Value(int(i)) == 0 // "true" comes first
}

// distance is how far leaves are from a log, 0 for a log; false for other
// blocks.
func (w *work) distance(s block.State) (int, bool) {
	if i := leafTable().distance[s.Block()]; i >= 0 {
		return s.Value(int(i)) + 1, true
	}
	return 0, w.tree.noDecay.Has(s)
}

// measure finds the bounds of the tree, and marks roots and decorations as
// filled.
func (w *work) measure() {
	first := true
	for _, s := range [...]*hashSet{&w.roots, &w.trunks, &w.foliage, &w.decorations} {
		for i := range s.nodes {
			p := s.nodes[i].at
			if first {
				w.low, w.high, first = p, p, false
			}
			w.low = pos{min(w.low.x, p.x), min(w.low.y, p.y), min(w.low.z, p.z)}
			w.high = pos{max(w.high.x, p.x), max(w.high.y, p.y), max(w.high.z, p.z)}
		}
	}
	words := (w.index(w.high) + 64) / 64
	if cap(w.filled) < words {
		w.filled = make([]uint64, words)
	}
	w.filled = w.filled[:words]
	clear(w.filled)
	for _, s := range [...]*hashSet{&w.roots, &w.decorations} {
		for i := range s.nodes {
			w.fill(s.nodes[i].at)
		}
	}
}

// index numbers the places within the bounds.
func (w *work) index(p pos) int {
	return ((p.y-w.low.y)*(w.high.z-w.low.z+1)+p.z-w.low.z)*(w.high.x-w.low.x+1) + p.x - w.low.x
}

func (w *work) within(p pos) bool {
	return p.x >= w.low.x && p.x <= w.high.x && p.y >= w.low.y && p.y <= w.high.y && p.z >= w.low.z && p.z <= w.high.z
}

func (w *work) fill(p pos)          { i := w.index(p); w.filled[i>>6] |= 1 << (i & 63) }
func (w *work) isFilled(p pos) bool { i := w.index(p); return w.filled[i>>6]&(1<<(i&63)) != 0 }

// updateLeaves gives the leaves within the bounds their distance from logs, and
// marks logs and leaves as filled.
//
// Leaves wait in a set for each distance. Some wait in two, since those beside
// leaves of their own distance are put in line again; the later, larger distance
// stays. So it is in the game, and depends on the order of its sets.
func (w *work) updateLeaves() {
	sets := &w.distances
	for i := range sets {
		sets[i].reset()
	}
	w.list = w.trunks.list(w.list[:0])
	for _, p := range w.list {
		sets[0].add(p)
	}
	for far := 0; far < farthest; {
		if sets[far].count == 0 {
			far++
			continue
		}
		p := sets[far].take()
		if far > 0 {
			s := w.Block(p.x, p.y, p.z)
			if i := leafTable().distance[s.Block()]; i >= 0 {
				w.SetKnown(p.x, p.y, p.z, s.WithValue(int(i), far-1))
			}
		}
		w.fill(p)
		for _, step := range steps {
			near := p.offset(step.x, step.y, step.z)
			if !w.within(near) || w.isFilled(near) {
				continue
			}
			known, ok := w.distance(w.Block(near.x, near.y, near.z))
			if !ok {
				continue
			}
			if next := min(known, far+1); next < farthest {
				sets[next].add(near)
				far = min(far, next)
			}
		}
	}
}
