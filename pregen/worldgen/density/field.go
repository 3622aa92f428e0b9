package density

// field keeps what an interpolated node is at the corners of a chunk's cells.
type field struct {
	source  Node // of what is interpolated
	rows    int
	words   int       // of masks for a column's rows
	values  []float64 // by column (z major) and row
	valid   []uint64  // a bit for each row
	telling bool      // source has bounds in columns

	// Bounds of columns, where bounded says. Where values are valid they are
	// those.
	low, high []float64
	bounded   []bool

	wanted []uint64 // rows to compute, see Chunk.Corners
}

func newField(source Node, telling bool, columns, rows int) field {
	words := (rows + 63) / 64
	f := field{
		source: source, rows: rows, words: words, telling: telling,
		values: make([]float64, columns*rows), valid: make([]uint64, columns*words),
		wanted: make([]uint64, columns*words),
	}
	if telling {
		f.low, f.high = make([]float64, columns*rows), make([]float64, columns*rows)
		f.bounded = make([]bool, columns)
	}
	return f
}

func (f *field) forget() {
	clear(f.valid)
	clear(f.bounded)
	clear(f.wanted)
}

// has reports whether a corner and the one above it are valid.
func (f *field) has(column, row int) bool {
	word := f.valid[column*f.words+row>>6:]
	if row&63 < 63 {
		return word[0]>>(row&63)&3 == 3
	}
	return word[0]>>63&word[1]&1 == 1
}

// want adds a corner and the one above it to those to compute.
func (f *field) want(column, row int) {
	for _, row := range [...]int{row, row + 1} {
		f.wanted[column*f.words+row>>6] |= 1 << (row & 63)
	}
}

// rowMask is all rows of a word of masks.
func (f *field) rowMask(word int) uint64 {
	if rest := f.rows - word*64; rest < 64 {
		return 1<<rest - 1
	}
	return 1<<64 - 1
}

// compute evaluates corners of a column: rows of a word of masks. The column's
// lanes are at the word's rows already.
func (f *field) compute(l *lanes, column, word int, mask uint64) {
	mask &^= f.valid[column*f.words+word]
	if mask == 0 {
		return
	}
	f.valid[column*f.words+word] |= mask
	values := f.values[column*f.rows+word*64:]
	from := l.need(f.source, mask)
	for first, last := 0, 0; mask != 0; {
		first, last, mask = nextRun(mask)
		copy(values[first:last], from[first:last])
	}
}

// bound sets the bounds of rows of a column, like compute.
func (f *field) bound(l *lanes, column, word int) {
	low, high := l.reach(f.source, f.rowMask(word))
	start, rows := column*f.rows+word*64, min(64, f.rows-word*64)
	copy(f.low[start:start+rows], low[:rows])
	copy(f.high[start:start+rows], high[:rows])
}
