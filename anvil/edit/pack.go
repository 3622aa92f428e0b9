package edit

import (
	"encoding/binary"
	"math/bits"
)

// alignedVersion is the first DataVersion in whose chunks no cell lies in two
// longs (20w17a, for 1.16).
const alignedVersion = 2529

// packing is how cells of a palette are packed into longs.
type packing struct {
	cells   int
	least   int  // the fewest bits of a cell, if there are any
	aligned bool // no cell lies in two longs
}

// width is how many bits a cell of a palette with n entries has; 0 if there is
// only one entry and the form lets the longs be left out.
func (p packing) width(n int) int {
	if n <= 1 && p.aligned {
		return 0
	}
	return max(p.least, bits.Len(uint(max(n-1, 1))))
}

// longs is how many longs cells of a width take.
func (p packing) longs(width int) int {
	if width == 0 {
		return 0
	}
	if p.aligned {
		per := 64 / width
		return (p.cells + per - 1) / per
	}
	return (p.cells*width + 63) / 64
}

// unpack reads the cells of a palette with n entries from big-endian longs. It
// reports false if there is another number of longs, or a cell that has no entry.
// Without longs all cells are 0.
func (p packing) unpack(data []byte, n int) ([]uint16, bool) {
	cells := make([]uint16, p.cells)
	if len(data) == 0 {
		return cells, n > 0
	}
	width := max(p.least, bits.Len(uint(max(n-1, 1))))
	if len(data) != 8*p.longs(width) || n > 1<<16 {
		return nil, false
	}
	long := func(i int) uint64 { return binary.BigEndian.Uint64(data[8*i:]) }
	mask := uint64(1)<<width - 1
	for i := range cells {
		var v uint64
		if p.aligned {
			per := 64 / width
			v = long(i/per) >> (i % per * width)
		} else {
			at := i * width
			v = long(at/64) >> (at % 64)
			if at%64+width > 64 {
				v |= long(at/64+1) << (64 - at%64)
			}
		}
		if v &= mask; v >= uint64(n) {
			return nil, false
		}
		cells[i] = uint16(v)
	}
	return cells, true
}

// pack is the reverse: big-endian longs for a palette with n entries, nil if they
// are left out.
func (p packing) pack(cells []uint16, n int) []byte {
	width := p.width(n)
	if width == 0 {
		return nil
	}
	longs := make([]uint64, p.longs(width))
	for i, c := range cells {
		if p.aligned {
			per := 64 / width
			longs[i/per] |= uint64(c) << (i % per * width)
			continue
		}
		at := i * width
		longs[at/64] |= uint64(c) << (at % 64)
		if at%64+width > 64 {
			longs[at/64+1] |= uint64(c) >> (64 - at%64)
		}
	}
	data := make([]byte, 0, 8*len(longs))
	for _, v := range longs {
		data = binary.BigEndian.AppendUint64(data, v)
	}
	return data
}
