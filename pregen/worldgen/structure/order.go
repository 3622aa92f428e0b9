package structure

import (
	"cmp"
	"slices"
)

// orderReferences puts the starts that a chunk refers to in the order of steps
// and numbers of their structures, and those of one structure in the order in
// which the game goes through them: that of a hash set of chunk positions.
func orderReferences(starts []*Start, structures map[string]*Structure) {
	number := func(s *Start) int32 {
		if known := structures[s.ID]; known != nil {
			return known.Step<<16 | known.Index
		}
		return -1
	}
	slices.SortStableFunc(starts, func(a, b *Start) int { return cmp.Compare(number(a), number(b)) })
	for first := 0; first < len(starts); {
		end := first + 1
		for end < len(starts) && starts[end].ID == starts[first].ID {
			end++
		}
		if end-first > 1 {
			hashOrder(starts[first:end])
		}
		first = end
	}
}

// hashOrder is the order of a set of longs with open addressing, into which the
// chunks were put one after the other: from the last slot to the first, and 0,
// which has no slot, before all.
func hashOrder(starts []*Start) {
	size := 32
	for len(starts) > size*3/4 {
		size *= 2
	}
	slots := make([]*Start, size)
	var zero []*Start
	for _, s := range starts {
		key := uint64(uint32(s.X)) | uint64(uint32(s.Z))<<32
		if key == 0 {
			zero = append(zero, s)
			continue
		}
		key *= 0x9E3779B97F4A7C15
		key ^= key >> 32
		key ^= key >> 16
		at := int(key) & (size - 1)
		for slots[at] != nil {
			at = (at + 1) & (size - 1)
		}
		slots[at] = s
	}
	ordered := zero
	for at := size - 1; at >= 0; at-- {
		if slots[at] != nil {
			ordered = append(ordered, slots[at])
		}
	}
	copy(starts, ordered)
}
