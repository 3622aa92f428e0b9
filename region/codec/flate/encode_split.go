package flate

import (
	"math/bits"
	"slices"
)

// A splitter divides a segment into blocks. It counts symbols in short cells
// and then joins neighbours for as long as one code for both is estimated
// cheaper than two codes and another block header.
type splitter struct {
	cells  []cell
	used   int     // how many of them are in use
	blocks []*cell // the result, in order
}

// maxCells bounds how many cells a segment has.
const maxCells = 64

// A cell is a block, or a candidate for one, with its symbol counts. The
// counts leave out the end of the block.
type cell struct {
	firstSeq, endSeq int // its sequences in those of the segment
	start, end       int // its stretch of the source

	symbols int
	bits    int64 // estimated size of the block, in 1/costScale bits
	joined  int64 // the same for this cell and the next as one block
	counts  symbolCounts
}

// symbolCounts are the counts of literal and length symbols, then those of
// distance symbols.
type symbolCounts [litSymbols + distSymbols]uint32

func newSplitter() *splitter {
	return &splitter{cells: make([]cell, maxCells), blocks: make([]*cell, 0, maxCells)}
}

// begin forgets all cells and opens the first, which starts at start.
func (s *splitter) begin(start int) *cell {
	s.used = 0
	return s.open(start, 0)
}

// open opens another cell. There is room for it.
func (s *splitter) open(start, firstSeq int) *cell {
	c := &s.cells[s.used]
	s.used++
	c.start, c.firstSeq, c.symbols = start, firstSeq, 0
	clear(c.counts[:])
	return c
}

// full reports whether no more cells can be opened.
func (s *splitter) full() bool { return s.used == maxCells }

// coarsen joins each two cells to one and so makes room for as many.
func (s *splitter) coarsen() {
	for i := range s.used / 2 {
		a, b := &s.cells[2*i], &s.cells[2*i+1]
		a.add(b)
		s.cells[i] = *a
	}
	s.used /= 2
}

// add makes the cell b, which follows c, a part of c.
func (c *cell) add(b *cell) {
	for i, n := range b.counts {
		c.counts[i] += n
	}
	c.endSeq, c.end = b.endSeq, b.end
	c.symbols += b.symbols
}

// divide joins cells to blocks.
func (s *splitter) divide() {
	s.blocks = s.blocks[:0]
	for i := range s.cells[:s.used] {
		c := &s.cells[i]
		s.blocks = append(s.blocks, c)
		c.bits = c.counts.estimate(&noCounts)
		if i > 0 {
			s.cells[i-1].joined = s.cells[i-1].counts.estimate(&c.counts)
		}
	}
	for len(s.blocks) > 1 {
		best, at := int64(-1), 0
		for i, c := range s.blocks[:len(s.blocks)-1] {
			if gain := c.bits + s.blocks[i+1].bits - c.joined; gain > best {
				best, at = gain, i
			}
		}
		if best < 0 {
			break
		}
		s.join(at)
	}
}

// count fills cells of about target symbols from the sequences of the segment
// of src from start.
func (s *splitter) count(src []byte, start int, seqs []sequence, target int) {
	symbols := 0
	for i := range seqs {
		symbols += int(seqs[i].literals) + 1
	}
	target = max(target, symbols/(maxCells-1))
	c := s.begin(start)
	pos := start
	for i := range seqs {
		q := &seqs[i]
		if c.symbols >= target && !s.full() {
			c.end, c.endSeq = pos, i
			c = s.open(pos, i)
		}
		for _, b := range src[pos : pos+int(q.literals)] {
			c.counts[b]++
		}
		pos += int(q.literals) + int(q.length)
		c.symbols += int(q.literals)
		if q.length != 0 {
			c.match(int(q.length), int(q.dist))
		}
	}
	c.end, c.endSeq = pos, len(seqs)
}

// literal counts a literal.
func (c *cell) literal(b byte) {
	c.symbols++
	c.counts[b]++
}

// match counts a match.
func (c *cell) match(length, dist int) {
	c.symbols++
	c.counts[firstLenCode+int(lengthCode[length])]++
	c.counts[litSymbols+int(distCode(uint16(dist)))]++
}

// join makes one of the blocks at and at+1.
func (s *splitter) join(at int) {
	a := s.blocks[at]
	a.add(s.blocks[at+1])
	a.bits = a.joined
	s.blocks = slices.Delete(s.blocks, at+1, at+2)
	if at > 0 {
		before := s.blocks[at-1]
		before.joined = before.counts.estimate(&a.counts)
	}
	if at+1 < len(s.blocks) {
		a.joined = a.counts.estimate(&s.blocks[at+1].counts)
	}
}

// costScale is the number of units in a bit where costs are estimated.
const costScale = 16

// Estimated size of a block's header, in units: a fixed part and one for each
// symbol that occurs. Fitted to the headers of chunk payloads.
const (
	headerUnits = 200 * costScale
	symbolUnits = 9 * costScale / 2
)

// estimate returns the size in units of a block with these counts, those of
// other added. Extra bits are left out: they are the same however the segment
// is divided.
func (c *symbolCounts) estimate(other *symbolCounts) int64 {
	cost := int64(headerUnits)
	cost += entropy(c[:litSymbols], other[:litSymbols])
	cost += entropy(c[litSymbols:], other[litSymbols:])
	return cost
}

var noCounts symbolCounts

// entropy returns the size in units of symbols that occur a[i]+b[i] times,
// coded as their frequencies deserve, and of their share of the header.
func entropy(a, b []uint32) int64 {
	var total, used uint32
	var weighted uint64
	b = b[:len(a)]
	for i, f := range a {
		f += b[i]
		total += f
		used += -f >> 31 // 1 unless f is 0: counts are small
		weighted += nLogN(f)
	}
	return int64((nLogN(total)-weighted)>>(logBits-4)) + int64(used)*symbolUnits
}

// logBits is the precision of nLogN.
const logBits = 8

// nLogTable holds nLogN of small numbers.
var nLogTable [2048]uint32

func init() {
	for n := 1; n < len(nLogTable); n++ {
		nLogTable[n] = uint32(uint64(n) * log2(uint32(n)) >> (log2Bits - logBits))
	}
}

// nLogN returns n*log2(n) in 1/2^logBits, and zero for zero.
func nLogN(n uint32) uint64 {
	if n < uint32(len(nLogTable)) {
		return uint64(nLogTable[n])
	}
	return uint64(n) * log2(n) >> (log2Bits - logBits)
}

// log2Bits is the precision of log2.
const log2Bits = 16

// log2 returns the logarithm of n, which is not zero, in 1/2^log2Bits. It is
// made of integers alone, since floating point is not the same to the last
// bit on all processors, and streams have to be.
func log2(n uint32) uint64 {
	whole := bits.Len32(n) - 1
	x := uint64(n) << (31 - whole) // n/2^whole, 31 bits after the point
	log := uint64(whole)
	for range log2Bits {
		x = x * x >> 31
		carry := x >> 32
		x >>= carry
		log = log<<1 | carry
	}
	return log
}
