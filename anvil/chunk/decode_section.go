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
	s.extra.from = len(d.pieces)
	for {
		kind, name, at := memberAt(d.data, pos)
		if kind == nbt.TypeEnd {
			end = at
			break
		}
		known := true
		var next int
		switch string(name) {
		case "Y":
			hasY = true
			next, err = d.scanY(&s, kind, at)
		case "BlockLight":
			next, err = d.scanLight(&s, BlockLight, kind, at)
		case "SkyLight":
			next, err = d.scanLight(&s, SkyLight, kind, at)
		default:
			known, next, err = d.scanCells(&s, name, kind, at)
		}
		if err != nil {
			return s, 0, err
		}
		if !known {
			next = skip(d.data, at, kind)
			d.pieces = addSpan(d.pieces, pos, next)
		}
		pos = next
	}
	s.extra.to = len(d.pieces)
	if !hasY {
		return s, 0, d.sectionError(place, "Y", start, ErrMissing)
	}
	s.inner[0], s.inner[1] = d.innerPieces(&s.blocks), d.innerPieces(&s.biomes)
	return s, end, d.checkContainers(&s)
}

func (d *Decoder) scanY(s *rawSection, kind nbt.Type, at int) (end int, err error) {
	end = skip(d.data, at, kind)
	v, ok := nbt.Raw{Type: kind, Data: d.data[at:end]}.Int()
	if !ok {
		return 0, d.sectionError(s.place, "Y", at, ErrType)
	}
	if v < int64(MinSectionY) || v > int64(MaxSectionY) {
		return 0, d.sectionError(s.place, "Y", at, fmt.Errorf("%w: %d", ErrSectionY, v))
	}
	s.y = int(v)
	return end, nil
}

// checkContainers finishes a section once all of it was seen.
func (d *Decoder) checkContainers(s *rawSection) error {
	for i, r := range []*rawContainer{&s.blocks, &s.biomes} {
		if r.at == 0 {
			continue
		}
		if r.palette.len() == 0 {
			return d.sectionError(s.place, d.pathOf(s, r, "palette"), r.at, ErrMissing)
		}
		s.flags |= sectionBlocks << i
	}
	return nil
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
			d.pieces = addSpan(d.pieces, pos, end)
		}
		pos = end
	}
	return span{from, len(d.pieces)}
}

func (d *Decoder) scanLight(s *rawSection, l Light, kind nbt.Type, at int) (end int, err error) {
	if kind != nbt.TypeByteArray {
		return 0, d.sectionError(s.place, l.String(), at, ErrType)
	}
	if n := binary.BigEndian.Uint32(d.data[at:]); n != LightBytes {
		return 0, d.sectionError(s.place, l.String(), at, fmt.Errorf("%w: %d bytes", ErrDataLength, n))
	}
	s.light[l] = at + 4
	return at + 4 + LightBytes, nil
}

// scanCells notes a member that belongs to blocks or biomes, and reports
// false for any other.
func (d *Decoder) scanCells(s *rawSection, name []byte, kind nbt.Type, at int) (known bool, end int, err error) {
	r := &s.blocks
	if d.c.form.containers {
		switch string(name) {
		case "block_states":
		case "biomes":
			r = &s.biomes
		default:
			return false, 0, nil
		}
		if kind != nbt.TypeCompound {
			return true, 0, d.sectionError(s.place, string(name), at, ErrType)
		}
		*r = rawContainer{at: at}
		end, err = d.scanContainer(s, r, at)
		return true, end, err
	}
	switch string(name) {
	case "Palette":
		r.at = at
		end, err = d.scanPalette(s, r, kind, at)
		return true, end, err
	case "BlockStates":
		r.at = at
		end, err = d.scanData(s, r, kind, at)
		return true, end, err
	}
	return false, 0, nil
}

// scanContainer notes block_states or biomes.
func (d *Decoder) scanContainer(s *rawSection, r *rawContainer, pos int) (end int, err error) {
	for {
		kind, name, at := memberAt(d.data, pos)
		switch {
		case kind == nbt.TypeEnd:
			return at, nil
		case string(name) == "palette":
			pos, err = d.scanPalette(s, r, kind, at)
		case string(name) == "data":
			pos, err = d.scanData(s, r, kind, at)
		default:
			r.unknown = true
			pos = skip(d.data, at, kind)
		}
		if err != nil {
			return 0, err
		}
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

func (d *Decoder) scanData(s *rawSection, r *rawContainer, kind nbt.Type, at int) (end int, err error) {
	if kind != nbt.TypeLongArray {
		return 0, d.sectionError(s.place, d.pathOf(s, r, "data"), at, ErrType)
	}
	end = skip(d.data, at, kind)
	r.data = span{at + 4, end}
	return end, nil
}

// scanPalette resolves the entries of a palette: compounds for blocks, names
// for biomes.
func (d *Decoder) scanPalette(s *rawSection, r *rawContainer, kind nbt.Type, at int) (end int, err error) {
	if kind != nbt.TypeList {
		return 0, d.sectionError(s.place, d.pathOf(s, r, "palette"), at, ErrType)
	}
	want, most := nbt.TypeCompound, SectionCells
	if r == &s.biomes {
		want, most = nbt.TypeString, BiomeCells
	}
	elem, n := listHead(d.data, at)
	if n < 1 || n > most {
		return 0, d.sectionError(s.place, d.pathOf(s, r, "palette"), at, fmt.Errorf("%w: %d entries", ErrPalette, n))
	}
	if elem != want {
		return 0, d.sectionError(s.place, d.pathOf(s, r, "palette"), at, ErrType)
	}
	r.palette.from = len(d.palettes)
	pos := at + 5
	for i := range n {
		value, next, err := d.entry(want, pos)
		if err != nil {
			return 0, d.sectionError(s.place, fmt.Sprintf("%s[%d]", d.pathOf(s, r, "palette"), i), pos, err)
		}
		d.palettes = append(d.palettes, value)
		pos = next
	}
	r.palette.to = len(d.palettes)
	return pos, nil
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
