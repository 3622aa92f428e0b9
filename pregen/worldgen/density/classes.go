package density

import "math"

// Corners prepares the densities of the whole chunk, which is faster than cell
// by cell. Of cells at or above block y signFrom it computes no more than Class
// needs; Density computes the rest when it is asked for.
//
// It works in passes: it bounds all cells by what is known of their corners,
// computes the corners of those that are not decided, column by column, and
// goes on with these.
func (c *Chunk) Corners(signFrom int) {
	c.prepared = true
	layers := c.rows - 1
	pending := c.pending[:0]
	for column := range c.cells * c.cells {
		for cy := range layers {
			pending = append(pending, int32(column*layers+cy))
		}
	}
	for len(pending) > 0 {
		left := pending[:0]
		for _, number := range pending {
			if !c.decide(int(number), signFrom) {
				left = append(left, number)
			}
		}
		pending = left
		c.computeWanted()
	}
}

// Class tells the sign of final_density in a cell, without beards. Mixed says
// nothing: Density tells.
func (c *Chunk) Class(cx, cy, cz int) Class {
	if !c.prepared {
		c.Corners(math.MinInt)
	}
	return c.classes[(cz*c.cells+cx)*(c.rows-1)+cy]
}

// decide sets the class of a cell, or wants corners that are missing for it.
func (c *Chunk) decide(number, signFrom int) bool {
	layers := c.rows - 1
	column, cy := number/layers, number%layers
	c.at.cx, c.at.cy, c.at.cz = column%c.cells, cy, column/c.cells
	exact := c.firstY+cy*c.program.shape.CellHeight < signFrom
	search := cellSearch{chunk: c, exact: exact}
	low, high := search.reach(c.program.router.FinalDensity)
	class := Mixed
	switch {
	case high <= 0:
		class = Open
	case low > 0:
		class = Solid
	}
	c.classes[number] = class
	if search.missing == nil || class != Mixed && !exact {
		return true
	}
	for i := range 4 {
		search.missing.want(c.column(c.at.cx+i&1, c.at.cz+i>>1), cy)
	}
	return false
}

// computeWanted computes the corners that cells want.
func (c *Chunk) computeWanted() {
	columns := (c.cells + 1) * (c.cells + 1)
	for column := range columns {
		for word := range c.words {
			moved := false
			for i := range c.fields {
				f := &c.fields[i]
				wanted := f.wanted[column*f.words+word]
				if wanted == 0 {
					continue
				}
				f.wanted[column*f.words+word] = 0
				if !moved {
					c.moveColumn(column, word)
					moved = true
				}
				f.compute(c.columns, column, word, wanted)
			}
		}
	}
}

// cellSearch bounds a node over the cell at which the chunk is.
type cellSearch struct {
	chunk   *Chunk
	exact   bool   // the values matter, not only their sign
	missing *field // the first whose corners would help
}

func (s *cellSearch) reach(id Node) (low, high float64) {
	n := &s.chunk.program.graph.nodes[id]
	known := s.chunk.program.known
	switch n.kind {
	case constant:
		return n.p[0], n.p[0]
	case interpolated, cellInterpolated:
		return s.field(&s.chunk.fields[n.slot])
	case plus, times, abs, square, cube, halfNegative, quarterNegative, squeeze, clamp:
		return n.oneReach(s.reach(n.a))
	case minimum, maximum:
		lowA, highA := s.reach(n.a)
		switch {
		case n.kind == minimum && highA < n.p[0], n.kind == maximum && lowA > n.p[0]:
			return lowA, highA
		case n.kind == minimum && highA <= 0 && !s.exact, s.missing != nil:
			return n.pairReach(lowA, highA, known.low[n.b], known.high[n.b])
		}
		lowB, highB := s.reach(n.b)
		return n.pairReach(lowA, highA, lowB, highB)
	case add, mul:
		lowA, highA := s.reach(n.a)
		lowB, highB := s.reach(n.b)
		return n.pairReach(lowA, highA, lowB, highB)
	case rangeChoice:
		return s.choice(n)
	}
	return known.low[id], known.high[id]
}

func (s *cellSearch) choice(n *node) (low, high float64) {
	known := s.chunk.program.known
	low, high = s.reach(n.a)
	switch {
	case low >= n.p[0] && high < n.p[1]:
		return s.reach(n.b)
	case high < n.p[0] || low >= n.p[1]:
		return s.reach(n.c)
	case s.missing != nil:
		return n.choiceReach(low, high, known.low[n.b], known.high[n.b], known.low[n.c], known.high[n.c])
	}
	lowIn, highIn := s.reach(n.b)
	lowOut, highOut := s.reach(n.c)
	return n.choiceReach(low, high, lowIn, highIn, lowOut, highOut)
}

// field bounds what is interpolated in the cell. What is not computed yet is
// bounded by the bounds of columns.
func (s *cellSearch) field(f *field) (low, high float64) {
	c := s.chunk
	low, high = math.Inf(1), math.Inf(-1)
	complete := true
	for i := range 4 {
		column := c.column(c.at.cx+i&1, c.at.cz+i>>1)
		at := column*f.rows + c.at.cy
		switch {
		case f.has(column, c.at.cy):
			low, high = min(low, f.values[at], f.values[at+1]), max(high, f.values[at], f.values[at+1])
			continue
		case f.telling:
			c.bound(f, column)
			low, high = min(low, f.low[at], f.low[at+1]), max(high, f.high[at], f.high[at+1])
		default:
			low, high = min(low, c.program.known.low[f.source]), max(high, c.program.known.high[f.source])
		}
		complete = false
	}
	if !complete && s.missing == nil {
		s.missing = f
	}
	return widen(low, high)
}

// bound sets a field's bounds in a column.
func (c *Chunk) bound(f *field, column int) {
	if f.bounded[column] {
		return
	}
	f.bounded[column] = true
	for word := range f.words {
		c.moveColumn(column, word)
		f.bound(c.columns, column, word)
	}
}
