package tree

// hashSet is a set of places that lists them in the order of Java's
// HashSet<BlockPos>: by bucket, and in a bucket in the order of its nodes. The
// game walks over such sets, so that the order decides which random numbers a
// block gets.
//
// A bucket is a list; a long one is a red-black tree as well (hashtree.go),
// which changes where new nodes go in the list.
type hashSet struct {
	heads []int32 // by bucket, a node or none; a power of two of them
	nodes []node  // those that were removed are not used again
	count int
	first int // no bucket before it has a node
}

// none is no node.
const none = -1

// node is an element of a hashSet.
type node struct {
	at   pos
	hash uint32
	next int32
	// The rest is of nodes in trees alone.
	treed               bool
	red                 bool
	prev                int32
	parent, left, right int32
}

const (
	fewestBuckets = 16
	longBucket    = 8  // nodes of a bucket that is made a tree when one more comes
	shortBucket   = 6  // nodes of a tree that is made a list when buckets split
	treeBuckets   = 64 // buckets that a set has before it makes trees
)

// hashOf is the hash of a place as a table takes it.
func hashOf(p pos) uint32 {
	h := uint32(p.x) + 31*(uint32(p.y)+31*uint32(p.z))
	return h ^ h>>16
}

// reset empties the set.
func (s *hashSet) reset() {
	if cap(s.heads) < fewestBuckets {
		s.heads = make([]int32, fewestBuckets)
	}
	s.heads = s.heads[:fewestBuckets]
	for i := range s.heads {
		s.heads[i] = none
	}
	s.nodes, s.count, s.first = s.nodes[:0], 0, fewestBuckets
}

// find returns the bucket of a place, its node or none, and the last node of
// the bucket.
func (s *hashSet) find(p pos) (bucket int, found, last int32) {
	hash := hashOf(p)
	bucket = int(hash) & (len(s.heads) - 1)
	last = none
	for n := s.heads[bucket]; n != none; n = s.nodes[n].next {
		if s.nodes[n].at == p {
			return bucket, n, last
		}
		last = n
	}
	return bucket, none, last
}

// has reports whether a place is in the set.
func (s *hashSet) has(p pos) bool {
	_, found, _ := s.find(p)
	return found != none
}

// add puts a place into the set.
func (s *hashSet) add(p pos) {
	bucket, found, last := s.find(p)
	if found != none {
		return
	}
	n := int32(len(s.nodes))
	s.nodes = append(s.nodes, node{at: p, hash: hashOf(p), next: none, prev: none, parent: none, left: none, right: none})
	s.first = min(s.first, bucket)
	switch {
	case last == none:
		s.heads[bucket] = n
	case s.nodes[last].treed:
		s.addToTree(bucket, n)
	default:
		s.nodes[last].next = n
		if s.length(bucket) > longBucket {
			s.lengthened(bucket)
		}
	}
	if s.count++; s.count > len(s.heads)/4*3 {
		s.grow()
	}
}

func (s *hashSet) length(bucket int) (length int) {
	for n := s.heads[bucket]; n != none; n = s.nodes[n].next {
		length++
	}
	return length
}

// lengthened makes a bucket a tree, or more buckets if there are few.
func (s *hashSet) lengthened(bucket int) {
	if len(s.heads) < treeBuckets {
		s.grow()
		return
	}
	last := int32(none)
	for n := s.heads[bucket]; n != none; n = s.nodes[n].next {
		s.nodes[n].treed, s.nodes[n].prev = true, last
		last = n
	}
	s.growTree(bucket)
}

// grow doubles the buckets. Each splits in two, that keep their order.
func (s *hashSet) grow() {
	old := len(s.heads)
	if cap(s.heads) >= 2*old {
		s.heads = s.heads[:2*old]
	} else {
		s.heads = append(s.heads, make([]int32, old)...)
	}
	for bucket := range s.heads[:old] {
		s.split(bucket, old)
	}
	s.first = 0
}

// split moves the nodes of a bucket that belong to the one half on.
func (s *hashSet) split(bucket, half int) {
	treed := s.heads[bucket] != none && s.nodes[s.heads[bucket]].treed
	heads, lasts, counts := [2]int32{none, none}, [2]int32{none, none}, [2]int{}
	for n := s.heads[bucket]; n != none; {
		next := s.nodes[n].next
		side := 0
		if int(s.nodes[n].hash)&half != 0 {
			side = 1
		}
		if lasts[side] == none {
			heads[side] = n
		} else {
			s.nodes[lasts[side]].next = n
		}
		s.nodes[n].prev, s.nodes[n].next = lasts[side], none
		lasts[side] = n
		counts[side]++
		n = next
	}
	for side, head := range heads {
		at := bucket + side*half
		s.heads[at] = head
		switch {
		case !treed || head == none:
		case counts[side] <= shortBucket:
			for n := head; n != none; n = s.nodes[n].next {
				s.nodes[n].treed = false
			}
		case counts[1-side] > 0:
			s.growTree(at)
		}
	}
}

// take removes the first place of the set, which must have one, and returns it.
func (s *hashSet) take() pos {
	for s.heads[s.first] == none {
		s.first++
	}
	n := s.heads[s.first]
	next := s.nodes[n].next
	s.heads[s.first] = next
	if s.nodes[n].treed && next != none {
		s.nodes[next].prev = none
		s.removeFromTree(n)
	}
	s.count--
	return s.nodes[n].at
}

// list appends the places of the set in their order.
func (s *hashSet) list(to []pos) []pos {
	for _, head := range s.heads {
		for n := head; n != none; n = s.nodes[n].next {
			to = append(to, s.nodes[n].at)
		}
	}
	return to
}
