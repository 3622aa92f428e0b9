package chunk

import "encoding/binary"

// check finds cells of n and above in packed longs, all cells of a long at
// once: to every second cell 1<<width - n is added, which carries into the
// cell above it exactly if the cell is too large.
type check struct{ even, add, over uint64 }

func newCheck(width uint8, n int) (c check) {
	per, w := int(widths[width].per), int(width)
	for i := 0; i < per; i += 2 {
		c.even |= widths[width].cell << (i * w)
		c.add |= (1<<w - uint64(n)) << (i * w)
		if (i+1)*w < 64 {
			c.over |= 1 << ((i + 1) * w)
		}
	}
	return c
}

// loadLongs reads big-endian longs of cells that are below n, and reports
// whether they are. Unused bits are cleared. len(src) is 8*len(dst), and dst
// has as many longs as the cells need.
func loadLongs(dst []uint64, src []byte, width uint8, n, cells int) bool {
	c := newCheck(width, n)
	used := widths[width].used
	var sum uint64
	src = src[:8*len(dst)]
	for i := range dst {
		v := binary.BigEndian.Uint64(src[8*i:8*i+8]) & used
		dst[i] = v
		sum |= v&c.even + c.add
		sum |= v>>width&c.even + c.add
	}
	last := len(dst) - 1
	if rest := cells - last*int(widths[width].per); rest < int(widths[width].per) {
		// Cells beyond the last one count for nothing, whatever they hold.
		if sum&c.over == 0 {
			dst[last] &= 1<<(rest*int(width)) - 1
			return true
		}
		return reload(dst, src, width, n, rest)
	}
	return sum&c.over == 0
}

// reload is the end of loadLongs where cells are too large, perhaps only
// those beyond the end.
func reload(dst []uint64, src []byte, width uint8, n, rest int) bool {
	last := len(dst) - 1
	v := binary.BigEndian.Uint64(src[8*last:]) & (1<<(rest*int(width)) - 1)
	for i := range rest {
		if int(v>>(i*int(width))&widths[width].cell) >= n {
			return false
		}
	}
	per := int(widths[width].per)
	if last > 0 && !loadLongs(dst[:last], src[:8*last], width, n, last*per) {
		return false
	}
	dst[last] = v
	return true
}
