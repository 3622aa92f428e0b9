package chunk

import (
	"encoding/binary"
	"fmt"
	"iter"

	"strata/nbt"
)

// quarterOf is the place of a block's quarter cell in its section.
func quarterOf(x, y, z int) int { return y>>2&3<<4 | z>>2&3<<2 | x>>2&3 }

// Biome returns the biome of the quarter cell that a block is in, in chunks
// before 1.15 that of its column. It reports false if the chunk does not say.
func (c *Chunk) Biome(x, y, z int) (Biome, bool) {
	if !c.form.containers {
		return c.biomeByNumber(x, y, z)
	}
	s := c.at(SectionY(y >> 4))
	if s == nil || s.flags&sectionBiomes == 0 {
		return 0, false
	}
	return Biome(s.biomes.get(quarterOf(x, y, z))), true
}

// SetBiome sets the biome of the quarter cell that a block is in, in chunks
// before 1.15 that of its four by four columns. The error is ErrRange outside
// of Range, and ErrForm for a biome that has no number in a chunk before 1.18.
func (c *Chunk) SetBiome(x, y, z int, b Biome) error {
	if !c.form.containers {
		return c.setBiomeByNumber(x, y, z, b)
	}
	s := c.withBiomes(SectionY(y >> 4))
	if s == nil {
		return fmt.Errorf("chunk %v: biome at y %d: %w", c.pos, y, ErrRange)
	}
	if s.biomes.set(quarterOf(x, y, z), uint16(b), BiomeCells) != uint16(b) {
		c.revision++
	}
	return nil
}

// withBiomes returns a section of Range with biomes; where they are not given
// they are plains, which is what the game assumes.
func (c *Chunk) withBiomes(y SectionY) *section {
	if y < c.minY || y >= c.topY || !c.form.containers {
		return nil
	}
	s := c.make(y)
	if s.flags&sectionBiomes == 0 {
		plains, _ := c.tables.Biomes.Find("minecraft:plains")
		s.flags |= sectionBiomes
		s.biomes = uniform(uint16(plains))
	}
	return s
}

// SectionBiomes copies the biomes of a section, numbered y<<4 | z<<2 | x by
// quarter cells. It reports false, and leaves dst alone, if the chunk does not
// say all of them.
func (c *Chunk) SectionBiomes(y SectionY, dst *[BiomeCells]Biome) bool {
	if !c.form.containers {
		var all [BiomeCells]Biome
		for i := range all {
			b, ok := c.biomeByNumber(i&3<<2, int(y)*16+i>>4<<2, i>>2&3<<2)
			if !ok {
				return false
			}
			all[i] = b
		}
		*dst = all
		return true
	}
	s := c.at(y)
	if s == nil || s.flags&sectionBiomes == 0 {
		return false
	}
	spreadOver(&s.biomes, dst[:])
	return true
}

// PackedBiomes is [Chunk.PackedBlocks] for the biomes of a section. It reports
// false for a section that does not say all of them by name.
func (c *Chunk) PackedBiomes(y SectionY, palette []Biome, longs []uint64) (width int, _ []Biome, _ []uint64, ok bool) {
	s := c.at(y)
	if s == nil || s.flags&sectionBiomes == 0 {
		return 0, palette, longs, false
	}
	width, palette, longs = packedOf(&s.biomes, palette, longs)
	return width, palette, longs, true
}

// SetSectionBiomes sets the biomes of a section, numbered as in
// [Chunk.SectionBiomes]. The errors are those of [Chunk.SetBiome].
func (c *Chunk) SetSectionBiomes(y SectionY, src *[BiomeCells]Biome) error {
	if !c.form.containers {
		for i, b := range src {
			if err := c.setBiomeByNumber(i&3<<2, int(y)*16+i>>4<<2, i>>2&3<<2, b); err != nil {
				return err
			}
		}
		return nil
	}
	s := c.withBiomes(y)
	if s == nil {
		return fmt.Errorf("chunk %v: section %d: %w", c.pos, y, ErrRange)
	}
	work := getScratch()
	defer putScratch(work)
	for i, v := range src {
		work.spread[i] = uint16(v)
	}
	s.biomes.setValues(work.spread[:BiomeCells], work)
	c.revision++
	return nil
}

