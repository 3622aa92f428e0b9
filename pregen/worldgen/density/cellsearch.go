package density

import "math/bits"

// cellSearch bounds nodes over the cells of a column, up to 64 at once.
type cellSearch struct {
	chunk     *Chunk
	low, high []*lane // of nodes
	inside    []bool  // what is interpolated is in the node

	exactLayers  int // below are cells whose values matter, not only their sign
	cx, cz, word int
	exact        uint64   // the same for the word
	missing      uint64   // cells that lack corners of some field
	wants        []uint64 // cells that want a field's corners, by slot
}

func newCellSearch(c *Chunk) *cellSearch {
	size := len(c.program.graph.nodes)
	s := &cellSearch{
		chunk: c, low: make([]*lane, size), high: make([]*lane, size),
		inside: make([]bool, size), wants: make([]uint64, len(c.fields)),
	}
	s.include(c.program.router.FinalDensity)
	return s
}

// include makes room for a node and what it is made of.
func (s *cellSearch) include(id Node) bool {
	if s.low[id] != nil {
		return s.inside[id]
	}
	known := s.chunk.program.known
	s.low[id], s.high[id] = new(lane), new(lane)
	for i := range s.low[id] {
		s.low[id][i], s.high[id][i] = known.low[id], known.high[id]
	}
	n := &s.chunk.program.graph.nodes[id]
	switch n.kind {
	case cellInterpolated:
		s.inside[id] = true
	case plus, times, abs, square, cube, halfNegative, quarterNegative, squeeze, clamp,
		add, mul, minimum, maximum, rangeChoice:
		arguments := [...]Node{n.a, n.b, n.c}
		for _, argument := range arguments[:n.kind.arguments()] {
			s.inside[id] = s.include(argument) || s.inside[id]
		}
	}
	return s.inside[id]
}

// move goes to 64 cells of a column.
func (s *cellSearch) move(column, word int) {
	s.cx, s.cz, s.word = column%s.chunk.cells, column/s.chunk.cells, word
	s.exact, s.missing = lowBits(s.exactLayers-word*64), 0
}

// decide sets the classes of cells, and returns those that want corners first.
func (s *cellSearch) decide(mask uint64) (left uint64) {
	c := s.chunk
	low, high := s.reach(c.program.router.FinalDensity, mask)
	at := (s.cz*c.cells+s.cx)*(c.rows-1) + s.word*64
	for ; mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros64(mask)
		class := Mixed
		switch {
		case high[i] <= 0:
			class = Open
		case low[i] > 0:
			class = Solid
		}
		c.classes[at+i] = class
		if bit := uint64(1) << i; s.missing&bit != 0 && (class == Mixed || s.exact&bit != 0) {
			left |= bit
		}
	}
	for slot, wants := range s.wants {
		s.wants[slot] = 0
		if wants &= left; wants != 0 {
			for i := range 4 {
				c.fields[slot].want(c.column(s.cx+i&1, s.cz+i>>1), s.word, wants)
			}
		}
	}
	return left
}

// reach returns bounds of a node in each cell of the mask. Where a cell lacks
// corners, what follows from them is not looked at.
func (s *cellSearch) reach(id Node, mask uint64) (low, high *lane) {
	low, high = s.low[id], s.high[id]
	if !s.inside[id] || mask == 0 {
		return low, high
	}
	n := &s.chunk.program.graph.nodes[id]
	switch n.kind {
	case cellInterpolated:
		s.field(n.slot, mask, low, high)
	case minimum, maximum:
		s.extreme(n, mask, low, high)
	case rangeChoice:
		s.choice(n, mask, low, high)
	case add, mul:
		lowA, highA := s.reach(n.a, mask)
		lowB, highB := s.reach(n.b, mask)
		for ; mask != 0; mask &= mask - 1 {
			i := bits.TrailingZeros64(mask)
			low[i], high[i] = n.pairReach(lowA[i], highA[i], lowB[i], highB[i])
		}
	default:
		lowA, highA := s.reach(n.a, mask)
		for ; mask != 0; mask &= mask - 1 {
			i := bits.TrailingZeros64(mask)
			low[i], high[i] = n.oneReach(lowA[i], highA[i])
		}
	}
	return low, high
}

