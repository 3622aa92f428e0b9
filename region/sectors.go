package region

import "math/bits"

// extent is a run of sectors.
type extent struct{ start, n uint32 }

func (x extent) end() uint32 { return x.start + x.n }

// sectorMap counts for every sector how many holders name it: location
// entries, staged records and pins. Only a sector that nobody names is
// allocated, so an entry of a damaged header protects what it points at, even
// if another entry points there as well. Sectors at or beyond MaxSectors are
// never allocated and therefore not tracked.
//
// The zero value is not ready; use newSectorMap.
type sectorMap struct {
	refs []uint16 // holders of each sector
	used []uint64 // bit i: refs[i] > 0
	end  uint32   // one past the last sector in use
	live int      // sectors in use, the header's included
}

func newSectorMap() *sectorMap {
	m := &sectorMap{}
	m.retain(extent{0, HeaderSectors})
	return m
}

// clip leaves the part of x that can be tracked.
func clip(x extent) extent {
	if x.start >= MaxSectors {
		return extent{}
	}
	return extent{x.start, min(x.n, MaxSectors-x.start)}
}

func (m *sectorMap) retain(x extent) {
	x = clip(x)
	if need := int(x.end()); need > len(m.refs) {
		m.refs = append(m.refs, make([]uint16, need-len(m.refs))...)
		m.used = append(m.used, make([]uint64, (need+63)/64-len(m.used))...)
	}
	for s := x.start; s < x.end(); s++ {
		if m.refs[s] == 0 {
			m.used[s/64] |= 1 << (s % 64)
			m.live++
		}
		m.refs[s]++
	}
	if x.n > 0 {
		m.end = max(m.end, x.end())
	}
}

// release takes one holder off each sector of x and reports how many sectors
// are still held by others.
func (m *sectorMap) release(x extent) (held int) {
	x = clip(x)
	for s := x.start; s < x.end(); s++ {
		m.refs[s]--
		if m.refs[s] > 0 {
			held++
			continue
		}
		m.used[s/64] &^= 1 << (s % 64)
		m.live--
	}
	if x.end() == m.end {
		m.end = m.lastUsed() + 1
	}
	return held
}

func (m *sectorMap) lastUsed() uint32 {
	for w := len(m.used) - 1; ; w-- {
		if v := m.used[w]; v != 0 {
			return uint32(w*64 + 63 - bits.LeadingZeros64(v))
		}
	}
}

// alloc takes n sectors: the smallest free run that holds them, the first of
// equal ones, else the end of the file. Best fit leaves about half the waste
// of first fit when records are rewritten at random. ok is false if the run
// would reach past MaxSectors.
func (m *sectorMap) alloc(n uint32) (x extent, ok bool) {
	best := extent{m.end, ^uint32(0)}
	for s := m.nextFree(HeaderSectors); s < m.end; {
		e := m.nextUsed(s)
		if e >= m.end {
			break
		}
		if run := e - s; run >= n && run < best.n {
			best = extent{s, run}
			if run == n {
				break
			}
		}
		s = m.nextFree(e)
	}
	if best.start+n > MaxSectors {
		return extent{}, false
	}
	x = extent{best.start, n}
	m.retain(x)
	return x, true
}

func (m *sectorMap) nextFree(s uint32) uint32 {
	for w := s / 64; int(w) < len(m.used); w++ {
		v := ^m.used[w]
		if w == s/64 {
			v &= ^uint64(0) << (s % 64)
		}
		if v != 0 {
			return w*64 + uint32(bits.TrailingZeros64(v))
		}
	}
	return uint32(len(m.used)) * 64
}

func (m *sectorMap) nextUsed(s uint32) uint32 {
	for w := s / 64; int(w) < len(m.used); w++ {
		v := m.used[w]
		if w == s/64 {
			v &= ^uint64(0) << (s % 64)
		}
		if v != 0 {
			return w*64 + uint32(bits.TrailingZeros64(v))
		}
	}
	return uint32(len(m.used)) * 64
}

// shared reports whether more than one holder names a sector of x.
func (m *sectorMap) shared(x extent) bool {
	x = clip(x)
	for s := x.start; s < x.end(); s++ {
		if m.refs[s] > 1 {
			return true
		}
	}
	return false
}
