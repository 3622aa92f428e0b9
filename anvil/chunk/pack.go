package chunk

import (
	"encoding/binary"
	"math/bits"
)

// Packed arrays hold cells of 1 to 16 bits in longs, the first cell lowest.
// In memory, and in chunks since 2529, no cell lies in two longs, so that the
// highest bits of a long may be unused. Before, cells straddle longs.

// SectionCells is the number of blocks in a section.
const SectionCells = 4096

// BiomeCells is the number of quarter cells in a section.
const BiomeCells = 64

// width is what packing to a number of bits needs to know.
type width struct {
	per   uint32 // cells of a long
	magic uint32 // to divide by per: i*magic>>16, exact for i below 4,096 (a test tries all)
	cell  uint64 // mask of one cell
	used  uint64 // mask of all cells
}

var widths = func() (w [17]width) {
	for n := 1; n <= 16; n++ {
		per := 64 / n
		w[n] = width{per: uint32(per), magic: uint32((1<<16 + per - 1) / per), cell: 1<<n - 1, used: ^uint64(0) >> (64 - per*n)}
	}
	return w
}()

// place returns the long and the shift of a cell.
func place(i int, width uint8) (long, shift int) {
	w := &widths[width]
	long = int(uint32(i) * w.magic >> 16)
	return long, (i - long*int(w.per)) * int(width)
}

// longsFor is how many longs hold n cells.
func longsFor(n, width int) int {
	per := 64 / width
	return (n + per - 1) / per
}

func cellAt(data []uint64, width uint8, i int) uint16 {
	long, shift := place(i, width)
	return uint16(data[long] >> (uint(shift) & 63) & widths[width].cell)
}

func setCell(data []uint64, width uint8, i int, v uint16) {
	long, shift := place(i, width)
	s := uint(shift) & 63
	data[long] = data[long]&^(widths[width].cell<<s) | uint64(v)<<s
}

// unpack spreads the first len(dst) cells.
func unpack(dst []uint16, data []uint64, width uint8) {
	w := &widths[width]
	switch width {
	case 4:
		for len(dst) >= 16 && len(data) > 0 {
			v := data[0]
			for i := range dst[:16] {
				dst[i] = uint16(v & 15)
				v >>= 4
			}
			dst, data = dst[16:], data[1:]
		}
	case 8:
		for len(dst) >= 8 && len(data) > 0 {
			v := data[0]
			for i := range dst[:8] {
				dst[i] = uint16(v & 255)
				v >>= 8
			}
			dst, data = dst[8:], data[1:]
		}
	}
	for len(dst) > 0 {
		v := data[0]
		n := min(int(w.per), len(dst))
		for i := range dst[:n] {
			dst[i] = uint16(v & w.cell)
			v >>= width
		}
		dst, data = dst[n:], data[1:]
	}
}

// pack puts all cells of src into data, which has longsFor their number.
func pack(data []uint64, src []uint16, width uint8) {
	per := int(widths[width].per)
	for k := range data {
		n := min(per, len(src))
		var v uint64
		for i := n - 1; i >= 0; i-- {
			v = v<<width | uint64(src[i])
		}
		data[k] = v
		src = src[n:]
	}
}

// unpackStraddling spreads len(dst) cells of the form before 2529; src are
// big-endian longs, enough for them.
func unpackStraddling(dst []uint16, src []byte, width uint8) {
	mask := uint64(1)<<width - 1
	for i := range dst {
		bit := i * int(width)
		long, shift := bit>>6, bit&63
		v := binary.BigEndian.Uint64(src[8*long:]) >> shift
		if shift+int(width) > 64 {
			v |= binary.BigEndian.Uint64(src[8*long+8:]) << (64 - shift)
		}
		dst[i] = uint16(v & mask)
	}
}

// appendStraddling appends cells as big-endian longs of the form before 2529.
func appendStraddling(dst []byte, src []uint16, width uint8) []byte {
	var long uint64
	filled := 0
	for _, v := range src {
		long |= uint64(v) << filled
		filled += int(width)
		if filled >= 64 {
			dst = binary.BigEndian.AppendUint64(dst, long)
			filled -= 64
			long = uint64(v) >> (int(width) - filled)
		}
	}
	if filled > 0 {
		dst = binary.BigEndian.AppendUint64(dst, long)
	}
	return dst
}

// appendLongs appends longs big-endian.
func appendLongs(dst []byte, longs []uint64) []byte {
	n := len(dst)
	dst = append(dst, make([]byte, 8*len(longs))...)
	out := dst[n : n+8*len(longs)]
	for i, v := range longs {
		binary.BigEndian.PutUint64(out[8*i:8*i+8], v)
	}
	return dst
}

// paletteWidth is the bits of an index into a palette of n entries.
func paletteWidth(n, least int) int { return max(least, bits.Len(uint(n-1))) }