func (s *cellSearch) extreme(n *node, mask uint64, low, high *lane) {
	lowA, highA := s.reach(n.a, mask)
	least := n.kind == minimum
	var alone, open uint64
	for m := mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		switch {
		case least && highA[i] < n.p[0] || !least && lowA[i] > n.p[0]:
			alone |= 1 << i
			low[i], high[i] = lowA[i], highA[i]
		case least && highA[i] <= 0:
			open |= 1 << i
		}
	}
	mask &^= alone
	lowB, highB := s.low[n.b], s.high[n.b]
	known := s.chunk.program.known
	ask := mask &^ (open &^ s.exact)
	if least && known.low[n.a] < max(n.p[0], 0) || !least && known.high[n.a] > n.p[0] {
		ask &^= s.missing // the left may yet turn out to be enough
	}
	s.reach(n.b, ask)
	for ; mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros64(mask)
		if ask>>i&1 != 0 {
			low[i], high[i] = n.pairReach(lowA[i], highA[i], lowB[i], highB[i])
		} else {
			low[i], high[i] = n.pairReach(lowA[i], highA[i], known.low[n.b], known.high[n.b])
		}
	}
}

func (s *cellSearch) choice(n *node, mask uint64, low, high *lane) {
	lowA, highA := s.reach(n.a, mask)
	var in, out uint64
	for m := mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		switch {
		case lowA[i] >= n.p[0] && highA[i] < n.p[1]:
			in |= 1 << i
		case highA[i] < n.p[0] || lowA[i] >= n.p[1]:
			out |= 1 << i
		}
	}
	both := mask &^ (in | out | s.missing)
	lowB, highB := s.reach(n.b, in|both)
	lowC, highC := s.reach(n.c, out|both)
	known := s.chunk.program.known
	for ; mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros64(mask)
		switch bit := uint64(1) << i; {
		case in&bit != 0:
			low[i], high[i] = lowB[i], highB[i]
		case out&bit != 0:
			low[i], high[i] = lowC[i], highC[i]
		case both&bit != 0:
			low[i], high[i] = min(lowB[i], lowC[i]), max(highB[i], highC[i])
		default:
			low[i] = min(known.low[n.b], known.low[n.c])
			high[i] = max(known.high[n.b], known.high[n.c])
		}
	}
}

// field bounds what is interpolated in cells. What is not computed yet is
// bounded by the bounds of columns.
func (s *cellSearch) field(slot int32, mask uint64, low, high *lane) {
	c, f := s.chunk, &s.chunk.fields[slot]
	complete := mask
	first, last := bits.TrailingZeros64(mask), 64-bits.LeadingZeros64(mask)
	for i := range 4 {
		column := c.column(s.cx+i&1, s.cz+i>>1)
		complete &= f.pairs(column, s.word)
		c.bound(f, column)
		at := column*f.rows + s.word*64
		lows, highs := f.low[at+first:at+last+1], f.high[at+first:at+last+1]
		l, h := low[first:last], high[first:last]
		if i == 0 {
			copy(l, lows)
			copy(h, highs)
		}
		if c.program.known.bounded(f.source) {
			extend(l, h, lows, highs)
		} else {
			extendAny(l, h, lows, highs)
		}
	}
	incomplete := mask &^ complete
	s.wants[slot] |= incomplete
	s.missing |= incomplete
	for ; mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros64(mask)
		low[i], high[i] = widen(low[i], high[i])
	}
}

// extend widens the bounds of cells so that they hold those of a column of
// corners, which are numbers.
func extend(low, high, lows, highs []float64) {
	lows, highs = lows[:len(low)+1], highs[:len(low)+1]
	high = high[:len(low)]
	nextLow, nextHigh := lows[0], highs[0]
	for i := range low {
		l, h := nextLow, nextHigh
		nextLow, nextHigh = lows[i+1], highs[i+1]
		if nextLow < l {
			l = nextLow
		}
		if nextHigh > h {
			h = nextHigh
		}
		if l < low[i] {
			low[i] = l
		}
		if h > high[i] {
			high[i] = h
		}
	}
}

// extendAny is extend for what may not be a number. No bounds hold then.
func extendAny(low, high, lows, highs []float64) {
	for i := range low {
		low[i] = min(low[i], lows[i], lows[i+1])
		high[i] = max(high[i], highs[i], highs[i+1])
	}
}

// bound sets a field's bounds in a column. Where values matter they are
// computed anyway.
func (c *Chunk) bound(f *field, column int) {
	if f.bounded[column] {
		return
	}
	f.bounded[column] = true
	known := c.program.known
	for word := range f.words {
		all := f.rowMask(word)
		worth := all &^ lowBits(c.search.exactLayers-word*64)
		if !known.telling[f.source] {
			worth = 0
		}
		f.setBounds(column, word, all&^worth, known.low[f.source], known.high[f.source])
		if worth != 0 {
			c.moveColumn(column, word)
			low, high := c.columns.reach(f.source, worth)
			f.copyBounds(column, word, worth, low, high)
		}
	}
}
