package flate

import "math/bits"

const (
	maxLitCodes  = 286 // literal/length symbols that may have a code
	maxDistCodes = 30
	maxCodeLen   = 15

	litBits  = 11 // index bits of the first-level tables
	distBits = 8
	preBits  = 7

	// The most entries a complete code of that many symbols needs, first level
	// and subtables together (a test derives them). The literal/length table
	// counts 288 symbols, as the fixed code has.
	litTableSize  = 2342
	distTableSize = 402
)

// tables are the two codes of a block. They lie together so that the fast loop
// needs one pointer for both.
type tables struct {
	lit  [litTableSize]uint32
	dist [distTableSize]uint32
}

// A table is indexed by the next bits of the stream. Its entries:
//
//	bits 0-5    how many bits to drop: the code, and the extra bits behind it
//	bits 8-13   length of the code alone (less the first-level bits in a
//	            subtable); in a link the index bits of the subtable
//	bits 16-30  the literal; the base of the length or distance; the start of
//	            a subtable; the symbol of a code length code
//
// and these marks:
const (
	// entryLit marks a literal in a literal/length table. It is the sign bit,
	// the cheapest one to test.
	entryLit = 1 << 31
	// entrySpecial marks all that a loop for literals and matches must look at
	// twice, by one of the bits below.
	entrySpecial = 1 << 15
	entryLink    = 1 << 14 // go on in a subtable
	entryEnd     = 1 << 30 // end of block; else no code, or one without meaning

	// oneBit adds one code bit to an entry.
	oneBit = 1<<8 | 1
)

// What each symbol's entry is without the length of its code.
var (
	litEntries  = makeLitEntries()
	distEntries = makeDistEntries()
	preEntries  = makePreEntries()
)

func makeLitEntries() (t [288]uint32) {
	for i := range 256 {
		t[i] = entryLit | uint32(i)<<16
	}
	t[endOfBlock] = entrySpecial | entryEnd
	// Lengths from 3 on: eight of their own, then four for each number of extra
	// bits. 285 is 258, without extra bits.
	base := uint32(3)
	for i := 257; i < 285; i++ {
		extra := uint32(0)
		if i >= 265 {
			extra = uint32(i-261) / 4
		}
		t[i] = base<<16 | extra
		base += 1 << extra
	}
	t[285] = maxMatch << 16
	t[286] = entrySpecial
	t[287] = entrySpecial
	return t
}

func makeDistEntries() (t [32]uint32) {
	// Distances from 1 on: four of their own, then two for each number of extra
	// bits.
	base := uint32(1)
	for i := range maxDistCodes {
		extra := uint32(0)
		if i >= 4 {
			extra = uint32(i-2) / 2
		}
		t[i] = base<<16 | extra
		base += 1 << extra
	}
	t[30] = entrySpecial
	t[31] = entrySpecial
	return t
}

func makePreEntries() (t [19]uint32) {
	for i := range t {
		t[i] = uint32(i) << 16
	}
	return t
}

// fixedTables are those of block type 1 (RFC 1951 section 3.2.6).
var fixedTables = makeFixedTables()

func makeFixedTables() *tables {
	var t tables
	var lens [288]uint8
	for i := range lens {
		switch {
		case i < 144:
			lens[i] = 8
		case i < 256:
			lens[i] = 9
		case i < 280:
			lens[i] = 7
		default:
			lens[i] = 8
		}
	}
	buildTable(t.lit[:], lens[:], litEntries[:], litBits)
	for i := range 32 {
		lens[i] = 5
	}
	buildTable(t.dist[:], lens[:32], distEntries[:], distBits)
	return &t
}

// buildTable fills table for the canonical code with these lengths, entries
// being what its symbols stand for. It reports false for a code that is neither
// complete nor one of the two exceptions (one symbol of length 1; no symbol).
func buildTable(table []uint32, lens []uint8, entries []uint32, tableBits uint) bool {
	var count [maxCodeLen + 1]int
	for _, l := range lens {
		count[l&15]++
	}
	used := len(lens) - count[0]
	count[0] = 0
	if used <= 1 {
		return buildSparse(table[:1<<tableBits], lens, entries, used)
	}

	// The symbols sorted by code length, then by value, are in the order of
	// their codes.
	var next [maxCodeLen + 2]int
	left := 1
	for l := 1; l <= maxCodeLen; l++ {
		left = left<<1 - count[l]
		if left < 0 {
			return false
		}
		next[l+1] = next[l] + count[l]
	}
	if left != 0 {
		return false
	}
	var sorted [288]uint16
	for s, l := range lens {
		if l != 0 {
			sorted[next[l&15]] = uint16(s)
			next[l&15]++
		}
	}
	fillTable(table, sorted[:used], &count, entries, tableBits)
	return true
}

// buildSparse fills the table of a code with one symbol or none.
func buildSparse(table []uint32, lens []uint8, entries []uint32, used int) bool {
	const bad = entrySpecial | oneBit
	even := uint32(bad)
	if used == 1 {
		for s, l := range lens {
			if l > 1 {
				return false
			}
			if l == 1 {
				even = entries[s] + oneBit
			}
		}
	}
	for i := 0; i < len(table); i += 2 {
		table[i], table[i+1] = even, bad
	}
	return true
}

// fillTable enters the symbols of a complete code. Codes are stored with their
// first bit highest, but the stream delivers the first bit lowest, so code
// holds them reversed and counts up from its top bit.
func fillTable(table []uint32, sorted []uint16, count *[maxCodeLen + 1]int, entries []uint32, tableBits uint) {
	// First level. While codes of length l are entered the table has 1<<l
	// entries; doubling it repeats each code for both values of the next bit.
	code := uint32(0)
	for l := uint(1); l <= tableBits; l++ {
		size := 1 << l
		copy(table[size/2:size], table[:size/2])
		add := uint32(l) * oneBit
		for range count[l] {
			table[code] = entries[sorted[0]] + add
			sorted = sorted[1:]
			code = nextCode(code, l)
		}
	}
	if len(sorted) == 0 {
		return
	}

	// Subtables, one for each first-level index that starts longer codes.
	end := 1 << tableBits
	start, prefix := 0, ^uint32(0)
	for l := tableBits + 1; l <= maxCodeLen; l++ {
		add := uint32(l-tableBits) * oneBit
		for n := count[l]; n > 0; n-- {
			if p := code & (1<<tableBits - 1); p != prefix {
				// As wide as its longest code: widen until the codes from here
				// on fill it.
				width := l - tableBits
				for free := 1<<width - n; free > 0; {
					width++
					free = free<<1 - count[tableBits+width]
				}
				prefix, start = p, end
				end = start + 1<<width
				table[prefix] = entrySpecial | entryLink | uint32(start)<<16 |
					uint32(width)<<8 | uint32(tableBits)
			}
			e := entries[sorted[0]] + add
			sorted = sorted[1:]
			for i := start + int(code>>tableBits); i < end; i += 1 << (l - tableBits) {
				table[i] = e
			}
			code = nextCode(code, l)
		}
	}
}

// nextCode counts up a reversed code of l bits. After the last code of that
// length it gives 0 if the code is complete; otherwise the result is also the
// next longer code.
func nextCode(code uint32, l uint) uint32 {
	top := uint32(1)<<l - 1
	if code == top {
		return 0
	}
	// Clear the ones at the top, set the zero below them.
	bit := uint32(1) << (bits.Len32(code^top) - 1)
	return code&(bit-1) | bit
}
