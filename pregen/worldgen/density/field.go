package density

import "math/bits"

// field keeps what an interpolated node is at the corners of a chunk's cells.
type field struct {
	source      Node      // of what is interpolated
	rows, words int       // words of masks hold a column's rows
	values      []float64 // by column (z major) and row
	valid       []uint64  // a bit for each row
	wanted      []uint64  // rows to compute, see Chunk.Corners

	// Bounds of rows, set in columns that are bounded. Where values are valid
	// both are the value.
	low, high []float64
	bounded   []bool
}

func newField(source Node, columns, rows int) field {
	words := (rows + 63) / 64
	return field{
		source: source, rows: rows, words: words,
		values: make([]float64, columns*rows),
		valid:  make([]uint64, columns*words), wanted: make([]uint64, columns*words),
		low: make([]float64, columns*rows), high: make([]float64, columns*rows),
		bounded: make([]bool, columns),
	}
}

func (f *field) forget() {
	clear(f.valid)
	clear(f.wanted)
	clear(f.bounded)
}

// has reports whether a corner and the one above it are valid.
func (f *field) has(column, row int) bool {
	return f.pairs(column, row>>6)>>(row&63)&1 != 0
}

// pairs tells which rows of a word are valid together with the one above.
func (f *field) pairs(column, word int) uint64 {
	at := column*f.words + word
	above := f.valid[at] >> 1
	if word+1 < f.words {
		above |= f.valid[at+1] << 63
	}
	return f.valid[at] & above
}

// want adds rows of a word, and those above each, to the rows to compute.
func (f *field) want(column, word int, mask uint64) {
	at := column*f.words + word
	f.wanted[at] |= mask | mask<<1
	if mask>>63 != 0 {
		f.wanted[at+1] |= 1
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
	at := column*f.rows + word*64
	from := l.need(f.source, mask)
	for mask != 0 {
		first, last, rest := nextRun(mask)
		mask = rest
		copy(f.values[at+first:at+last], from[first:last])
		copy(f.low[at+first:at+last], from[first:last])
		copy(f.high[at+first:at+last], from[first:last])
	}
}

// copyBounds takes the bounds of rows of a word from lanes, but where values
// are valid.
func (f *field) copyBounds(column, word int, mask uint64, low, high *lane) {
	mask &^= f.valid[column*f.words+word]
	at := column*f.rows + word*64
	for mask != 0 {
		first, last, rest := nextRun(mask)
		mask = rest
		copy(f.low[at+first:at+last], low[first:last])
		copy(f.high[at+first:at+last], high[first:last])
	}
}

// setBounds is copyBounds for bounds that are the same for all rows.
func (f *field) setBounds(column, word int, mask uint64, low, high float64) {
	mask &^= f.valid[column*f.words+word]
	at := column*f.rows + word*64
	for ; mask != 0; mask &= mask - 1 {
		row := at + bits.TrailingZeros64(mask)
		f.low[row], f.high[row] = low, high
	}
}
