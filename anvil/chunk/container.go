package chunk

// container is a paletted container: what is in the cells of a section, as
// indices into a palette. It is one of
//
//   - uniform: width 0, all cells are single
//   - paletted: width 1 to 8, palette of at most 1<<width entries
//   - direct: width 16, no palette, the cells are the values
//
// data and palette may lie in memory that all sections of a chunk share, each
// with its own part. While shared is set they are not written to.
type container struct {
	data    []uint64
	palette []uint16
	single  uint16
	width   uint8
	shared  bool // with a clone: copy before writing
	edited  bool // the palette may have entries without a cell
}

const directWidth = 16

func uniform(v uint16) container { return container{single: v} }

// get returns the value of a cell.
func (t *container) get(i int) uint16 {
	switch t.width {
	case 0:
		return t.single
	case directWidth:
		return cellAt(t.data, directWidth, i)
	}
	return t.palette[cellAt(t.data, t.width, i)]
}

// set changes a cell of n, and returns what it was.
func (t *container) set(i int, v uint16, n int) (old uint16) {
	old = t.get(i)
	if old == v {
		return old
	}
	t.own()
	t.edited = true
	index, ok := t.index(v)
	if !ok {
		index = t.addEntry(v, n)
	}
	setCell(t.data, t.width, i, index)
	return old
}

// own makes data and palette the container's alone.
func (t *container) own() {
	if t.shared {
		t.data = append([]uint64(nil), t.data...)
		t.palette = append([]uint16(nil), t.palette...)
		t.shared = false
	}
}

// index returns what a cell of value v holds, if the palette has it.
func (t *container) index(v uint16) (uint16, bool) {
	if t.width == directWidth {
		return v, true
	}
	for i, p := range t.palette {
		if p == v {
			return uint16(i), true
		}
	}
	return 0, false
}

// addEntry makes room for a value that the palette lacks and returns its
// index. A full palette is cleared of entries that no cell has; only when
// that frees less than a quarter of it do cells become wider, so that a set
// costs little on average.
func (t *container) addEntry(v uint16, n int) uint16 {
	if t.width == 0 {
		t.data, t.palette, t.width = make([]uint64, longsFor(n, 4)), make([]uint16, 1, 16), 4
		t.palette[0] = t.single
	}
	if len(t.palette) == 1<<t.width {
		cells := make([]uint16, n)
		unpack(cells, t.data, t.width)
		if t.compact(cells) > 3<<t.width>>2 {
			t.widen(cells)
		} else {
			pack(t.data, cells, t.width)
		}
		if t.width == directWidth {
			return v
		}
	}
	t.palette = append(t.palette, v)
	return uint16(len(t.palette) - 1)
}

// compact takes unused entries out of the palette and renumbers the cells,
// which the caller packs again. It returns how many entries are left.
func (t *container) compact(cells []uint16) int {
	var used [256]bool
	for _, c := range cells {
		used[c] = true
	}
	var to [256]uint16
	left := 0
	for i, v := range t.palette {
		if used[i] {
			to[i] = uint16(left)
			t.palette[left] = v
			left++
		}
	}
	t.palette = t.palette[:left]
	for i, c := range cells {
		cells[i] = to[c]
	}
	return left
}

// widen packs cells into the next larger width.
func (t *container) widen(cells []uint16) {
	switch {
	case t.width < 4:
		t.width = 4
	case t.width < 8:
		t.width = 8
	default:
		for i, c := range cells {
			cells[i] = t.palette[c]
		}
		t.width, t.palette = directWidth, nil
	}
	t.data = make([]uint64, longsFor(len(cells), int(t.width)))
	pack(t.data, cells, t.width)
}

// values spreads the container over dst.
func (t *container) values(dst []uint16) { spreadOver(t, dst) }

// spreadOver is values for cells of a named type.
func spreadOver[T ~uint16](t *container, dst []T) {
	switch {
	case t.width == 0:
		dst[0] = T(t.single)
		for n := 1; n < len(dst); n *= 2 {
			copy(dst[n:], dst[:n])
		}
	case t.width == 4:
		var palette [16]T
		for i, p := range t.palette {
			palette[i&15] = T(p)
		}
		for _, v := range t.data {
			for i := range dst[:16] {
				dst[i] = palette[v&15]
				v >>= 4
			}
			dst = dst[16:]
		}
	case t.width <= 8:
		var palette [256]T
		for i, p := range t.palette {
			palette[i&255] = T(p)
		}
		w := &widths[t.width]
		for _, v := range t.data {
			n := min(int(w.per), len(dst))
			for i := range dst[:n] {
				dst[i] = palette[uint8(v&w.cell)]
				v >>= t.width & 63
			}
			dst = dst[n:]
		}
	default:
		for _, v := range t.data {
			for i := range dst[:4] {
				dst[i] = T(v)
				v >>= 16
			}
			dst = dst[4:]
		}
	}
}

// setValues makes the container anew from the values of all cells, its
// palette ordered by how many cells have an entry.
func (t *container) setValues(src []uint16, s *scratch) {
	palette := s.build(src)
	*t = container{}
	switch n := len(palette); {
	case n == 1:
		t.single = palette[0]
	case n > 256:
		t.width = directWidth
		t.data = make([]uint64, longsFor(len(src), directWidth))
		pack(t.data, src, directWidth)
	default:
		t.width = uint8(paletteWidth(n, 1))
		if len(src) == SectionCells {
			t.width = uint8(paletteWidth(n, 4))
		}
		t.palette = append([]uint16(nil), palette...)
		t.data = make([]uint64, longsFor(len(src), int(t.width)))
		pack(t.data, s.cells[:len(src)], t.width)
	}
}

// counts returns how many cells each palette entry has; for a direct
// container, or a uniform one, those of the values that occur.
func (t *container) counts(n int, s *scratch) (values []uint16, counts []int32) {
	if t.width == 0 {
		return append(s.palette[:0], t.single), append(s.counts[:0], int32(n))
	}
	cells := s.spread[:n]
	t.values(cells)
	return s.build(cells), s.counts
}

// replace puts values in place of others and reports whether any changed.
func (t *container) replace(f func(uint16) uint16, n int, s *scratch) bool {
	switch t.width {
	case 0:
		v := f(t.single)
		changed := v != t.single
		t.single = v
		return changed
	case directWidth:
		cells := s.spread[:n]
		t.values(cells)
		changed := false
		for i, c := range cells {
			if v := f(c); v != c {
				cells[i], changed = v, true
			}
		}
		if changed {
			t.setValues(cells, s)
		}
		return changed
	}
	first := -1
	for i, p := range t.palette {
		if f(p) != p {
			first = i
			break
		}
	}
	if first < 0 {
		return false
	}
	cells := s.spread[:n]
	unpack(cells, t.data, t.width)
	palette := s.mapped[:0]
	for _, p := range t.palette {
		palette = append(palette, f(p))
	}
	changed := false
	for i, c := range cells {
		cells[i] = palette[c]
		changed = changed || palette[c] != t.palette[c]
	}
	if changed {
		t.setValues(cells, s)
	}
	return changed
}
