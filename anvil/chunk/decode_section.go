package chunk

import (
	"encoding/binary"
	"fmt"

	"strata/nbt"
)

// rawSection is what was found of a section in the document.
type rawSection struct {
	y, place       int // place in the list, for errors
	flags          sectionFlags
	blocks, biomes rawContainer
	light          [2]int  // where the bytes begin, 0 if absent
	extra          span    // in Decoder.pieces
	inner          [2]span // in Decoder.pieces, of blocks and of biomes
}

// rawContainer is what was found of a paletted container.
type rawContainer struct {
	at      int  // offset, 0 if there is none; in the form without containers that of its first member
	list    int  // offset of the palette, 0 if absent
	data    span // bytes of the longs; from is 0 if absent
	palette span // in Decoder.palettes
	unknown bool // it has other members
}

func (r *rawContainer) entries() int { return r.palette.len() }

// scanSections notes where everything in the sections is, and resolves the
// palettes.
func (d *Decoder) scanSections() error {
	list := d.found[fieldSections]
	if list.len() == 0 {
		return nil
	}
	d.c.has |= hasSections
	if d.kinds[fieldSections] != nbt.TypeList {
		return d.fieldError(fieldSections, ErrType)
	}
	elem, n := listHead(d.data, list.from)
	if n > 0 && elem != nbt.TypeCompound {
		return d.fieldError(fieldSections, ErrType)
	}
	d.c.form.containers = d.usesContainers(list)
	var seen [256]bool
	pos := list.from + 5
	for place := range n {
		s, end, err := d.scanSection(pos, place)
		if err != nil {
			return err
		}
		if seen[uint8(s.y)] {
			return d.sectionError(place, "Y", pos, fmt.Errorf("%w: %d", ErrDuplicate, s.y))
		}
		seen[uint8(s.y)] = true
		d.sections = append(d.sections, s)
		pos = end
	}
	return nil
}

func (d *Decoder) sectionError(place int, path string, offset int, err error) error {
	list := "sections"
	if d.c.form.level {
		list = "Sections"
	}
	return d.damage(fmt.Sprintf("%s[%d].%s", list, place, path), offset, err)
}

// scanSection notes one section, whose payload begins at pos.
func (d *Decoder) scanSection(pos, place int) (s rawSection, end int, err error) {
	start := pos
	s.place, s.flags = place, sectionPresent
	hasY := false
	extra := len(d.pieces)
	for {
		kind, name, at := memberAt(d.data, pos)
		if kind == nbt.TypeEnd {
			end = at
			break
		}
		next := skip(d.data, at, kind)
		known := true
		switch string(name) {
		case "Y":
			hasY = true
			v, ok := nbt.Raw{Type: kind, Data: d.data[at:next]}.Int()
			if !ok {
				return s, 0, d.sectionError(place, "Y", at, ErrType)
			}
			if v < int64(MinSectionY) || v > int64(MaxSectionY) {
				return s, 0, d.sectionError(place, "Y", at, fmt.Errorf("%w: %d", ErrSectionY, v))
			}
			s.y = int(v)
		case "BlockLight":
			err = d.scanLight(&s, BlockLight, kind, at)
		case "SkyLight":
			err = d.scanLight(&s, SkyLight, kind, at)
		default:
			known, err = d.scanCells(&s, name, kind, at, next)
		}
		if err != nil {
			return s, 0, err
		}
		if !known {
			d.pieces = append(d.pieces, span{pos, next})
		}
		pos = next
	}
	s.extra = span{extra, len(d.pieces)}
	if !hasY {
		return s, 0, d.sectionError(place, "Y", start, ErrMissing)
	}
	s.inner[0], s.inner[1] = d.innerPieces(&s.blocks), d.innerPieces(&s.biomes)
	return s, end, d.scanPalettes(&s)
}

// innerPieces notes the members of a container that are not known.
func (d *Decoder) innerPieces(r *rawContainer) span {
	from := len(d.pieces)
	for pos := r.at; r.unknown; {
		kind, name, at := memberAt(d.data, pos)
		if kind == nbt.TypeEnd {
			break
		}
		end := skip(d.data, at, kind)
		if string(name) != "palette" && string(name) != "data" {
			d.pieces = append(d.pieces, span{pos, end})
		}
		pos = end
	}
	return span{from, len(d.pieces)}
}

func (d *Decoder) scanLight(s *rawSection, l Light, kind nbt.Type, at int) error {
	if kind != nbt.TypeByteArray {
		return d.sectionError(s.place, l.String(), at, ErrType)
	}
	if n := binary.BigEndian.Uint32(d.data[at:]); n != LightBytes {
		return d.sectionError(s.place, l.String(), at, fmt.Errorf("%w: %d bytes", ErrDataLength, n))
	}
	s.light[l] = at + 4
	return nil
}

