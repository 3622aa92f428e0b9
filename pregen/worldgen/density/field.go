package density

// field keeps what an interpolated node is at the corners of a chunk's cells.
type field struct {
	source Node // of what is interpolated
	rows   int
	words  int       // of valid for a column
	values []float64 // by column (z major) and row
	valid  []uint64  // a bit for each row
}

func newField(source Node, columns, rows int) field {
	words := (rows + 63) / 64
	return field{
		source: source, rows: rows, words: words,
		values: make([]float64, columns*rows), valid: make([]uint64, columns*words),
	}
}

func (f *field) forget() { clear(f.valid) }

// corner returns a value that was computed, and whether it was.
func (f *field) corner(column, row int) (*float64, bool) {
	word, bit := &f.valid[column*f.words+row>>6], uint64(1)<<(row&63)
	known := *word&bit != 0
	*word |= bit
	return &f.values[column*f.rows+row], known
}

// corner returns the value of a field at a corner of the chunk's cells.
func (c *Chunk) corner(slot int32, cx, cy, cz int) float64 {
	f := &c.fields[slot]
	value, known := f.corner(cz*(c.cells+1)+cx, cy)
	if !known {
		w, h := c.program.shape.CellWidth, c.program.shape.CellHeight
		*value = c.grid.points.at(f.source, c.x+cx*w, c.firstY+cy*h, c.z+cz*w)
	}
	return *value
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
	var v [8]float64 // bit 0 is x, bit 1 y, bit 2 z
	for i := range v {
		v[i] = c.corner(n.slot, x/w+i&1, y/h+i>>1&1, z/w+i>>2)
	}
	tx, ty, tz := float64(x%w)/float64(w), float64(y%h)/float64(h), float64(z%w)/float64(w)
	if n.kind == interpolated {
		return lerp(tz,
			lerp(tx, lerp(ty, v[0], v[2]), lerp(ty, v[1], v[3])),
			lerp(tx, lerp(ty, v[4], v[6]), lerp(ty, v[5], v[7])))
	}
	return lerp(tz,
		lerp(ty, lerp(tx, v[0], v[1]), lerp(tx, v[2], v[3])),
		lerp(ty, lerp(tx, v[4], v[5]), lerp(tx, v[6], v[7])))
}
