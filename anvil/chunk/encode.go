package chunk

import (
	"encoding/binary"
	"fmt"
	"slices"

	"strata/anvil/block"
	"strata/nbt"
)

// Encoder makes NBT of chunks. It keeps memory from one chunk to the next.
// One goroutine at a time may use it. The zero value is ready.
type Encoder struct {
	buf          []byte
	c            *Chunk
	work         *scratch
	cells        [SectionCells]uint16
	lastUpdateAt int
	err          error
}

// Encode appends the chunk's document, in the form that files have, to dst.
// The same chunk gives the same bytes whatever was encoded before. It does not
// change the chunk. The error is block.ErrUnknown for a state or biome that
// the chunk's tables did not give out.
func (e *Encoder) Encode(dst []byte, c *Chunk) ([]byte, error) {
	if e.work == nil {
		e.work = new(scratch)
	}
	e.buf, e.c, e.lastUpdateAt, e.err = slices.Grow(dst, c.size()), c, -1, nil
	e.root()
	buf, err := e.buf, e.err
	e.buf, e.c = nil, nil
	if err != nil {
		return dst, fmt.Errorf("encode chunk %v: %w", c.pos, err)
	}
	return buf, nil
}

// LastUpdateAt returns where in the buffer that Encode returned last the eight
// bytes of LastUpdate are, -1 if the chunk has none: who compares versions of
// a chunk leaves them out.
func (e *Encoder) LastUpdateAt() int { return e.lastUpdateAt }

// size is about how many bytes the document has, rather more.
func (c *Chunk) size() int {
	n := 1024 + len(c.extra) + len(c.outer) + len(c.heightsExtra) + 8*len(c.heights.data)
	for _, m := range c.members {
		n += len(m)
	}
	for i := range c.sections {
		s := &c.sections[i]
		n += 256 + 8*len(s.blocks.data) + 8*len(s.biomes.data) + 64*len(s.blocks.palette) + 32*len(s.biomes.palette) + len(s.extra)
		for l := range s.light {
			if s.light[l].state != LightAbsent {
				n += LightBytes + 32
			}
		}
	}
	return n
}

func (e *Encoder) head(kind nbt.Type, name string) { e.buf = appendHead(e.buf, kind, name) }

func (e *Encoder) end() { e.buf = append(e.buf, byte(nbt.TypeEnd)) }

func (e *Encoder) int(name string, v int32) {
	e.head(nbt.TypeInt, name)
	e.buf = binary.BigEndian.AppendUint32(e.buf, uint32(v))
}

func (e *Encoder) long(name string, v int64) {
	e.head(nbt.TypeLong, name)
	e.buf = binary.BigEndian.AppendUint64(e.buf, uint64(v))
}

func (e *Encoder) root() {
	c := e.c
	e.head(nbt.TypeCompound, "")
	e.int("DataVersion", c.dataVersion)
	if !c.form.level {
		e.chunk()
		e.end()
		return
	}
	e.buf = append(e.buf, c.outer...)
	e.head(nbt.TypeCompound, "Level")
	e.chunk()
	e.end()
	e.end()
}

// chunk writes the members of the compound that holds the chunk.
func (e *Encoder) chunk() {
	c := e.c
	e.int("xPos", c.pos.X)
	if c.has&hasYPos != 0 {
		e.int("yPos", int32(c.minY))
	}
	e.int("zPos", c.pos.Z)
	if c.has&hasStatus != 0 {
		if len(c.statusName) > maxMemberName {
			e.err = fmt.Errorf("status of %d bytes: %w", len(c.statusName), ErrNBT)
			return
		}
		e.head(nbt.TypeString, "Status")
		e.buf = appendString(e.buf, c.statusName)
	}
	if c.has&hasLastUpdate != 0 {
		e.long("LastUpdate", c.lastUpdate)
		e.lastUpdateAt = len(e.buf) - 8
	}
	if c.has&hasInhabitedTime != 0 {
		e.long("InhabitedTime", c.inhabitedTime)
	}
	if c.has&hasLightOn != 0 {
		e.head(nbt.TypeByte, "isLightOn")
		on := byte(0)
		if c.lightOn {
			on = 1
		}
		e.buf = append(e.buf, on)
	}
	e.heightmaps()
	e.sections()
	for _, m := range c.members {
		e.buf = append(e.buf, m...)
	}
	e.buf = append(e.buf, c.extra...)
}

func (e *Encoder) heightmaps() {
	c := e.c
	if c.has&hasHeightmaps == 0 {
		return
	}
	e.head(nbt.TypeCompound, "Heightmaps")
	for k := range heightmapCount {
		if c.heights.kinds&(1<<k) == 0 {
			continue
		}
		e.head(nbt.TypeLongArray, heightmapNames[k])
		e.packed(c.heights.of(k), c.heights.width, columns)
	}
	e.buf = append(e.buf, c.heightsExtra...)
	e.end()
}

// packed writes a packed array in the way of the chunk's version.
func (e *Encoder) packed(data []uint64, width uint8, n int) {
	if !e.c.form.straddling || 64%width == 0 {
		e.buf = binary.BigEndian.AppendUint32(e.buf, uint32(len(data)))
		e.buf = appendLongs(e.buf, data)
		return
	}
	cells := e.cells[:n]
	unpack(cells, data, width)
	e.straddling(cells, width)
}

