package region

import (
	"encoding/binary"

	"strata/region/codec"
)

// scanWindow is how many sectors a scan reads at a time.
const scanWindow = 64

// scan looks for records at the start of every sector that is not in taken,
// whose extents are in ascending order, and calls found for each that is
// whole, decodes, and is accepted by the callback; without a callback streams
// of scheme none, which any bytes are, do not count. found returns false to
// end the scan. Stubs are not found: they do not say whose they are.
func (x *examiner) scan(taken []extent, found func(at uint32, v verdict) bool) error {
	end := x.beginScan()
	for s := uint32(HeaderSectors); s < end; {
		limit := x.size
		if len(taken) > 0 {
			if taken[0].end() <= s {
				taken = taken[1:]
				continue
			}
			if taken[0].start <= s {
				s = taken[0].end()
				continue
			}
			limit = min(limit, int64(taken[0].start)*SectorBytes)
		}
		head, err := x.head(s, end)
		if err != nil {
			return err
		}
		v, ok := x.tryRecord(head, s, limit)
		switch {
		case !ok:
			s++
		case !found(s, v):
			return nil
		case v.slack():
			s += sectorsFor(RecordHeaderBytes + v.used)
		default:
			s += v.sectors()
		}
	}
	return nil
}

// beginScan forgets the window, which is another file's, and returns the end
// of the sectors that an entry can name.
func (x *examiner) beginScan() (end uint32) {
	x.windowSectors = 0
	return uint32(min(sectorCount(x.size), 1<<24))
}

// findStub reports whether some sector begins a stub of a known scheme.
func (x *examiner) findStub() (bool, error) {
	end := x.beginScan()
	for s := uint32(HeaderSectors); s < end; s++ {
		head, err := x.head(s, end)
		if err != nil {
			return false, err
		}
		if recordLength(head) == 1 && head[4]&externalFlag != 0 && codec.Scheme(head[4]&^externalFlag).Known() {
			return true, nil
		}
	}
	return false, nil
}

// head is the start of sector s, from the window of sectors read last.
func (x *examiner) head(s, end uint32) ([]byte, error) {
	if s < x.windowAt || s >= x.windowAt+x.windowSectors {
		x.windowAt, x.windowSectors = s, min(scanWindow, end-s)
		x.window = grow(x.window, int(x.windowSectors)*SectorBytes)
		n, err := x.readFull(x.window, int64(s)*SectorBytes)
		if err != nil {
			return nil, err
		}
		clear(x.window[n:])
	}
	return x.window[(s-x.windowAt)*SectorBytes:][:RecordHeaderBytes], nil
}

// tryRecord judges the record that may begin with head at sector s and has to
// end at byte limit or before.
func (x *examiner) tryRecord(head []byte, s uint32, limit int64) (v verdict, ok bool) {
	length, scheme := int64(int32(binary.BigEndian.Uint32(head))), codec.Scheme(head[4])
	size := 4 + length
	if length < 2 || int64(s)*SectorBytes+size > limit || !scheme.Known() || scheme == codec.None && x.inspect == nil {
		return v, false
	}
	v = x.examine(MakeLocation(s, min(sectorsFor(size), countByLength)), 0)
	return v, v.usable()
}

// sectorCount is the number of sectors, the last one perhaps not whole, of a
// file of n bytes.
func sectorCount(n int64) int64 { return (n + SectorBytes - 1) / SectorBytes }
