package density

// column is the number of a column of corners.
func (c *Chunk) column(cx, cz int) int { return cz*(c.cells+1) + cx }

// moveColumn moves the lanes of columns to rows of a word of masks.
func (c *Chunk) moveColumn(column, word int) {
	w, h := c.program.shape.CellWidth, c.program.shape.CellHeight
	cx, cz := column%(c.cells+1), column/(c.cells+1)
	c.columns.moveColumn(c.x+cx*w, c.z+cz*w, c.firstY+word*64*h, h)
}

// corners returns the corners of a cell: bit 0 of the index is x, bit 1 y, bit
// 2 z. Those that are missing are computed with some below, which callers that
// go down ask for next.
func (c *Chunk) corners(slot int32, cx, cy, cz int) (v [8]float64) {
	f := &c.fields[slot]
	for i := range 4 {
		column := c.column(cx+i&1, cz+i>>1)
		if !f.has(column, cy) {
			c.computeRows(f, column, max(cy-rowsAhead, 0), cy+1)
		}
		at := column*f.rows + cy
		corner := i&1 | i>>1<<2
		v[corner], v[corner|2] = f.values[at], f.values[at+1]
	}
	return v
}

// rowsAhead is how many more rows corners computes.
const rowsAhead = 8

// computeRows computes a range of rows.
func (c *Chunk) computeRows(f *field, column, first, last int) {
	for word := first >> 6; word <= last>>6; word++ {
		c.moveColumn(column, word)
		f.compute(c.columns, column, word, lowBits(last+1-word*64)&^lowBits(first-word*64))
	}
}

// interpolate evaluates an interpolated node at the block of p, which is in the
// chunk.
func (c *Chunk) interpolate(id Node, p *points) float64 {
	n := &p.nodes[id]
	w, h := c.program.shape.CellWidth, c.program.shape.CellHeight
	x, y, z := p.x-c.x, p.y-c.firstY, p.z-c.z
	if uint(x) >= 16 || uint(z) >= 16 || uint(y) >= uint((c.rows-1)*h) {
		return p.value(n.a)
	}
	cy := y / h
	v := c.corners(n.slot, x>>c.at.shift, cy, z>>c.at.shift)
	tx, ty, tz := c.at.alongXZ[x&(w-1)], c.at.alongY[y-cy*h], c.at.alongXZ[z&(w-1)]
	if n.kind == interpolated {
		return lerp(tz,
			lerp(tx, lerp(ty, v[0], v[2]), lerp(ty, v[1], v[3])),
			lerp(tx, lerp(ty, v[4], v[6]), lerp(ty, v[5], v[7])))
	}
	return lerp(tz,
		lerp(ty, lerp(tx, v[0], v[1]), lerp(tx, v[2], v[3])),
		lerp(ty, lerp(tx, v[4], v[5]), lerp(tx, v[6], v[7])))
}