func (e *Encoder) straddling(cells []uint16, width uint8) {
	longs := (len(cells)*int(width) + 63) / 64
	e.buf = binary.BigEndian.AppendUint32(e.buf, uint32(longs))
	e.buf = appendStraddling(e.buf, cells, width)
}

func (e *Encoder) sections() {
	c := e.c
	if c.has&hasSections == 0 {
		return
	}
	name := "sections"
	if c.form.level {
		name = "Sections"
	}
	e.head(nbt.TypeList, name)
	at, n := len(e.buf), 0
	e.buf = append(e.buf, byte(nbt.TypeCompound), 0, 0, 0, 0)
	for i := range c.sections {
		if s := &c.sections[i]; s.flags&sectionPresent != 0 {
			e.section(s, c.firstY+SectionY(i))
			n++
		}
	}
	if n == 0 {
		e.buf[at] = byte(nbt.TypeEnd)
	}
	binary.BigEndian.PutUint32(e.buf[at+1:], uint32(n))
}

func (e *Encoder) section(s *section, y SectionY) {
	e.head(nbt.TypeByte, "Y")
	e.buf = append(e.buf, byte(y))
	var inner [2][]byte
	if s.inner != nil {
		inner = *s.inner
	}
	if s.flags&sectionBlocks != 0 {
		if e.c.form.containers {
			e.head(nbt.TypeCompound, "block_states")
			e.container(&s.blocks, SectionCells, "palette", "data")
			e.buf = append(e.buf, inner[0]...)
			e.end()
		} else {
			e.container(&s.blocks, SectionCells, "Palette", "BlockStates")
		}
	}
	if s.flags&sectionBiomes != 0 {
		e.head(nbt.TypeCompound, "biomes")
		e.container(&s.biomes, BiomeCells, "palette", "data")
		e.buf = append(e.buf, inner[1]...)
		e.end()
	}
	e.light(&s.light[BlockLight], "BlockLight")
	e.light(&s.light[SkyLight], "SkyLight")
	e.buf = append(e.buf, s.extra...)
	e.end()
}

func (e *Encoder) light(l *light, name string) {
	if l.state == LightAbsent {
		return
	}
	e.head(nbt.TypeByteArray, name)
	e.buf = binary.BigEndian.AppendUint32(e.buf, LightBytes)
	if l.state == LightArray {
		e.buf = append(e.buf, l.data...)
		return
	}
	from := len(e.buf)
	e.buf = append(e.buf, make([]byte, LightBytes)...)
	if v := l.value * 0x11; v != 0 {
		filled := e.buf[from:]
		for i := range filled {
			filled[i] = v
		}
	}
}

// container writes palette and data of a container.
func (e *Encoder) container(t *container, n int, paletteName, dataName string) {
	least := 1
	if n == SectionCells {
		least = 4
	}
	switch {
	case t.width == 0:
		e.palette([]uint16{t.single}, n, paletteName)
		if !e.c.form.containers {
			// There the array is not left out.
			e.head(nbt.TypeLongArray, dataName)
			longs := longsFor(n, least)
			e.buf = binary.BigEndian.AppendUint32(e.buf, uint32(longs))
			e.buf = append(e.buf, make([]byte, 8*longs)...)
		}
	case !t.edited && t.width != directWidth && int(t.width) == paletteWidth(len(t.palette), least):
		e.palette(t.palette, n, paletteName)
		e.head(nbt.TypeLongArray, dataName)
		e.packed(t.data, t.width, n)
	default:
		e.rebuilt(t, n, paletteName, dataName)
	}
}

// rebuilt writes a container with a palette made anew.
func (e *Encoder) rebuilt(t *container, n int, paletteName, dataName string) {
	cells := e.work.spread[:n]
	t.values(cells)
	var fresh container
	fresh.setValues(cells, e.work)
	if len(fresh.palette) > 0 || fresh.width == 0 {
		e.container(&fresh, n, paletteName, dataName)
		return
	}
	// More than 256 entries: indices, which a container in memory lacks.
	palette, cells := e.work.palette, e.work.cells[:n]
	width := uint8(paletteWidth(len(palette), 4))
	e.palette(palette, n, paletteName)
	e.head(nbt.TypeLongArray, dataName)
	if e.c.form.straddling {
		e.straddling(cells, width)
		return
	}
	longs := make([]uint64, longsFor(n, int(width)))
	pack(longs, cells, width)
	e.packed(longs, width, n)
}

func (e *Encoder) palette(values []uint16, n int, name string) {
	e.head(nbt.TypeList, name)
	kind := nbt.TypeCompound
	if n == BiomeCells {
		kind = nbt.TypeString
	}
	e.buf = append(e.buf, byte(kind))
	e.buf = binary.BigEndian.AppendUint32(e.buf, uint32(len(values)))
	for _, v := range values {
		if kind == nbt.TypeCompound {
			entry := e.c.tables.entry(block.State(v))
			if entry == nil {
				e.err = fmt.Errorf("block state %d: %w", v, block.ErrUnknown)
			}
			e.buf = append(e.buf, entry...)
			continue
		}
		if int(v) >= e.c.tables.Biomes.Len() {
			e.err = fmt.Errorf("biome %d: %w", v, block.ErrUnknown)
		}
		e.buf = appendString(e.buf, e.c.tables.Biomes.Name(Biome(v)))
	}
}
