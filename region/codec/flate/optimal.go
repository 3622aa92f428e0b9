package flate

import (
	"math"
	"math/bits"
)

// An optimalTuning is what tells the offline levels apart.
type optimalTuning struct {
	depth  int // positions looked at for matches
	nice   int // a match of this length is taken without further search
	passes int // parses of a segment, each with the costs of the one before
}

var optimalLevels = [...]optimalTuning{
	{depth: 35, nice: 75, passes: 2},
	{depth: 100, nice: 150, passes: 4},
	{depth: 300, nice: 258, passes: 9},
}

// An optimalParser looks for the parse that takes the fewest bits. What a
// symbol costs depends on the code of its block, which depends on the parse;
// so it begins with a lazy parse, divides that into blocks, takes the costs
// from them, finds the cheapest parse under these costs by going backward
// from the end of the segment, and so on.
type optimalParser struct {
	tuning optimalTuning
	tree   treeMatcher
	split  splitter

	matches []match  // of all positions of the segment, one after the other
	first   []uint32 // index of each position's first match, and of the end
	cost    []uint32 // from each position to the end, in 1/costScale bits
	choice  []match  // first step of the cheapest way from each position
	models  []costModel
	trial   []sequence
	meter   blockMeter
}

// A segment has no more positions and matches than these.
const (
	optimalSegment = 96 << 10
	optimalMatches = 1 << 20
)

func newOptimalParser(t optimalTuning) *optimalParser {
	return &optimalParser{
		tuning:  t,
		matches: make([]match, 0, optimalMatches),
		first:   make([]uint32, 0, optimalSegment+1),
		cost:    make([]uint32, optimalSegment+1),
		choice:  make([]match, optimalSegment+1),
		models:  make([]costModel, maxCells),
		trial:   make([]sequence, 0, maxSegmentSeqs),
	}
}

func (p *optimalParser) reset() { p.tree.reset(0) }

func (p *optimalParser) segment(src []byte, start int, seqs []sequence) ([]sequence, int) {
	end := start + p.search(src, start)
	best := seqs
	bestBits := math.MaxInt
	p.trial = p.lazy(src, start, p.trial[:0])
	for pass := 0; ; pass++ {
		p.split.run(src, start, p.trial)
		total := 0
		for i, c := range p.split.blocks {
			total += p.meter.bits(c)
			p.models[i].set(&p.meter, c)
		}
		if total < bestBits {
			bestBits = total
			best = append(best[:0], p.trial...)
		}
		if pass == p.tuning.passes {
			return best, end
		}
		p.cheapest(src[start:end], start)
		p.trial = p.follow(p.trial[:0])
	}
}

// search sets the matches of a segment and returns its length.
func (p *optimalParser) search(src []byte, start int) int {
	n := len(src) - start
	if n > optimalSegment {
		n = min(n/2, optimalSegment)
	}
	p.matches, p.first = p.matches[:0], p.first[:0]
	skip := 0 // positions left of a match that is taken as it is
	for i := range n {
		p.first = append(p.first, uint32(len(p.matches)))
		if len(p.matches) > cap(p.matches)-maxMatch {
			n = i
			break
		}
		// The tree must see past the end of the segment, for its order has to
		// hold for the positions to come.
		most := min(len(src)-start-i, maxMatch)
		if most < 4 {
			continue
		}
		found := len(p.matches)
		p.matches = p.tree.find(src, start+i, most, min(p.tuning.nice, most), p.tuning.depth, p.matches)
		if skip > 0 {
			skip--
			p.matches = p.matches[:found]
		} else if k := len(p.matches); k > found && int(p.matches[k-1].length) >= p.tuning.nice {
			skip = int(p.matches[k-1].length) - 1
		}
	}
	if len(p.first) == n {
		p.first = append(p.first, uint32(len(p.matches)))
	}
	p.clip(n)
	return n
}

// clip makes the matches before segment position n end there.
func (p *optimalParser) clip(n int) {
	from := max(n-maxMatch, 0)
	kept := p.first[from]
	for i := from; i < n; i++ {
		list := p.matches[p.first[i]:p.first[i+1]]
		p.first[i] = kept
		for _, m := range list {
			if n-i >= minMatch {
				p.matches[kept] = match{min(m.length, uint16(n-i)), m.dist}
				kept++
			}
		}
	}
	p.first[n] = kept
	p.matches = p.matches[:kept]
}

// longest returns the longest match at segment position i.
func (p *optimalParser) longest(i int) match {
	if i+1 >= len(p.first) || p.first[i] == p.first[i+1] {
		return match{}
	}
	return p.matches[p.first[i+1]-1]
}

// lazy appends a first parse to seqs.
func (p *optimalParser) lazy(src []byte, start int, seqs []sequence) []sequence {
	n := len(p.first) - 1
	run := 0
	for i := 0; i < n; {
		m := p.longest(i)
		if m.length < minMatch || m.length == minMatch && m.dist > farShort {
			i++
			if i-run >= maxLiteralRun {
				seqs = append(seqs, sequence{literals: uint32(i - run)})
				run = i
			}
			continue
		}
		if next := p.longest(i + 1); next.length != 0 &&
			4*(int(next.length)-int(m.length))+bits.Len16(m.dist)-bits.Len16(next.dist) > 2 {
			i++
			continue
		}
		seqs = append(seqs, sequence{uint32(i - run), m.length, m.dist})
		i += int(m.length)
		run = i
	}
	if run < n {
		seqs = append(seqs, sequence{literals: uint32(n - run)})
	}
	return seqs
}

// cheapest sets the choice at each position of the segment seg, which begins
// at start in the source, under the models of the blocks of p.split.
func (p *optimalParser) cheapest(seg []byte, start int) {
	block := len(p.split.blocks) - 1
	model := &p.models[block]
	from := p.split.blocks[block].start - start
	cost, choice := p.cost[:len(seg)+1], p.choice[:len(seg)+1]
	cost[len(seg)] = 0
	for i := len(seg) - 1; i >= 0; i-- {
		for i < from {
			block--
			model = &p.models[block]
			from = p.split.blocks[block].start - start
		}
		least := model.literal[seg[i]] + cost[i+1]
		take := match{length: 1}
		length := minMatch
		for _, m := range p.matches[p.first[i]:p.first[i+1]] {
			dist := model.dist[distCode(m.dist)&31]
			costs := model.length[length : int(m.length)+1]
			after := cost[i+length:]
			after = after[:len(costs)]
			for k, c := range costs {
				if c += dist + after[k]; c < least {
					least = c
					take = match{uint16(length + k), m.dist}
				}
			}
			length = int(m.length) + 1
		}
		cost[i], choice[i] = least, take
	}
}

// follow appends the sequences of the choices to seqs.
func (p *optimalParser) follow(seqs []sequence) []sequence {
	n := len(p.first) - 1
	run := 0
	for i := 0; i < n; {
		m := p.choice[i]
		i += int(m.length)
		if m.length == 1 {
			if i-run == maxLiteralRun {
				seqs = append(seqs, sequence{literals: maxLiteralRun})
				run = i
			}
			continue
		}
		seqs = append(seqs, sequence{uint32(i - int(m.length) - run), m.length, m.dist})
		run = i
	}
	if run < n {
		seqs = append(seqs, sequence{literals: uint32(n - run)})
	}
	return seqs
}
