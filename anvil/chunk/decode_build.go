package chunk

import (
	"encoding/binary"
	"fmt"
)

// build makes the chunk of what was found: its arrays in three allocations,
// of which each section has its parts.
func (d *Decoder) build() error {
	d.placeSections()
	d.reserve()
	c := d.c
	palettes := append([]uint16(nil), d.palettes...)
	for i := range d.sections {
		raw := &d.sections[i]
		s := &c.sections[raw.y-int(c.firstY)]
		s.flags = raw.flags
		if raw.flags&sectionBlocks != 0 {
			if err := d.blocks(s, raw, palettes); err != nil {
				return err
			}
		}
		if raw.flags&sectionBiomes != 0 {
			if err := d.biomes(s, raw, palettes); err != nil {
				return err
			}
		}
		for l, at := range raw.light {
			if at != 0 {
				s.light[l] = d.light(at)
			}
		}
		s.extra = d.keepAll(d.pieces[raw.extra.from:raw.extra.to])
		if raw.inner[0].len()+raw.inner[1].len() > 0 {
			s.inner = &[2][]byte{
				d.keepAll(d.pieces[raw.inner[0].from:raw.inner[0].to]),
				d.keepAll(d.pieces[raw.inner[1].from:raw.inner[1].to]),
			}
		}
	}
	for m, s := range d.members {
		c.members[m] = d.keep(s)
	}
	c.extra, c.outer = d.keepAll(d.extra), d.keepAll(d.outer)
	return d.heightmaps()
}

// placeSections makes the sections and finds Range.
func (d *Decoder) placeSections() {
	c := d.c
	low, high := int(MaxSectionY)+1, int(MinSectionY)
	first, last := low, high // of those with blocks
	for i := range d.sections {
		s := &d.sections[i]
		low, high = min(low, s.y), max(high, s.y+1)
		if s.flags&sectionBlocks != 0 {
			first, last = min(first, s.y), max(last, s.y+1)
		}
	}
	if low < high {
		c.firstY = SectionY(low)
		c.sections = make([]section, high-low)
	}
	if c.form.level {
		// Sections without blocks are not written there.
		first, last = min(first, 0), max(last, 16)
	}
	if c.has&hasYPos != 0 {
		first = int(c.minY)
	}
	if first > int(MaxSectionY) {
		first = 0
	}
	c.minY, c.topY = SectionY(first), SectionY(max(first+1, last))
}

// reserve allocates the slabs.
func (d *Decoder) reserve() {
	longs, size := 0, total(d.extra)+total(d.outer)+total(d.pieces)
	for i := range d.sections {
		s := &d.sections[i]
		if w := blocksWidth(s.blocks.entries()); w > 0 {
			longs += longsFor(SectionCells, w)
		}
		if n := s.biomes.entries(); n > 1 {
			longs += longsFor(BiomeCells, paletteWidth(n, 1))
		}
		for _, at := range s.light {
			if at != 0 && !uniformNibbles(d.data[at:at+LightBytes]) {
				size += LightBytes
			}
		}
	}
	for _, s := range d.members {
		size += s.len()
	}
	if longs > 0 {
		d.longs = make([]uint64, longs)
	}
	if size > 0 {
		d.bytes = make([]byte, 0, size)
	}
}

// blocksWidth is the width in memory of indices into a palette of n states.
func blocksWidth(n int) int {
	switch {
	case n <= 1:
		return 0
	case n > 256:
		return directWidth
	}
	return paletteWidth(n, 4)
}

// keep copies a part of the document into the slab.
func (d *Decoder) keep(s span) []byte {
	if s.len() == 0 {
		return nil
	}
	from := len(d.bytes)
	d.bytes = append(d.bytes, d.data[s.from:s.to]...)
	return d.bytes[from:len(d.bytes):len(d.bytes)]
}

func (d *Decoder) keepAll(spans []span) []byte {
	if len(spans) == 0 {
		return nil
	}
	from := len(d.bytes)
	for _, s := range spans {
		d.bytes = append(d.bytes, d.data[s.from:s.to]...)
	}
	return d.bytes[from:len(d.bytes):len(d.bytes)]
}

// takeLongs returns n longs of the slab.
func (d *Decoder) takeLongs(n int) []uint64 {
	taken := d.longs[:n:n]
	d.longs = d.longs[n:]
	return taken
}

func uniformNibbles(b []byte) bool { return b[0]&15 == b[0]>>4 && uniformBytes(b) }

