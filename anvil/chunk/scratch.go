package chunk

import (
	"slices"
	"sync"
)

// scratch is memory for work on a whole section.
type scratch struct {
	spread [SectionCells]uint16
	cells  [SectionCells]uint16 // of build: indices into palette
	mapped []uint16

	// Of build: where a value stands in the palette, plus one.
	index   [1 << 16]uint16
	palette []uint16
	counts  []int32
	order   []uint16
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

func getScratch() *scratch  { return scratches.Get().(*scratch) }
func putScratch(s *scratch) { scratches.Put(s) }

// build makes the palette of values, ordered by how many cells have an entry,
// those of equal number by where they first occur. cells are then the indices
// of the values, counts the numbers. All are good until the next call.
func (s *scratch) build(src []uint16) []uint16 {
	palette, counts := s.palette[:0], s.counts[:0]
	cells := s.cells[:len(src)]
	last, at := uint16(0), uint16(0)
	for i, v := range src {
		if at == 0 || v != last {
			last, at = v, s.index[v]
			if at == 0 {
				palette, counts = append(palette, v), append(counts, 0)
				at = uint16(len(palette))
				s.index[v] = at
			}
		}
		counts[at-1]++
		cells[i] = at - 1
	}
	for _, v := range palette {
		s.index[v] = 0
	}
	s.palette, s.counts = palette, counts
	s.sort(cells)
	return s.palette
}

// sort orders the palette that build has found.
func (s *scratch) sort(cells []uint16) {
	n := len(s.palette)
	order := s.order[:0]
	sorted := true
	for i := range n {
		order = append(order, uint16(i))
		sorted = sorted && (i == 0 || s.counts[i-1] >= s.counts[i])
	}
	s.order = order
	if sorted {
		return
	}
	slices.SortStableFunc(order, func(a, b uint16) int { return int(s.counts[b]) - int(s.counts[a]) })
	palette, counts := slices.Clone(s.palette), slices.Clone(s.counts)
	to := make([]uint16, n)
	for i, from := range order {
		s.palette[i], s.counts[i] = palette[from], counts[from]
		to[from] = uint16(i)
	}
	for i, c := range cells {
		cells[i] = to[c]
	}
}