// scanCells notes a member that belongs to blocks or biomes, and reports
// false for any other.
func (d *Decoder) scanCells(s *rawSection, name []byte, kind nbt.Type, at, end int) (bool, error) {
	if d.c.form.containers {
		switch string(name) {
		case "block_states", "biomes":
		default:
			return false, nil
		}
		if kind != nbt.TypeCompound {
			return true, d.sectionError(s.place, string(name), at, ErrType)
		}
		r := &s.blocks
		if name[1] == 'i' {
			r = &s.biomes
		}
		*r = rawContainer{at: at}
		return true, d.scanContainer(s, r, at)
	}
	switch string(name) {
	case "Palette":
		s.blocks.at = at
		return true, d.notePalette(s, &s.blocks, kind, at)
	case "BlockStates":
		s.blocks.at = at
		return true, d.noteData(s, &s.blocks, kind, at, end)
	}
	return false, nil
}

// scanContainer notes block_states or biomes.
func (d *Decoder) scanContainer(s *rawSection, r *rawContainer, pos int) error {
	for {
		kind, name, at := memberAt(d.data, pos)
		if kind == nbt.TypeEnd {
			return nil
		}
		end := skip(d.data, at, kind)
		var err error
		switch string(name) {
		case "palette":
			err = d.notePalette(s, r, kind, at)
		case "data":
			err = d.noteData(s, r, kind, at, end)
		default:
			r.unknown = true
		}
		if err != nil {
			return err
		}
		pos = end
	}
}

// pathOf is the path of a container's member, for errors.
func (d *Decoder) pathOf(s *rawSection, r *rawContainer, member string) string {
	switch {
	case !d.c.form.containers && member == "palette":
		return "Palette"
	case !d.c.form.containers:
		return "BlockStates"
	case r == &s.biomes:
		return "biomes." + member
	}
	return "block_states." + member
}

func (d *Decoder) notePalette(s *rawSection, r *rawContainer, kind nbt.Type, at int) error {
	if kind != nbt.TypeList {
		return d.sectionError(s.place, d.pathOf(s, r, "palette"), at, ErrType)
	}
	r.list = at
	return nil
}

func (d *Decoder) noteData(s *rawSection, r *rawContainer, kind nbt.Type, at, end int) error {
	if kind != nbt.TypeLongArray {
		return d.sectionError(s.place, d.pathOf(s, r, "data"), at, ErrType)
	}
	r.data = span{at + 4, end}
	return nil
}

// scanPalettes resolves the palettes of a section.
func (d *Decoder) scanPalettes(s *rawSection) error {
	if s.blocks.at != 0 {
		s.flags |= sectionBlocks
		if err := d.scanPalette(s, &s.blocks, nbt.TypeCompound, SectionCells); err != nil {
			return err
		}
	}
	if s.biomes.at != 0 {
		s.flags |= sectionBiomes
		return d.scanPalette(s, &s.biomes, nbt.TypeString, BiomeCells)
	}
	return nil
}

// scanPalette resolves the entries, of which there may be most.
func (d *Decoder) scanPalette(s *rawSection, r *rawContainer, want nbt.Type, most int) error {
	if r.list == 0 {
		return d.sectionError(s.place, d.pathOf(s, r, "palette"), r.at, ErrMissing)
	}
	elem, n := listHead(d.data, r.list)
	if n < 1 || n > most {
		return d.sectionError(s.place, d.pathOf(s, r, "palette"), r.list, fmt.Errorf("%w: %d entries", ErrPalette, n))
	}
	if elem != want {
		return d.sectionError(s.place, d.pathOf(s, r, "palette"), r.list, ErrType)
	}
	r.palette.from = len(d.palettes)
	pos := r.list + 5
	for i := range n {
		value, end, err := d.entry(want, pos)
		if err != nil {
			return d.sectionError(s.place, fmt.Sprintf("%s[%d]", d.pathOf(s, r, "palette"), i), pos, err)
		}
		d.palettes = append(d.palettes, value)
		pos = end
	}
	r.palette.to = len(d.palettes)
	return nil
}

// entry resolves the palette entry at pos: a state or the name of a biome.
func (d *Decoder) entry(kind nbt.Type, pos int) (value uint16, end int, err error) {
	if kind == nbt.TypeCompound {
		state, end, err := d.entries.state(d.tables, d.data, pos)
		return uint16(state), end, err
	}
	end = skip(d.data, pos, nbt.TypeString)
	biome, err := d.tables.Biomes.Intern(d.data[pos+2 : end])
	return uint16(biome), end, err
}
