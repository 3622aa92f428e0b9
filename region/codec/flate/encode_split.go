package flate

import (
	"math"
	"slices"
)

// A blockRange is a stretch of sequences, and of source, that becomes one
// block.
type blockRange struct {
	firstSeq, endSeq int
	start, end       int
}

// A splitter divides a segment into blocks. It counts symbols in short cells
// and then joins neighbours for as long as one code for both is estimated
// cheaper than two codes and another block header.
type splitter struct {
	cells  []cell
	blocks []*cell // the result, in order
}

// cellSymbols is the least number of symbols of a cell, and maxCells bounds
// how many cells a segment has.
const (
	cellSymbols = 512
	maxCells    = 64
)

// A cell is a block, or a candidate for one, with its symbol counts. The
// counts leave out the end of the block.
type cell struct {
	blockRange
	symbols int
	bits    int64 // estimated size of the block, in 1/costScale bits
	joined  int64 // the same for this cell and the next as one block
	counts  symbolCounts
}

// symbolCounts are the counts of literal and length symbols, then those of
// distance symbols.
type symbolCounts [litSymbols + distSymbols]uint32

// run divides the segment of src from start whose sequences are seqs.
func (s *splitter) run(src []byte, start int, seqs []sequence) {
	s.count(src, start, seqs)
	s.blocks = s.blocks[:0]
	for i := range s.cells {
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

// count fills the cells.
func (s *splitter) count(src []byte, start int, seqs []sequence) {
	if s.cells == nil {
		s.cells = make([]cell, 0, maxCells)
		s.blocks = make([]*cell, 0, maxCells)
	}
	s.cells = s.cells[:0]
	symbols := 0
	for i := range seqs {
		symbols += int(seqs[i].literals) + 1
	}
	target := max(cellSymbols, symbols/(maxCells-1))
	pos := start
	for first := 0; first < len(seqs) || len(s.cells) == 0; {
		if len(s.cells) == maxCells-1 {
			target = math.MaxInt
		}
		s.cells = s.cells[:len(s.cells)+1]
		c := &s.cells[len(s.cells)-1]
		c.firstSeq, c.start, c.symbols = first, pos, 0
		clear(c.counts[:])
		for first < len(seqs) && c.symbols < target {
			q := &seqs[first]
			first++
			for _, b := range src[pos : pos+int(q.literals)] {
				c.counts[b]++
			}
			pos += int(q.literals) + int(q.length)
			c.symbols += int(q.literals)
			if q.length != 0 {
				c.symbols++
				c.counts[firstLenCode+int(lengthCode[q.length])]++
				c.counts[litSymbols+int(distCode(q.dist))]++
			}
		}
		c.endSeq, c.end = first, pos
	}
}

// join makes one of the blocks at and at+1.
func (s *splitter) join(at int) {
	a, b := s.blocks[at], s.blocks[at+1]
	for i, n := range b.counts {
		a.counts[i] += n
	}
	a.endSeq, a.end = b.endSeq, b.end
	a.symbols += b.symbols
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
	headerUnits = 120 * costScale
	symbolUnits = 9 * costScale / 4
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
	var total uint32
	var used int64
	var weighted uint64
	b = b[:len(a)]
	for i, f := range a {
		f += b[i]
		if f != 0 {
			total += f
			used++
			weighted += nLogN(f)
		}
	}
	return int64((nLogN(total)-weighted)>>(logBits-4)) + used*symbolUnits
}

// logBits is the precision of nLogN.
const logBits = 8

// nLogTable holds n*log2(n) for small n.
var nLogTable [2048]uint32

func init() {
	for n := 2; n < len(nLogTable); n++ {
		nLogTable[n] = uint32(float64(n) * math.Log2(float64(n)) * (1 << logBits))
	}
}

// nLogN returns n*log2(n) in 1/2^logBits.
func nLogN(n uint32) uint64 {
	if n < uint32(len(nLogTable)) {
		return uint64(nLogTable[n])
	}
	return uint64(float64(n) * math.Log2(float64(n)) * (1 << logBits))
}
