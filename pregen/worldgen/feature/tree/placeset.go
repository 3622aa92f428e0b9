package tree

// PlaceSet is a set of places for other packages of features that lists them in
// the order of Java's HashSet<BlockPos>. It is to be Reset before use.
type PlaceSet struct{ set hashSet }

// Place is a place of a block: x, y, z.
type Place [3]int

// Reset empties the set; it keeps its memory.
func (s *PlaceSet) Reset() { s.set.reset() }

// Add puts a place into the set.
func (s *PlaceSet) Add(x, y, z int) { s.set.add(pos{x, y, z}) }

// Len is how many places there are.
func (s *PlaceSet) Len() int { return s.set.count }

// List appends the places to a list in their order.
func (s *PlaceSet) List(to []Place) []Place {
	for _, head := range s.set.heads {
		for n := head; n != none; n = s.set.nodes[n].next {
			at := &s.set.nodes[n].at
			to = append(to, Place{at.x, at.y, at.z})
		}
	}
	return to
}
