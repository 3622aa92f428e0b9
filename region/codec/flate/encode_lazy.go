package flate

// A lazyTuning is what tells the lazy levels apart.
type lazyTuning struct {
	depth int // candidates looked at for a match
	nice  int // a match of this length is taken without further search
	calm  int // a match of this length is taken without a look ahead
	ahead int // how many positions further a better match is looked for
	cell  int // least symbols of a block, in a short segment
}

// The depths were chosen on the payloads of chunks, where each step up the
// levels costs about a quarter to a half more time.
var lazyLevels = [...]lazyTuning{
	{depth: 8, nice: 48, calm: 32, ahead: 1, cell: 1024},
	{depth: 18, nice: 80, calm: 65, ahead: 1, cell: 768},
	{depth: 40, nice: 130, calm: 130, ahead: 1, cell: 384},
	{depth: 64, nice: 258, calm: 130, ahead: 2, cell: 256},
	{depth: 200, nice: 258, calm: 258, ahead: 2, cell: 128},
}

// A lazyParser takes the longest match it finds unless one that begins a
// little later is better.
type lazyParser struct {
	tuning lazyTuning
	chains chainMatcher
	least  int // the shortest match to take in this segment
}

// longCell is the size from which cells are not made larger any more; once
// there are maxCells of them the segment ends.
const longCell = 1024

// segmentSeqs returns how many sequences a segment can have.
func (t *lazyTuning) segmentSeqs() int {
	cell := t.cell
	for cell < longCell {
		cell *= 2
	}
	return maxCells * (cell + 2) // a last match, and the literals before a cut
}

func newLazyParser(t lazyTuning) *lazyParser { return &lazyParser{tuning: t} }

func (p *lazyParser) reset(srcBytes int) { p.chains.reset(srcBytes) }

// tailBytes is how many bytes at the end of the source are left to literals.
const tailBytes = 4

// longPeriod is the greatest distance at which a match of full length counts
// as part of a run.
const longPeriod = 64

func (p *lazyParser) segment(src []byte, start int, seqs []sequence, split *splitter) ([]sequence, int) {
	p.least = shortestUseful(src, start)
	c := split.begin(start)
	target := p.tuning.cell
	run := start // first literal not in a sequence
	pos := start
	for pos < len(src) {
		if c.symbols >= target {
			if pos > run {
				seqs = append(seqs, sequence{literals: uint32(pos - run)})
				run = pos
			}
			c.end, c.endSeq = pos, len(seqs)
			if split.full() {
				if target >= longCell {
					break
				}
				split.coarsen()
				target *= 2
			}
			c = split.open(pos, len(seqs))
		}
		if len(src)-pos <= tailBytes {
			for ; pos < len(src); pos++ {
				c.literal(src[pos])
			}
			break
		}
		length, dist, at := p.match(src, pos)
		if dist == 0 {
			c.literal(src[pos])
			pos++
			continue
		}
		for ; pos < at; pos++ {
			c.literal(src[pos])
		}
		c.match(length, dist)
		seqs = append(seqs, sequence{uint32(at - run), uint16(length), uint16(dist)})
		pos = at + length
		run = pos
	}
	if pos > run {
		seqs = append(seqs, sequence{literals: uint32(pos - run)})
	}
	c.end, c.endSeq = pos, len(seqs)
	split.divide()
	return seqs, pos
}

// match returns the match to take at pos or a little later, and where; the
// distance is zero when there is none at pos. Every position before the end
// of the match, or before pos+1, has been entered into the chains.
func (p *lazyParser) match(src []byte, pos int) (length, dist, at int) {
	t, m := &p.tuning, &p.chains
	most := min(len(src)-pos, maxMatch)
	length, dist = m.find(src, pos, max(p.least-1, minMatch), most, min(t.nice, most), t.depth)
	if dist != 0 || p.least > minMatch {
		m.insertShort(src, pos)
		if dist == 0 {
			return 0, 0, pos
		}
	} else if dist = m.findShort(src, pos); dist == 0 {
		return 0, 0, pos
	}
	entered := pos + 1
	for length < t.calm && len(src)-pos > tailBytes+t.ahead {
		l, d := p.ahead(src, pos+1, length, t.depth>>1)
		entered = pos + 2
		if d != 0 && better(length, dist, l, d) > 2 {
			length, dist = l, d
			pos++
			continue
		}
		if t.ahead == 1 {
			break
		}
		l, d = p.ahead(src, pos+2, length, t.depth>>2)
		entered = pos + 3
		if d == 0 || better(length, dist, l, d) <= 6 {
			break
		}
		length, dist = l, d
		pos += 2
	}
	if length == maxMatch && dist <= longPeriod {
		// The inside of a run is like its beginning and would only make the
		// chains longer.
		m.insert(src, entered, pos+1+dist)
		m.insert(src, pos+length-dist-1, pos+length)
		return length, dist, pos
	}
	m.insert(src, entered, pos+length)
	return length, dist, pos
}

// ahead enters pos, before which a match of some length is at hand, and
// returns a match there that is no shorter.
func (p *lazyParser) ahead(src []byte, pos, length, depth int) (l, d int) {
	p.chains.insertShort(src, pos)
	most := min(len(src)-pos, maxMatch)
	return p.chains.find(src, pos, max(length-1, minMatch), most, min(p.tuning.nice, most), depth)
}
