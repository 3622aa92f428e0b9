package prune

import (
	"math/bits"

	"strata/region"
)

// Flags are what is known of a chunk.
type Flags uint8

// The flags.
const (
	// Picked: the expression picks it.
	Picked Flags = 1 << iota
	// Protected: it stays, whatever was picked.
	Protected
	// Decorated: its features are made, and may lie in the chunks around it.
	Decorated
	// Touched: it may hold features of the chunks around it.
	Touched
)

// Map is what is known of the chunks of a dimension. The zero value is empty:
// chunks without flags are absent, or hold nothing that matters.
type Map struct {
	regions map[region.Pos]*[region.Slots]Flags
}

// Add adds flags to those of a chunk.
func (m *Map) Add(pos region.ChunkPos, f Flags) {
	m.region(pos.Region())[pos.Slot()] |= f
}

// AddRegion adds flags to those of all chunks of a region.
func (m *Map) AddRegion(pos region.Pos, f Flags) {
	flags := m.region(pos)
	for i := range flags {
		flags[i] |= f
	}
}

// Of is what is known of a chunk.
func (m *Map) Of(pos region.ChunkPos) Flags {
	if flags := m.regions[pos.Region()]; flags != nil {
		return flags[pos.Slot()]
	}
	return 0
}

func (m *Map) region(pos region.Pos) *[region.Slots]Flags {
	if m.regions == nil {
		m.regions = map[region.Pos]*[region.Slots]Flags{}
	}
	flags := m.regions[pos]
	if flags == nil {
		flags = new([region.Slots]Flags)
		m.regions[pos] = flags
	}
	return flags
}

// stays reports whether a chunk with these flags stays before the margin is
// looked at.
func (f Flags) stays() bool { return f&(Picked|Protected) != Picked }

// margin is the set of chunks that are at most n chunks, in either direction,
// away from a decorated one that stays.
func (m *Map) margin(n int) set {
	sources := set{}
	for pos, flags := range m.regions {
		for slot, f := range flags {
			if f&Decorated != 0 && f.stays() {
				sources.add(pos.Chunk(region.Slot(slot)))
			}
		}
	}
	sources.grow(n)
	return sources
}

// Decided is what becomes of the picked chunks of a dimension.
type Decided struct {
	Picked    int64 `json:"picked"`
	Protected int64 `json:"protected"` // picked, and stay as they are protected
	Margin    int64 `json:"margin"`    // picked, and stay for the margin
	Remove    int64 `json:"remove"`
}

// Decide calls remove with the chunks that may go, in no order, and counts.
func (m *Map) Decide(margin int, remove func(region.ChunkPos)) Decided {
	var d Decided
	near := m.margin(margin)
	for at, flags := range m.regions {
		for slot, f := range flags {
			if f&Picked == 0 {
				continue
			}
			pos := at.Chunk(region.Slot(slot))
			d.Picked++
			switch {
			case f&Protected != 0:
				d.Protected++
			case f&Touched != 0 && margin > 0 && near.has(pos):
				d.Margin++
			default:
				d.Remove++
				remove(pos)
			}
		}
	}
	return d
}

// set is a set of chunks.
type set map[region.Pos]*[region.Slots / 64]uint64

func (s set) has(pos region.ChunkPos) bool {
	words, slot := s[pos.Region()], pos.Slot()
	return words != nil && words[slot/64]&(1<<(slot%64)) != 0
}

// add adds a chunk and reports whether it is new.
func (s set) add(pos region.ChunkPos) bool {
	at, slot := pos.Region(), pos.Slot()
	words := s[at]
	if words == nil {
		words = new([region.Slots / 64]uint64)
		s[at] = words
	}
	mask := uint64(1) << (slot % 64)
	added := words[slot/64]&mask == 0
	words[slot/64] |= mask
	return added
}

// grow adds the chunks that are at most n away from one of the set, ring by ring.
func (s set) grow(n int) {
	if n <= 0 {
		return
	}
	// Only what has a neighbour outside can grow: not the inside of large areas.
	var ring []region.ChunkPos
	for at, words := range s {
		for i, w := range words {
			for ; w != 0; w &= w - 1 {
				pos := at.Chunk(region.Slot(i*64 + bits.TrailingZeros64(w)))
				for _, next := range around(pos) {
					if !s.has(next) {
						ring = append(ring, pos)
						break
					}
				}
			}
		}
	}
	for range n {
		var outer []region.ChunkPos
		for _, pos := range ring {
			for _, next := range around(pos) {
				if s.add(next) {
					outer = append(outer, next)
				}
			}
		}
		ring = outer
	}
}

// around are the eight chunks around one.
func around(p region.ChunkPos) [8]region.ChunkPos {
	return [8]region.ChunkPos{
		{X: p.X - 1, Z: p.Z - 1}, {X: p.X, Z: p.Z - 1}, {X: p.X + 1, Z: p.Z - 1}, {X: p.X - 1, Z: p.Z},
		{X: p.X + 1, Z: p.Z}, {X: p.X - 1, Z: p.Z + 1}, {X: p.X, Z: p.Z + 1}, {X: p.X + 1, Z: p.Z + 1},
	}
}
