package flate

import "math"

// An optimalTuning is what tells the offline levels apart.
type optimalTuning struct {
	depth  int // positions looked at for matches
	nice   int // a match of this length is taken without further search
	passes int // parses of a segment, each with the costs of the one before
	fine   int // how many of them, the last, weigh every length of a match
	cell   int // least symbols of a block
}

var optimalLevels = [...]optimalTuning{
	{depth: 14, nice: 48, passes: 2, fine: 0, cell: 256},
	{depth: 50, nice: 130, passes: 3, fine: 1, cell: 192},
	{depth: 120, nice: 258, passes: 5, fine: 1, cell: 96},
}

// An optimalParser looks for the parse that takes the fewest bits. What a
// symbol costs depends on the code of its block, which depends on the parse;
// so it begins with a lazy parse, takes the costs from it, finds the cheapest
// parse under these costs, divides that into blocks, takes the costs of each,
// and so on. The best parse of all wins, which need not be the last.
type optimalParser struct {
	tuning  optimalTuning
	tree    treeMatcher
	matches []match  // of all positions of the segment, one after the other
	first   []uint32 // index of each position's first match, and of the end
	steps   []step   // the cheapest way on from each position
	models  []costModel
	trial   []sequence
	meter   blockMeter
}

// A segment has no more positions, matches and sequences than these.
const (
	optimalSegment = 96 << 10
	optimalMatches = 1 << 20
	optimalSeqs    = optimalSegment/minMatch + optimalSegment/maxLiteralRun + 1

	// maxLiteralRun is where a run of literals is cut, for blocks end between
	// sequences.
	maxLiteralRun = 64
)

func newOptimalParser(t optimalTuning) *optimalParser {
	return &optimalParser{
		tuning:  t,
		matches: make([]match, 0, optimalMatches),
		first:   make([]uint32, 0, optimalSegment+1),
		steps:   make([]step, optimalSegment+1),
		models:  make([]costModel, maxCells),
		trial:   make([]sequence, 0, optimalSeqs),
	}
}

func (p *optimalParser) reset(int) { p.tree.reset(0) }

func (p *optimalParser) segment(src []byte, start int, seqs []sequence, split *splitter) ([]sequence, int) {
	end := start + p.search(src, start)
	p.trial = p.lazy(p.trial[:0], shortestUseful(src, start))
	// The first costs are those of the segment as a whole: too little is
	// known yet to tell its blocks apart.
	split.count(src, start, p.trial, math.MaxInt/2)
	split.divide()
	best := append(seqs, p.trial...)
	bestBits := p.measure(split)
	for pass := range p.tuning.passes {
		p.cheapest(src[start:end], start, split.blocks, pass >= p.tuning.passes-p.tuning.fine)
		p.trial = p.follow(p.trial[:0])
		split.count(src, start, p.trial, p.tuning.cell)
		split.divide()
		if bits := p.measure(split); bits < bestBits {
			bestBits = bits
			best = append(best[:0], p.trial...)
		}
	}
	split.count(src, start, best, p.tuning.cell)
	split.divide()
	return best, end
}

// measure returns the size of the blocks and sets the models to their costs.
func (p *optimalParser) measure(split *splitter) int {
	bits := 0
	for i, c := range split.blocks {
		bits += p.meter.bits(c)
		p.models[i].set(c)
	}
	return bits
}