func (d *Decoder) light(at int) light {
	src := d.data[at : at+LightBytes]
	if uniformNibbles(src) {
		return light{value: src[0] & 15, state: LightUniform}
	}
	return light{data: d.keep(span{at, at + LightBytes}), state: LightArray}
}

// blocks reads the blocks of a section.
func (d *Decoder) blocks(s *section, raw *rawSection, palettes []uint16) error {
	r := &raw.blocks
	n := r.entries()
	if n == 1 && d.c.form.containers {
		s.blocks = uniform(palettes[r.palette.from])
		return nil
	}
	if r.data.from == 0 {
		return d.sectionError(raw.place, d.pathOf(raw, r, "data"), r.at, ErrMissing)
	}
	stored, ok := d.storedWidth(r.data.len()/8, n)
	if !ok {
		return d.sectionError(raw.place, d.pathOf(raw, r, "data"), r.data.from,
			fmt.Errorf("%w: %d longs for %d entries", ErrDataLength, r.data.len()/8, n))
	}
	src := d.data[r.data.from:r.data.to]
	palette := palettes[r.palette.from:r.palette.to:r.palette.to]
	width := blocksWidth(n)
	s.blocks = container{width: uint8(width), palette: palette}
	if width > 0 {
		s.blocks.data = d.takeLongs(longsFor(SectionCells, width))
	}
	same := !d.c.form.straddling || 64%stored == 0
	if same && stored == width && width <= 8 {
		ok = loadLongs(s.blocks.data, src, uint8(width), n, SectionCells)
	} else {
		ok = d.convert(&s.blocks, src, stored, same)
	}
	if !ok {
		return d.sectionError(raw.place, d.pathOf(raw, r, "data"), r.data.from, ErrIndex)
	}
	return nil
}

// storedWidth tells the width of indices in the document from the number of
// longs.
func (d *Decoder) storedWidth(longs, n int) (int, bool) {
	least := paletteWidth(n, 4)
	if d.c.form.containers {
		return least, longs == longsFor(SectionCells, least)
	}
	if d.c.form.straddling {
		return longs / 64, longs%64 == 0 && longs >= 4*64 && longs <= 16*64
	}
	// The game takes the width from the palette; others wrote wider ones.
	for w := least; w <= 16; w++ {
		if longs == longsFor(SectionCells, w) {
			return w, true
		}
	}
	return 0, false
}

// convert reads indices that are not in memory as in the document, and
// reports whether all are within the palette.
func (d *Decoder) convert(t *container, src []byte, stored int, aligned bool) bool {
	cells := d.cells[:]
	if aligned {
		per, mask := 64/stored, uint64(1)<<stored-1
		for i := range cells {
			cells[i] = uint16(binary.BigEndian.Uint64(src[i/per*8:]) >> (i % per * stored) & mask)
		}
	} else {
		unpackStraddling(cells, src, uint8(stored))
	}
	for _, v := range cells {
		if int(v) >= len(t.palette) {
			return false
		}
	}
	switch t.width {
	case 0:
		*t = uniform(t.palette[0])
		return true
	case directWidth:
		for i, v := range cells {
			cells[i] = t.palette[v]
		}
		t.palette = nil
	}
	pack(t.data, cells, t.width)
	return true
}

// biomes reads the biomes of a section.
func (d *Decoder) biomes(s *section, raw *rawSection, palettes []uint16) error {
	r := &raw.biomes
	n := r.entries()
	if n == 1 {
		s.biomes = uniform(palettes[r.palette.from])
		return nil
	}
	width := paletteWidth(n, 1)
	longs := longsFor(BiomeCells, width)
	if r.data.from == 0 {
		return d.sectionError(raw.place, d.pathOf(raw, r, "data"), r.at, ErrMissing)
	}
	if r.data.len() != 8*longs {
		return d.sectionError(raw.place, d.pathOf(raw, r, "data"), r.data.from,
			fmt.Errorf("%w: %d longs for %d entries", ErrDataLength, r.data.len()/8, n))
	}
	s.biomes = container{width: uint8(width), palette: palettes[r.palette.from:r.palette.to:r.palette.to], data: d.takeLongs(longs)}
	if !loadLongs(s.biomes.data, d.data[r.data.from:r.data.to], uint8(width), n, BiomeCells) {
		return d.sectionError(raw.place, d.pathOf(raw, r, "data"), r.data.from, ErrIndex)
	}
	return nil
}
