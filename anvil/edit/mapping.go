package edit

import (
	"fmt"

	"strata/nbt"
)

// mapping is a palette whose entries become other ones.
type mapping struct {
	packing
	entries []nbt.Raw         // the new palette, without what is there twice
	index   map[string]uint16 // of entries, by type and content
	to      []uint16          // from the old palette's entries to the new one's
	hits    map[int]bool      // old entries that become others
	before  []uint16          // the cells as they were
}

func (m *mapping) hit(i int, differs bool) {
	if m.hits == nil {
		m.hits = map[int]bool{}
	}
	if differs {
		m.hits[i] = true
	}
}

func (m *mapping) add(value nbt.Raw) {
	if m.index == nil {
		m.index = map[string]uint16{}
	}
	key := string(value.Data)
	i, ok := m.index[key]
	if !ok {
		i = uint16(len(m.entries))
		m.index[key] = i
		m.entries = append(m.entries, value)
	}
	m.to = append(m.to, i)
}

// apply writes the new palette and cells, if a cell has become another one.
func (m *mapping) apply(r *record, holder, palette nbt.Tag, longs string) (changed bool, err error) {
	if len(m.hits) == 0 {
		return false, nil
	}
	data := holder.Get(longs)
	var packed []byte
	if data.Exists() {
		array, ok := data.LongArray()
		if !ok {
			return false, fmt.Errorf("%w: %s is a %v", ErrShape, longs, data.Type())
		}
		packed = array.Bytes()
	}
	var ok bool
	if m.before, ok = m.unpack(packed, len(m.to)); !ok {
		return false, fmt.Errorf("%w: the cells of a section do not go with its palette of %d", ErrShape, len(m.to))
	}
	cells := make([]uint16, len(m.before))
	for i, c := range m.before {
		cells[i] = m.to[c]
		changed = changed || m.hits[int(c)]
	}
	if !changed {
		return false, nil
	}
	list, err := listOf(m.entries)
	if err != nil {
		return false, err
	}
	r.e().Replace(palette, list)
	if out := m.pack(cells, len(m.entries)); out != nil {
		r.set(holder, longs, longArray(out))
	} else {
		r.drop(holder, longs)
	}
	return true, nil
}

// listOf makes a list of values of one type.
func listOf(values []nbt.Raw) (nbt.Raw, error) {
	data := []byte{byte(values[0].Type)}
	n := len(values)
	data = append(data, byte(n>>24), byte(n>>16), byte(n>>8), byte(n))
	for _, v := range values {
		if v.Type != values[0].Type {
			return nbt.Raw{}, fmt.Errorf("%w: a palette of %v and %v", ErrShape, values[0].Type, v.Type)
		}
		data = append(data, v.Data...)
	}
	return nbt.Raw{Type: nbt.TypeList, Data: data}, nil
}

// longArray makes an array of big-endian longs.
func longArray(longs []byte) nbt.Raw {
	n := len(longs) / 8
	return nbt.Raw{Type: nbt.TypeLongArray, Data: append([]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}, longs...)}
}
