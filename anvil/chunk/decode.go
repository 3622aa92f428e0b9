package chunk

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"strata/nbt"
	"strata/region"
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
// have. Nothing in the chunk points into data. The error is a
// [*nbt.SyntaxError] for what is no NBT, a [*TooOldError], or a
// [*DamageError]; all are wrapped.
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
	if err != nil || d.level.len() == 0 {
		return err
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

// integer returns the value of an integer field.
func (d *Decoder) integer(f field) (v int64, ok bool, err error) {
	s := d.found[f]
	if s.len() == 0 {
		return 0, false, nil
	}
	v, ok = nbt.Raw{Type: d.kinds[f], Data: d.data[s.from:s.to]}.Int()
	if !ok {
		return 0, false, d.fieldError(f, ErrType)
	}
	return v, true, nil
}

// numbers reads the members that are no containers.
func (d *Decoder) numbers() error {
	c := d.c
	version, ok, err := d.integer(fieldDataVersion)
	if err != nil {
		return err
	}
	if !ok || version < MinDataVersion {
		header, err := ReadHeader(d.data)
		if err != nil {
			return err
		}
		return &TooOldError{Header: header}
	}
	if version > 1<<31-1 {
		return d.fieldError(fieldDataVersion, ErrType)
	}
	form := formOf(int32(version))
	form.level = c.form.level
	c.dataVersion, c.form = int32(version), form
	if err := d.position(); err != nil {
		return err
	}
	if err := d.times(); err != nil {
		return err
	}
	return d.status()
}

func (d *Decoder) position() error {
	x, okX, errX := d.integer(fieldXPos)
	z, okZ, errZ := d.integer(fieldZPos)
	switch {
	case errX != nil:
		return errX
	case errZ != nil:
		return errZ
	case !okX:
		return d.fieldError(fieldXPos, ErrMissing)
	case !okZ:
		return d.fieldError(fieldZPos, ErrMissing)
	case int64(int32(x)) != x:
		return d.fieldError(fieldXPos, ErrType)
	case int64(int32(z)) != z:
		return d.fieldError(fieldZPos, ErrType)
	}
	d.c.pos = region.ChunkPos{X: int32(x), Z: int32(z)}
	y, okY, errY := d.integer(fieldYPos)
	if errY != nil || !okY {
		return errY
	}
	if y < int64(MinSectionY) || y > int64(MaxSectionY) {
		return d.fieldError(fieldYPos, ErrSectionY)
	}
	d.c.minY = SectionY(y)
	d.c.has |= hasYPos
	return nil
}

func (d *Decoder) times() (err error) {
	c := d.c
	var ok bool
	if c.lastUpdate, ok, err = d.integer(fieldLastUpdate); err != nil {
		return err
	} else if ok {
		c.has |= hasLastUpdate
	}
	if c.inhabitedTime, ok, err = d.integer(fieldInhabitedTime); err != nil {
		return err
	} else if ok {
		c.has |= hasInhabitedTime
	}
	on, ok, err := d.integer(fieldLightOn)
	if ok {
		c.has |= hasLightOn
		c.lightOn = on != 0
	}
	return err
}

// statusStrings are the names of statuses, so that chunks share them.
var statusStrings = func() map[string]string {
	m := map[string]string{}
	for _, name := range statusNames[1:] {
		m[name] = name
		m["minecraft:"+name] = "minecraft:" + name
	}
	for name := range oldStatuses {
		m[name] = name
	}
	return m
}()

func (d *Decoder) status() error {
	s := d.found[fieldStatus]
	if s.len() == 0 {
		return nil
	}
	name, ok := nbt.Raw{Type: d.kinds[fieldStatus], Data: d.data[s.from:s.to]}.Bytes()
	if !ok {
		return d.fieldError(fieldStatus, ErrType)
	}
	c := d.c
	if c.statusName, ok = statusStrings[string(name)]; !ok {
		c.statusName = string(name)
	}
	c.status = ParseStatus(c.statusName)
	c.has |= hasStatus
	return nil
}

// usesContainers tells the form of sections in the snapshots of 1.18 that
// still had Level, where it came a little later than the version says.
func (d *Decoder) usesContainers(list span) bool {
	v := d.c.dataVersion
	return v >= flatVersion || v >= containerVersion && bytes.Contains(d.data[list.from:list.to], []byte("block_states"))
}
