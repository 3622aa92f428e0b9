package plant

import (
	"cmp"
	"slices"
)

// place is a place of a block.
type place struct{ x, y, z int }

// hash is what Java's tables take of the hash of a place.
func (p place) hash() int {
	h := uint32(p.x) + 31*(uint32(p.y)+31*uint32(p.z))
	return int(h ^ h>>16)
}

// places is a set that lists its places in the order of Java's
// HashSet<BlockPos>, on which the random numbers of each place depend: by the
// buckets of a table that grows, and in a bucket as they were added. The order
// of buckets of more than eight, which Java makes trees once there are 64, is
// not kept: patches are flat, and their places far apart by the hash.
type places struct {
	added   []place
	buckets int
}

const (
	fewestBuckets = 16
	longBucket    = 8
	treeBuckets   = 64 // with fewer, long buckets make the table grow
)

func (s *places) bucket(p place) int { return p.hash() & (s.buckets - 1) }

// add adds a place that is not there yet.
func (s *places) add(p place) {
	s.buckets = max(s.buckets, fewestBuckets)
	s.added = append(s.added, p)
	if s.buckets < treeBuckets && s.load(p) > longBucket {
		s.buckets *= 2
	}
	if len(s.added) > s.buckets/4*3 {
		s.buckets *= 2
	}
}

// load is how many places there are in the bucket of a place.
func (s *places) load(p place) (n int) {
	for _, other := range s.added {
		if s.bucket(other) == s.bucket(p) {
			n++
		}
	}
	return n
}

// list returns the places in order, which ends the set.
func (s *places) list() []place {
	slices.SortStableFunc(s.added, func(a, b place) int { return cmp.Compare(s.bucket(a), s.bucket(b)) })
	return s.added
}
