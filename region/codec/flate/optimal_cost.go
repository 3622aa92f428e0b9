package flate

// A blockMeter tells what a block will cost.
type blockMeter struct {
	huffman huffman
	header  dynamicHeader
	lit     prefixCode
	dist    prefixCode
}

// bits returns the size of the block with the counts of c, and leaves its
// codes in the meter.
func (m *blockMeter) bits(c *cell) int {
	c.counts[endOfBlock] = 1
	m.huffman.build(c.counts[:litSymbols], maxCodeBits, &m.lit)
	m.huffman.build(c.counts[litSymbols:], maxCodeBits, &m.dist)
	m.header.plan(&m.huffman, &m.lit, &m.dist)
	extra := c.counts.extraBits()
	dynamic := 3 + m.header.bits + extra + c.counts.codeBits(&m.lit, &m.dist)
	fixed := 3 + extra + c.counts.codeBits(&fixedLit, &fixedDist)
	stored := 35 + 8*(c.end-c.start)
	return min(dynamic, fixed, stored)
}

// A costModel is what each step of a parse costs within a block, extra bits
// included, in 1/costScale bits. Literals and lengths hold their length too.
type costModel struct {
	literal [256]step
	length  [maxMatch + 1]step
	dist    [32]step
}

// set takes the costs from the counts of c.
func (o *costModel) set(c *cell) {
	var costs [litSymbols + distSymbols]uint32
	symbolCosts(c.counts[:litSymbols], costs[:litSymbols])
	symbolCosts(c.counts[litSymbols:], costs[litSymbols:])
	for b := range o.literal {
		o.literal[b] = step(costs[b])<<stepCost | 1<<stepLength
	}
	for n := minMatch; n <= maxMatch; n++ {
		code := lengthCode[n]
		cost := costs[firstLenCode+int(code)] + costScale*uint32(lengthExtra[code])
		o.length[n] = step(cost)<<stepCost | step(n)<<stepLength
	}
	for code, extra := range distExtra {
		o.dist[code] = step(costs[litSymbols+code]+costScale*uint32(extra)) << stepCost
	}
}

// symbolCosts sets the cost of each symbol to what its share of the counts
// deserves. A symbol that does not occur costs a little more than one that
// occurs once.
func symbolCosts(counts, costs []uint32) {
	total := uint32(0)
	for _, n := range counts {
		total += n
	}
	top := log2Units(max(total, 2))
	for i, n := range counts {
		if n == 0 {
			costs[i] = top + costScale
			continue
		}
		costs[i] = max(top-log2Units(n), costScale/2)
	}
}

// log2Units returns log2(n) in units.
func log2Units(n uint32) uint32 {
	return uint32(nLogN(n) * costScale / uint64(n) >> logBits)
}
