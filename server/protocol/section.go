package protocol

import (
	"encoding/binary"
	"fmt"
)

// Section is the blocks and biomes of a chunk section, as the field ChunkData
// of LevelChunkWithLight has them, bottom to top.
type Section struct {
	Blocks int16 // how many are not air
	Fluids int16 // how many hold a fluid
	States Container
	Biomes Container
}

// Container is numbers that are mostly few: one alone, or a list of those that
// occur with an index into it for each place, or the numbers themselves.
type Container struct {
	// Bits is how many an index or number has: 0 if all are Palette[0].
	Bits uint8
	// Palette is the numbers that occur; nil if Data has the numbers.
	Palette []int32
	// Data is the longs, 64/Bits in each, lowest bits first, none over the
	// border of a long: big-endian, as sent. When read it is a view.
	Data []byte
}

// The shapes of containers.
const (
	statesSize, statesMin, statesMax = 4096, 4, 8
	biomesSize, biomesMin, biomesMax = 64, 1, 3
)

// longsFor returns how many longs size numbers of so many bits take.
func longsFor(size int, bits uint8) int {
	perLong := 64 / int(bits)
	return (size + perLong - 1) / perLong
}

// AppendSection appends a section. Its containers must be well-formed: of
// states 4 to 8 bits have a palette, of biomes 1 to 3, and other widths but 0
// have none.
func AppendSection(dst []byte, s *Section) ([]byte, error) {
	dst = binary.BigEndian.AppendUint16(dst, uint16(s.Blocks))
	dst = binary.BigEndian.AppendUint16(dst, uint16(s.Fluids))
	dst, err := s.States.append(dst, statesSize, statesMin, statesMax)
	if err == nil {
		dst, err = s.Biomes.append(dst, biomesSize, biomesMin, biomesMax)
	}
	return dst, err
}

func (c *Container) append(dst []byte, size int, low, high uint8) ([]byte, error) {
	dst = append(dst, c.Bits)
	if c.Bits == 0 {
		if len(c.Palette) != 1 || len(c.Data) != 0 {
			return dst, fmt.Errorf("container of no bits, palette of %d: %w", len(c.Palette), ErrMismatch)
		}
		return AppendVarInt(dst, c.Palette[0]), nil
	}
	indirect := c.Bits >= low && c.Bits <= high
	if c.Bits < low || c.Bits > 31 || indirect != (c.Palette != nil) || len(c.Palette) > 1<<c.Bits ||
		len(c.Data) != 8*longsFor(size, c.Bits) {
		return dst, fmt.Errorf("container of %d bits, palette of %d, %d bytes: %w", c.Bits, len(c.Palette), len(c.Data), ErrMismatch)
	}
	if indirect {
		dst = AppendVarInt(dst, int32(len(c.Palette)))
		for _, id := range c.Palette {
			dst = AppendVarInt(dst, id)
		}
	}
	return append(dst, c.Data...), nil
}

// Section reads a section. Data of its containers are views.
func (r *Reader) Section() (s Section) {
	s.Blocks = int16(r.Short("blocks"))
	s.Fluids = int16(r.Short("fluids"))
	s.States = r.container("states", statesSize, statesMin, statesMax)
	s.Biomes = r.container("biomes", biomesSize, biomesMin, biomesMax)
	return s
}

func (r *Reader) container(field string, size int, low, high uint8) (c Container) {
	c.Bits = r.Byte(field)
	switch {
	case r.err != nil:
		return c
	case c.Bits == 0:
		c.Palette = []int32{r.VarInt(field)}
		return c
	case c.Bits < low || c.Bits > 31:
		r.fail(field, fmt.Errorf("%d bits: %w", c.Bits, ErrRange))
		return c
	case c.Bits <= high:
		c.Palette = make([]int32, r.length(field, 1<<c.Bits))
		for i := range c.Palette {
			c.Palette[i] = r.VarInt(field)
		}
	}
	c.Data = r.Fixed(field, 8*longsFor(size, c.Bits))
	return c
}

// At returns the number at an index, y*256+z*16+x for states and y*16+z*4+x
// for biomes (in cells of 4 blocks), and false if the palette does not have it.
func (c *Container) At(index int) (int32, bool) {
	if c.Bits == 0 {
		return c.Palette[0], true
	}
	perLong := 64 / int(c.Bits)
	long := binary.BigEndian.Uint64(c.Data[index/perLong*8:])
	v := int32(long >> (index % perLong * int(c.Bits)) & (1<<c.Bits - 1))
	if c.Palette == nil {
		return v, true
	}
	if int(v) >= len(c.Palette) {
		return 0, false
	}
	return c.Palette[v], true
}