// BiomeCounts ranges over the biomes that occur in a section, most frequent
// first, with the number of their quarter cells.
func (c *Chunk) BiomeCounts(y SectionY) iter.Seq2[Biome, int] {
	return func(yield func(Biome, int) bool) {
		var cells [BiomeCells]Biome
		if !c.SectionBiomes(y, &cells) {
			return
		}
		work := getScratch()
		for i, b := range cells {
			work.spread[i] = uint16(b)
		}
		values := append([]uint16(nil), work.build(work.spread[:BiomeCells])...)
		counts := append([]int32(nil), work.counts...)
		putScratch(work)
		for i, v := range values {
			if !yield(Biome(v), int(counts[i])) {
				return
			}
		}
	}
}

// ReplaceBiomes puts f(biome) in place of each biome in a section and reports
// whether any changed. In chunks before 1.18 it does nothing.
func (c *Chunk) ReplaceBiomes(y SectionY, f func(Biome) Biome) bool {
	s := c.at(y)
	if s == nil || s.flags&sectionBiomes == 0 {
		return false
	}
	work := getScratch()
	defer putScratch(work)
	changed := s.biomes.replace(func(v uint16) uint16 { return uint16(f(Biome(v))) }, BiomeCells, work)
	if changed {
		c.revision++
	}
	return changed
}

// Before 1.18 a chunk has one array of numbers: 256, one a column, or 1,024,
// one a quarter cell from y 0 up (more in taller worlds of 1.17). It stays as
// it is in the NBT, and single numbers are read and written there.

// newBiomeNumbers returns the array of a new chunk, all of it plains.
func newBiomeNumbers(o Options) []byte {
	n := BiomeCells * o.Sections
	if o.DataVersion < quarterVersion {
		n = columns
	}
	data := binary.BigEndian.AppendUint32(nil, uint32(n))
	for range n {
		data = binary.BigEndian.AppendUint32(data, legacyPlains)
	}
	return newMember(memberNames[memberBiomes][1], nbt.Raw{Type: nbt.TypeIntArray, Data: data})
}

// legacyPlains is the number of plains.
const legacyPlains = 1

// biomeNumbers returns the bytes of the numbers, nil if there are none.
func (c *Chunk) biomeNumbers() []byte {
	kind, payload := memberPayload(c.members[memberBiomes])
	if kind != nbt.TypeIntArray || len(payload) < 8 {
		return nil
	}
	return payload[4:]
}

// biomesByColumn reports whether the numbers are those of columns. There are
// 256 of them, as many as the quarter cells of a chunk of four sections.
func (c *Chunk) biomesByColumn(numbers []byte) bool {
	return len(numbers) == 4*columns && (c.dataVersion < quarterVersion || c.Height() > 64)
}

// biomeNumber returns where the number of a block stands among the bytes.
func (c *Chunk) biomeNumber(numbers []byte, x, y, z int) (int, bool) {
	if c.biomesByColumn(numbers) {
		return 4 * (z&15<<4 | x&15), true
	}
	at := (y-c.MinY())>>2*16 + z>>2&3<<2 + x>>2&3
	return 4 * at, at >= 0 && 4*at < len(numbers)
}

func (c *Chunk) biomeByNumber(x, y, z int) (Biome, bool) {
	numbers := c.biomeNumbers()
	if numbers == nil {
		return 0, false
	}
	at, ok := c.biomeNumber(numbers, x, y, z)
	if !ok {
		return 0, false
	}
	b, err := c.tables.Biomes.legacy(int32(binary.BigEndian.Uint32(numbers[at:])))
	return b, err == nil
}

func (c *Chunk) setBiomeByNumber(x, y, z int, b Biome) error {
	number, known := c.tables.Biomes.legacyNumber(b)
	if !known {
		return fmt.Errorf("chunk %v: biome %s: %w", c.pos, c.tables.Biomes.Name(b), ErrForm)
	}
	numbers := c.biomeNumbers()
	if numbers == nil {
		return fmt.Errorf("chunk %v: has no biomes: %w", c.pos, ErrRange)
	}
	at, ok := c.biomeNumber(numbers, x, y, z)
	if !ok {
		return fmt.Errorf("chunk %v: biome at y %d: %w", c.pos, y, ErrRange)
	}
	// Members are never changed in place: a clone may share them.
	changed := append([]byte(nil), c.members[memberBiomes]...)
	numbers = changed[len(changed)-len(numbers):]
	if c.biomesByColumn(numbers) {
		for i := range 16 {
			binary.BigEndian.PutUint32(numbers[4*(z>>2&3<<6|i>>2<<4|x>>2&3<<2|i&3):], uint32(number))
		}
	} else {
		binary.BigEndian.PutUint32(numbers[at:], uint32(number))
	}
	c.members[memberBiomes] = changed
	c.revision++
	return nil
}
