package chunk

import (
	"math/bits"

	"strata/nbt"
)

// heightmaps reads Heightmaps. What is not one of the known ones, or has a
// length that does not go with Range, is kept as it is.
func (d *Decoder) heightmaps() error {
	list := d.found[fieldHeightmaps]
	if list.len() == 0 {
		return nil
	}
	if d.kinds[fieldHeightmaps] != nbt.TypeCompound {
		return d.fieldError(fieldHeightmaps, ErrType)
	}
	c := d.c
	c.has |= hasHeightmaps
	var at [heightmapCount]span
	for pos := list.from; ; {
		kind, name, payload := memberAt(d.data, pos)
		if kind == nbt.TypeEnd {
			break
		}
		end := skip(d.data, payload, kind)
		if !d.noteHeightmap(name, kind, span{payload + 4, end}, &at) {
			d.heights = addSpan(d.heights, pos, end)
		}
		pos = end
	}
	d.readHeights(&at)
	for _, s := range d.heights {
		c.heightsExtra = append(c.heightsExtra, d.data[s.from:s.to]...)
	}
	return nil
}

// noteHeightmap notes one map, and reports false for one to keep as it is.
func (d *Decoder) noteHeightmap(name []byte, kind nbt.Type, longs span, at *[heightmapCount]span) bool {
	k, ok := heightmapOf(name)
	if !ok || kind != nbt.TypeLongArray {
		return false
	}
	h := &d.c.heights
	width, ok := heightsWidth(longs.len()/8, d.c.form.straddling, d.c.Height())
	if !ok || h.kinds != 0 && h.width != width {
		return false
	}
	h.kinds |= 1 << k
	h.width = width
	at[k] = longs
	return true
}

// heightsWidth returns the width of heights in an array of so many longs.
func heightsWidth(longs int, straddling bool, height int) (uint8, bool) {
	for w := widthOfHeight(height); w <= 16; w++ {
		if straddling && longs == 4*int(w) || !straddling && longs == longsFor(columns, int(w)) {
			return w, true
		}
	}
	return 0, false
}

func (d *Decoder) readHeights(at *[heightmapCount]span) {
	h := &d.c.heights
	if h.kinds == 0 {
		return
	}
	n := longsFor(columns, int(h.width))
	for k := range heightmapCount {
		if h.kinds&(1<<k) == 0 {
			continue
		}
		if h.data == nil {
			h.data = make([]uint64, 0, n*bits.OnesCount8(h.kinds))
		}
		from := len(h.data)
		h.data = h.data[:from+n]
		src := d.data[at[k].from:at[k].to]
		if d.c.form.straddling {
			unpackStraddling(d.cells[:columns], src, h.width)
			pack(h.data[from:], d.cells[:columns], h.width)
		} else {
			loadLongs(h.data[from:], src, h.width, 1<<h.width, columns)
		}
	}
}
