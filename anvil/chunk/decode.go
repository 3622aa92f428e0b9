package chunk

import (
	"encoding/binary"
	"fmt"

	"strata/nbt"
)

// Decoder makes chunks of NBT. It keeps memory from one chunk to the next and
// remembers palette entries: use one again and again. One goroutine at a time
// may use it.
type Decoder struct {
	// Limits of the documents.
	Limits nbt.Limits

	tables  *Tables
	entries entryCache

	data     []byte
	trailing int  // bytes after the document
	root     int  // where the members of the root begin
	level    span // payload of Level
	c        *Chunk
	found    [fieldCount]span
	kinds    [fieldCount]nbt.Type
	members  [memberCount]span
	extra    []span
	outer    []span
	heights  []span
	pieces   []span // of the sections: members that are not known
	sections []rawSection
	palettes []uint16
	cells    [SectionCells]uint16
	bytes    []byte // slab of the chunk being made
	longs    []uint64
}

// NewDecoder returns a decoder of chunks that use the given tables.
func NewDecoder(tables *Tables) *Decoder { return &Decoder{tables: tables} }

// span is a part of the document.
type span struct{ from, to int }

func (s span) len() int { return s.to - s.from }

// field is a member of the chunk's compound that is part of the model.
type field uint8

const (
	fieldDataVersion field = iota
	fieldXPos
	fieldYPos
	fieldZPos
	fieldStatus
	fieldLastUpdate
	fieldInhabitedTime
	fieldLightOn
	fieldHeightmaps
	fieldSections
	fieldCount
)

var fieldNames = [fieldCount]string{
	"DataVersion", "xPos", "yPos", "zPos", "Status", "LastUpdate", "InhabitedTime", "isLightOn", "Heightmaps", "sections",
}

func fieldOf(name []byte, level bool) (field, bool) {
	switch string(name) {
	case "xPos":
		return fieldXPos, true
	case "zPos":
		return fieldZPos, true
	case "Status":
		return fieldStatus, true
	case "LastUpdate":
		return fieldLastUpdate, true
	case "InhabitedTime":
		return fieldInhabitedTime, true
	case "isLightOn":
		return fieldLightOn, true
	case "Heightmaps":
		return fieldHeightmaps, true
	case "sections":
		return fieldSections, !level
	case "Sections":
		return fieldSections, level
	case "yPos":
		return fieldYPos, !level
	case "DataVersion":
		return fieldDataVersion, !level
	}
	return 0, false
}

// Decode makes a chunk of an uncompressed document in the form that files
// have; see [Decoder.Trailing] for what follows it. Nothing in the chunk points
// into data. The error is a [*nbt.SyntaxError] for what is no NBT, a
// [*TooOldError], or a [*DamageError]; all are wrapped.
func (d *Decoder) Decode(data []byte) (*Chunk, error) {
	c := &Chunk{tables: d.tables}
	d.reset(data, c)
	err := d.decode()
	d.reset(nil, nil)
	if err != nil {
		return nil, fmt.Errorf("decode chunk: %w", err)
	}
	return c, nil
}

// Trailing returns how many bytes followed the document that was decoded last.
// They are left alone: the game does not look at them either, and encoding the
// chunk does not write them again.
func (d *Decoder) Trailing() int { return d.trailing }

func (d *Decoder) reset(data []byte, c *Chunk) {
	d.data, d.c, d.level = data, c, span{}
	d.found, d.members = [fieldCount]span{}, [memberCount]span{}
	d.extra, d.outer, d.heights, d.pieces = d.extra[:0], d.outer[:0], d.heights[:0], d.pieces[:0]
	d.sections, d.palettes = d.sections[:0], d.palettes[:0]
	d.bytes, d.longs = nil, nil
}

func (d *Decoder) decode() error {
	if err := d.scan(); err != nil {
		return err
	}
	if err := d.numbers(); err != nil {
		return err
	}
	if err := d.scanSections(); err != nil {
		return err
	}
	return d.build()
}

// scan checks the document and notes where the members are.
func (d *Decoder) scan() error {
	pos := 0
	if len(d.data) >= 3 {
		pos = 3 + int(binary.BigEndian.Uint16(d.data[1:]))
	}
	d.root = pos
	d.trailing = 0
	err := nbt.ScanRoot(d.data, d.Limits, func(name []byte, value nbt.Raw) bool {
		at := pos + 3 + len(name)
		end := at + len(value.Data)
		if string(name) == "Level" && value.Type == nbt.TypeCompound {
			d.level = span{at, end}
		}
		d.member(name, value.Type, pos, at, end)
		pos = end
		return true
	})
	if err != nil {
		return err
	}
	d.trailing = len(d.data) - (pos + 1) // pos is where the root ends
	if d.level.len() == 0 {
		return nil
	}
	return d.scanLevel()
}

// scanLevel notes the members of Level instead of those of the root.
func (d *Decoder) scanLevel() error {
	version, kind := d.found[fieldDataVersion], d.kinds[fieldDataVersion]
	level := d.level
	d.reset(d.data, d.c)
	d.level = level
	d.c.form.level = true
	d.found[fieldDataVersion], d.kinds[fieldDataVersion] = version, kind
	for pos := d.root; ; {
		kind, name, at := memberAt(d.data, pos)
		if kind == nbt.TypeEnd {
			break
		}
		end := skip(d.data, at, kind)
		if string(name) != "Level" && string(name) != "DataVersion" {
			d.outer = addSpan(d.outer, pos, end)
		}
		pos = end
	}
	for pos := level.from; ; {
		kind, name, at := memberAt(d.data, pos)
		if kind == nbt.TypeEnd {
			return nil
		}
		end := skip(d.data, at, kind)
		d.member(name, kind, pos, at, end)
		pos = end
	}
}

// member notes one member of the chunk's compound; of several with a name
// that is known the last one counts.
func (d *Decoder) member(name []byte, kind nbt.Type, start, at, end int) {
	if f, ok := fieldOf(name, d.c.form.level); ok {
		d.found[f], d.kinds[f] = span{at, end}, kind
		return
	}
	if m, ok := d.c.form.memberIn(name); ok {
		d.members[m] = span{start, end}
		return
	}
	d.extra = addSpan(d.extra, start, end)
}

func addSpan(spans []span, from, to int) []span {
	if n := len(spans); n > 0 && spans[n-1].to == from {
		spans[n-1].to = to
		return spans
	}
	return append(spans, span{from, to})
}

func total(spans []span) (n int) {
	for _, s := range spans {
		n += s.len()
	}
	return n
}

// damage makes an error of a path within the chunk's compound.
func (d *Decoder) damage(path string, offset int, err error) error {
	if d.c.form.level {
		path = "Level." + path
	}
	known := d.found[fieldXPos].len() != 0 && d.found[fieldZPos].len() != 0
	return &DamageError{Pos: d.c.pos, HasPos: known, Path: path, Offset: offset, Err: err}
}

func (d *Decoder) fieldError(f field, err error) error {
	offset := -1
	if d.found[f].len() != 0 {
		offset = d.found[f].from
	}
	path := fieldNames[f]
	if f == fieldSections && d.c.form.level {
		path = "Sections"
	}
	return d.damage(path, offset, err)
}
