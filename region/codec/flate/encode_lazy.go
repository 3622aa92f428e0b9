package flate

import "math/bits"

// A lazyTuning is what tells the lazy levels apart.
type lazyTuning struct {
	depth int // candidates looked at for a match
	nice  int // a match of this length is taken without further search
	ahead int // how many positions further a better match is looked for
}

var lazyLevels = [...]lazyTuning{
	{depth: 12, nice: 30, ahead: 1},
	{depth: 32, nice: 65, ahead: 1},
	{depth: 90, nice: 130, ahead: 1},
	{depth: 250, nice: 258, ahead: 2},
	{depth: 600, nice: 258, ahead: 2},
}

// A lazyParser takes the longest match it finds unless one that begins a
// little later is better.
type lazyParser struct {
	tuning lazyTuning
	chains chainMatcher
}

func newLazyParser(t lazyTuning) *lazyParser { return &lazyParser{tuning: t} }

func (p *lazyParser) reset() { p.chains.reset() }

// farShort is the distance from which a match of three bytes costs more than
// its literals.
const farShort = 8192

// tail is how many bytes at the end of the source are left to literals.
const tailBytes = 4

func (p *lazyParser) segment(src []byte, start int, seqs []sequence) ([]sequence, int) {
	stop := min(len(src), start+maxSegmentBytes-maxMatch)
	run := start // first literal not in a sequence
	pos := start
	for pos < stop && len(seqs) < maxSegmentSeqs-2 {
		if pos-run >= maxLiteralRun {
			seqs = append(seqs, sequence{literals: uint32(pos - run)})
			run = pos
		}
		if len(src)-pos <= tailBytes {
			pos = len(src)
			break
		}
		length, dist, at := p.match(src, pos)
		if dist == 0 {
			pos++
			continue
		}
		seqs = append(seqs, sequence{uint32(at - run), uint16(length), uint16(dist)})
		pos = at + length
		run = pos
	}
	if pos > run {
		seqs = append(seqs, sequence{literals: uint32(pos - run)})
	}
	return seqs, pos
}

// match returns the match to take at pos or a little later, and where; the
// distance is zero when there is none at pos. Every position before the end
// of the match, or before pos+1, has been entered into the chains.
func (p *lazyParser) match(src []byte, pos int) (length, dist, at int) {
	t := &p.tuning
	most := min(len(src)-pos, maxMatch)
	length, dist = p.chains.find(src, pos, minMatch-1, most, min(t.nice, most), t.depth)
	if dist == 0 || length == minMatch && dist > farShort {
		return 0, 0, pos
	}
	for length < t.nice && len(src)-pos > tailBytes+1 {
		most := min(len(src)-pos-1, maxMatch)
		l, d := p.chains.find(src, pos+1, length-1, most, min(t.nice, most), t.depth>>1)
		if d != 0 && better(length, dist, l, d) > 2 {
			length, dist = l, d
			pos++
			continue
		}
		if t.ahead > 1 && len(src)-pos > tailBytes+2 {
			most := min(len(src)-pos-2, maxMatch)
			l, d := p.chains.find(src, pos+2, length-1, most, min(t.nice, most), t.depth>>2)
			if d != 0 && better(length, dist, l, d) > 6 {
				length, dist = l, d
				pos += 2
				continue
			}
			p.chains.insert(src, pos+3, pos+length)
			return length, dist, pos
		}
		p.chains.insert(src, pos+2, pos+length)
		return length, dist, pos
	}
	p.chains.insert(src, pos+1, pos+length)
	return length, dist, pos
}

// better returns about how many quarter bytes the match l, d saves over the
// match length, dist.
func better(length, dist, l, d int) int {
	return 4*(l-length) + bits.Len32(uint32(dist)) - bits.Len32(uint32(d))
}
