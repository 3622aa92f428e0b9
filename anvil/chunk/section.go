package chunk

import "strata/anvil/block"

// section is one section of a chunk. A value is copied by Clone; from then on
// its arrays are shared.
type section struct {
	blocks, biomes container
	light          [2]light
	// extra are members that the package does not know, as in the NBT.
	extra []byte
	// inner are such members within block_states and within biomes; no game
	// writes any.
	inner *[2][]byte
	flags sectionFlags
}

type sectionFlags uint8

const (
	sectionPresent sectionFlags = 1 << iota // the chunk has an entry for it
	sectionBlocks                           // the entry has blocks
	sectionBiomes                           // the entry has biomes
)

func newSection(biome uint16, f form) section {
	s := section{flags: sectionPresent | sectionBlocks}
	if f.containers {
		s.flags |= sectionBiomes
		s.biomes = uniform(biome)
	}
	return s
}

func (s *section) share() {
	s.blocks.shared, s.biomes.shared = true, true
	s.light[0].shared, s.light[1].shared = true, true
}

// empty reports whether the section has no blocks but air.
func (s *section) empty() bool {
	t := &s.blocks
	switch t.width {
	case 0:
		return block.State(t.single).Air()
	case directWidth:
		for i := range SectionCells {
			if !block.State(t.get(i)).Air() {
				return false
			}
		}
		return true
	}
	for _, p := range t.palette {
		if !block.State(p).Air() {
			return t.edited && s.emptyCells()
		}
	}
	return true
}

// emptyCells is empty for palettes whose entries may be unused.
func (s *section) emptyCells() bool {
	for i := range SectionCells {
		if !block.State(s.blocks.get(i)).Air() {
			return false
		}
	}
	return true
}

// at returns the section of a Y, or nil if it is absent.
func (c *Chunk) at(y SectionY) *section {
	i := int(y - c.firstY)
	if uint(i) >= uint(len(c.sections)) {
		return nil
	}
	if s := &c.sections[i]; s.flags&sectionPresent != 0 {
		return s
	}
	return nil
}

// make returns the section of a Y, which it adds if it is absent.
func (c *Chunk) make(y SectionY) *section {
	if y < MinSectionY || y > MaxSectionY {
		return nil
	}
	if len(c.sections) == 0 {
		c.firstY = y
	}
	if y < c.firstY {
		more := make([]section, int(c.firstY-y)+len(c.sections))
		copy(more[c.firstY-y:], c.sections)
		c.sections, c.firstY = more, y
	}
	for int(y-c.firstY) >= len(c.sections) {
		c.sections = append(c.sections, section{})
	}
	s := &c.sections[y-c.firstY]
	s.flags |= sectionPresent
	c.has |= hasSections
	return s
}

// buildable returns the section of a Y in Range with blocks to set, which it
// adds if need be; nil outside.
func (c *Chunk) buildable(y SectionY) *section {
	if y < c.minY || y >= c.topY {
		return nil
	}
	s := c.at(y)
	if s == nil {
		s = c.make(y)
	}
	if s.flags&sectionBlocks == 0 {
		s.flags |= sectionBlocks
		s.blocks = uniform(uint16(block.Air.Default()))
	}
	return s
}

// SectionRange returns the lowest Y and the one after the highest of the
// sections that the chunk has entries for, light alone included; both 0 if
// there is none.
func (c *Chunk) SectionRange() (low, high SectionY) {
	first, last := -1, -1
	for i := range c.sections {
		if c.sections[i].flags&sectionPresent != 0 {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 {
		return 0, 0
	}
	return c.firstY + SectionY(first), c.firstY + SectionY(last) + 1
}

// HasSection reports whether the chunk has an entry for a section, which may
// hold light alone.
func (c *Chunk) HasSection(y SectionY) bool { return c.at(y) != nil }

// HasBlocks reports whether the chunk says which blocks are in a section.
// Where it does not, there is air.
func (c *Chunk) HasBlocks(y SectionY) bool {
	s := c.at(y)
	return s != nil && s.flags&sectionBlocks != 0
}

// HasBiomes reports whether the chunk says which biomes are in a section.
func (c *Chunk) HasBiomes(y SectionY) bool {
	s := c.at(y)
	return s != nil && s.flags&sectionBiomes != 0
}

// RemoveSection removes a section's entry with blocks, biomes and light.
func (c *Chunk) RemoveSection(y SectionY) {
	if s := c.at(y); s != nil {
		*s = section{}
		c.revision++
	}
}
