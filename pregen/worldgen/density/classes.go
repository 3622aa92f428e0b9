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
	exact := clampInt(floorDiv(signFrom-1-c.firstY, c.program.shape.CellHeight)+1, 0, layers)
	c.search.exactLayers = exact
	for column := range c.cells * c.cells {
		for word := range c.words {
			c.pending[column*c.words+word] = lowBits(layers - word*64)
		}
	}
	for left := true; left; {
		left = false
		for column := range c.cells * c.cells {
			for word := range c.words {
				pending := &c.pending[column*c.words+word]
				if *pending != 0 {
					c.search.move(column, word)
					*pending = c.search.decide(*pending)
					left = left || *pending != 0
				}
			}
		}
		if left {
			c.computeWanted()
		}
	}
}

func clampInt(v, low, high int) int { return max(low, min(v, high)) }

// lowBits is a mask of the first bits of a word; none for a count below 0.
func lowBits(count int) uint64 {
	if count >= 64 {
		return 1<<64 - 1
	}
	return 1<<max(count, 0) - 1
}

// Class tells the sign of final_density in a cell, without beards. Mixed says
// nothing: Density tells.
func (c *Chunk) Class(cx, cy, cz int) Class {
	if !c.prepared {
		c.Corners(math.MinInt32)
	}
	return c.classes[(cz*c.cells+cx)*(c.rows-1)+cy]
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
