package feature

import "slices"

// tickSet knows the ticks of a list by place and target, as long as a view stays
// where it is: a block or a fluid has one tick at a time, the first that is
// scheduled.
type tickSet struct {
	seen    map[uint64]struct{}
	names   []string // of targets, by their number in seen
	indexed int      // of the list
}

func (s *tickSet) reset() {
	clear(s.seen)
	s.indexed = 0
}

// key is a tick's place and target; the list is one chunk's.
func (s *tickSet) key(t *Tick) uint64 {
	name := slices.Index(s.names, t.ID)
	if name < 0 {
		name = len(s.names)
		s.names = append(s.names, t.ID)
	}
	return uint64(uint32(t.Y))<<32 | uint64(name)<<8 | uint64(t.Z&15)<<4 | uint64(t.X&15)
}

// add appends a tick to a list unless there is one like it. What was put into
// the list by others counts too.
func (s *tickSet) add(list *[]Tick, t Tick) {
	if s.seen == nil {
		s.seen = make(map[uint64]struct{})
	}
	if s.indexed > len(*list) {
		s.reset() // the list was made what it was before
	}
	for ; s.indexed < len(*list); s.indexed++ {
		s.seen[s.key(&(*list)[s.indexed])] = struct{}{}
	}
	key := s.key(&t)
	if _, ok := s.seen[key]; ok {
		return
	}
	s.seen[key] = struct{}{}
	s.indexed++
	*list = append(*list, t)
}
