package diff

import (
	"encoding/binary"
	"math/bits"
)

// The numbers of cells.
const (
	blockCells = 4096
	biomeCells = 64
)

// alignedVersion is the first DataVersion in whose chunks no cell lies in two
// longs (20w17a, for 1.16).
const alignedVersion = 2529

// unpackCells reads indices into a palette of n entries from big-endian longs, as
// chunks have them since 1.13, and reports false if there is another number of
// longs or an index without an entry.
func unpackCells(cells []uint32, data []byte, n, leastBits int, aligned bool) bool {
	if n == 1 { // every index is 0, however many bits it takes
		clear(cells)
		return true
	}
	if n == 0 || len(data) == 0 {
		return false
	}
	width := max(leastBits, bits.Len(uint(n-1)))
	if width == 0 || width > 32 {
		return false
	}
	perLong := 64 / width
	longs := (len(cells)*width + 63) / 64
	if aligned {
		longs = (len(cells) + perLong - 1) / perLong
	}
	if len(data) != 8*longs {
		return false
	}
	mask := uint64(1)<<width - 1
	at := func(i int) uint64 { return binary.BigEndian.Uint64(data[8*i:]) }
	for i := range cells {
		var v uint64
		if aligned {
			v = at(i/perLong) >> (i % perLong * width)
		} else {
			bit := i * width
			v = at(bit/64) >> (bit % 64)
			if bit%64+width > 64 {
				v |= at(bit/64+1) << (64 - bit%64)
			}
		}
		if v &= mask; v >= uint64(n) {
			return false
		}
		cells[i] = uint32(v)
	}
	return true
}

// nibble is the i-th half byte, the low half first; 0 beyond the end.
func nibble(b []byte, i int) uint32 {
	if i/2 >= len(b) {
		return 0
	}
	return uint32(b[i/2]>>(i%2*4)) & 15
}
