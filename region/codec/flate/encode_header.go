package flate

// clenOrder is the order in which the lengths of the code length code are
// sent, RFC 1951 section 3.2.7.
var clenOrder = [clenSymbols]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// Code length symbols that stand for runs, their shortest run and extra bits.
const (
	repeatPrevious = 16
	repeatZero     = 17
	repeatZeroLong = 18
)

var (
	repeatBase  = [3]int{3, 3, 11}
	repeatExtra = [3]uint32{2, 3, 7}
)

// A dynamicHeader is the description of a block's two codes.
type dynamicHeader struct {
	lits, dists, clens int // how many lengths are sent of each code
	bits               int // size of the header without the block head

	lengths [litSymbols + distSymbols]uint8
	symbols []uint16 // code length symbol, and the value of its extra bits << 8
	store   [litSymbols + distSymbols]uint16
	counts  [clenSymbols]uint32
	code    prefixCode
}

// plan sets the header for the two codes.
func (h *dynamicHeader) plan(build *huffman, lit, dist *prefixCode) {
	h.lits, h.dists = litSymbols, distSymbols
	for h.lits > firstLenCode && lit.length[h.lits-1] == 0 {
		h.lits--
	}
	for h.dists > 1 && dist.length[h.dists-1] == 0 {
		h.dists--
	}
	copy(h.lengths[:], lit.length[:h.lits])
	copy(h.lengths[h.lits:], dist.length[:h.dists])
	h.runs(h.lengths[:h.lits+h.dists])

	build.build(h.counts[:], maxCLenBits, &h.code)
	h.clens = clenSymbols
	for h.clens > 4 && h.code.length[clenOrder[h.clens-1]] == 0 {
		h.clens--
	}
	h.bits = 5 + 5 + 4 + 3*h.clens
	for s, n := range h.counts {
		h.bits += int(n) * int(h.code.length[s])
	}
	for i, extra := range repeatExtra {
		h.bits += int(h.counts[repeatPrevious+i]) * int(extra)
	}
}

// runs sets the code length symbols of the lengths, and their counts.
func (h *dynamicHeader) runs(lengths []uint8) {
	clear(h.counts[:])
	h.symbols = h.store[:0]
	for len(lengths) > 0 {
		value, n := lengths[0], 1
		for n < len(lengths) && lengths[n] == value {
			n++
		}
		lengths = lengths[n:]
		if value != 0 {
			h.add(int(value), 0)
			n--
		}
		for n >= 3 {
			symbol, most := repeatPrevious, 6
			if value == 0 {
				symbol, most = repeatZero, 10
				if n > most {
					symbol, most = repeatZeroLong, 138
				}
			}
			part := min(n, most)
			h.add(symbol, part-repeatBase[symbol-repeatPrevious])
			n -= part
		}
		for ; n > 0; n-- {
			h.add(int(value), 0)
		}
	}
}

func (h *dynamicHeader) add(symbol, extra int) {
	h.symbols = append(h.symbols, uint16(symbol|extra<<8))
	h.counts[symbol]++
}

// write writes what plan has set. There is room for it.
func (h *dynamicHeader) write(w *bitWriter) {
	w.put(uint64(h.lits-257)|uint64(h.dists-1)<<5|uint64(h.clens-4)<<10, 14)
	for _, s := range clenOrder[:h.clens] {
		w.put(uint64(h.code.length[s]), 3)
	}
	for _, v := range h.symbols {
		symbol, extra := v&0xff, v>>8
		n := uint32(h.code.length[symbol])
		bits := uint64(h.code.code[symbol]) | uint64(extra)<<n
		if symbol >= repeatPrevious {
			n += repeatExtra[symbol-repeatPrevious]
		}
		w.put(bits, n)
	}
}

// The codes of fixed blocks, RFC 1951 section 3.2.6.
var fixedLit, fixedDist prefixCode

func init() {
	// Two more literal symbols exist that never occur; they shape the code.
	var lengths [288]uint8
	var codes [288]uint16
	for i := range lengths {
		switch {
		case i < 144:
			lengths[i] = 8
		case i < 256:
			lengths[i] = 9
		case i < 280:
			lengths[i] = 7
		default:
			lengths[i] = 8
		}
	}
	assignCodes(lengths[:], codes[:])
	copy(fixedLit.length[:], lengths[:])
	copy(fixedLit.code[:], codes[:])

	for i := range lengths[:32] {
		lengths[i] = 5
	}
	assignCodes(lengths[:32], codes[:32])
	copy(fixedDist.length[:distSymbols], lengths[:])
	copy(fixedDist.code[:distSymbols], codes[:])
}

// codeBits returns the size of the counted symbols under two codes.
func (c *symbolCounts) codeBits(lit, dist *prefixCode) int {
	bits := 0
	for i, n := range c[:litSymbols] {
		bits += int(n) * int(lit.length[i])
	}
	for i, n := range c[litSymbols:] {
		bits += int(n) * int(dist.length[i])
	}
	return bits
}

// extraBits returns the size of the extra bits of the counted symbols.
func (c *symbolCounts) extraBits() int {
	bits := 0
	for i, extra := range lengthExtra {
		bits += int(c[firstLenCode+i]) * int(extra)
	}
	for i, extra := range distExtra {
		bits += int(c[litSymbols+i]) * int(extra)
	}
	return bits
}
