package jigsaw

import "strata/pregen/worldgen/structure"

// space is where pieces may still be: in a box, but for those that are there.
type space struct {
	outer structure.Box
	taken []structure.Box
}

// free reports whether all of a box may be taken.
func (s *space) free(b structure.Box) bool {
	if !s.outer.Encloses(b) {
		return false
	}
	for i := range s.taken {
		if s.taken[i].Meets(b) {
			return false
		}
	}
	return true
}

func (s *space) take(b structure.Box) { s.taken = append(s.taken, b) }
