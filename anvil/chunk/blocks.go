package chunk

import (
	"fmt"
	"iter"

	"strata/anvil/block"
)

// cellOf is a block's place in its section.
func cellOf(x, y, z int) int { return y&15<<8 | z&15<<4 | x&15 }

// Block returns the state of a block, that of air where the chunk has none.
func (c *Chunk) Block(x, y, z int) block.State {
	s := c.at(SectionY(y >> 4))
	if s == nil || s.flags&sectionBlocks == 0 {
		return block.Air.Default()
	}
	return block.State(s.blocks.get(cellOf(x, y, z)))
}

// SetBlock sets a block, keeps the heightmaps up to date that the chunk has,
// and returns what was there. It reports false, and changes nothing, if y is
// outside of Range. Block entities, light and ticks are the caller's.
func (c *Chunk) SetBlock(x, y, z int, state block.State) (old block.State, ok bool) {
	s := c.at(SectionY(y >> 4))
	if s == nil || s.flags&sectionBlocks == 0 || SectionY(y>>4) < c.minY || SectionY(y>>4) >= c.topY {
		if s = c.buildable(SectionY(y >> 4)); s == nil {
			return block.Air.Default(), false
		}
	}
	old = block.State(s.blocks.set(cellOf(x, y, z), uint16(state), SectionCells))
	if old != state {
		c.revision++
		if c.heights.kinds != 0 {
			c.updateHeights(x, y, z, old, state)
		}
	}
	return old, true
}

// smallFill is the number of blocks up to which following the heights block
// by block costs less than computing them once.
const smallFill = 128

// Fill sets all blocks of a box, both corners included, in chunk coordinates
// 0 to 15 for x and z. The heightmaps follow. The error is ErrRange if the box
// is not in the chunk, and nothing is changed then.
func (c *Chunk) Fill(x0, y0, z0, x1, y1, z1 int, state block.State) error {
	low, high := c.MinY(), c.MinY()+c.Height()
	if x0 < 0 || z0 < 0 || y0 < low || x1 > 15 || z1 > 15 || y1 >= high || x0 > x1 || y0 > y1 || z0 > z1 {
		return fmt.Errorf("chunk %v: fill %d,%d,%d to %d,%d,%d: %w", c.pos, x0, y0, z0, x1, y1, z1, ErrRange)
	}
	if (x1-x0+1)*(y1-y0+1)*(z1-z0+1) <= smallFill {
		for y := y0; y <= y1; y++ {
			for z := z0; z <= z1; z++ {
				for x := x0; x <= x1; x++ {
					c.SetBlock(x, y, z, state)
				}
			}
		}
		return nil
	}
	columns := x0 == 0 && z0 == 0 && x1 == 15 && z1 == 15
	for y := y0; y <= y1; y++ {
		s := c.buildable(SectionY(y >> 4))
		if columns && y&15 == 0 && y+15 <= y1 {
			s.blocks = uniform(uint16(state))
			y += 15
			continue
		}
		for z := z0; z <= z1; z++ {
			for x := x0; x <= x1; x++ {
				s.blocks.set(cellOf(x, y, z), uint16(state), SectionCells)
			}
		}
	}
	c.revision++
	c.refreshHeights()
	return nil
}

// SectionBlocks copies the blocks of a section, numbered y<<8 | z<<4 | x. It
// reports whether the chunk has them; if not, dst is air.
func (c *Chunk) SectionBlocks(y SectionY, dst *[SectionCells]block.State) bool {
	s := c.at(y)
	if s == nil || s.flags&sectionBlocks == 0 {
		*dst = [SectionCells]block.State{}
		return false
	}
	spreadOver(&s.blocks, dst[:])
	return true
}

// SetSectionBlocks sets all blocks of a section, numbered as in
// [Chunk.SectionBlocks]. It does not touch the heightmaps: call
// [Chunk.ComputeHeightmaps] after the last section. The error is ErrRange for
// a section outside of Range.
func (c *Chunk) SetSectionBlocks(y SectionY, src *[SectionCells]block.State) error {
	s := c.buildable(y)
	if s == nil {
		return fmt.Errorf("chunk %v: section %d: %w", c.pos, y, ErrRange)
	}
	work := getScratch()
	defer putScratch(work)
	for i, v := range src {
		work.spread[i] = uint16(v)
	}
	s.blocks.setValues(work.spread[:], work)
	c.revision++
	return nil
}

// FillSection sets all blocks of a section to one state, the heightmaps as
// with [Chunk.SetSectionBlocks].
func (c *Chunk) FillSection(y SectionY, state block.State) error {
	s := c.buildable(y)
	if s == nil {
		return fmt.Errorf("chunk %v: section %d: %w", c.pos, y, ErrRange)
	}
	s.blocks = uniform(uint16(state))
	c.revision++
	return nil
}

// UniformSection returns the state that all blocks of a section have. It
// reports false if there are several, or if none are given.
func (c *Chunk) UniformSection(y SectionY) (block.State, bool) {
	s := c.at(y)
	if s == nil || s.flags&sectionBlocks == 0 || s.blocks.width != 0 {
		return 0, false
	}
	return block.State(s.blocks.single), true
}

// Counts ranges over the states that occur in a section, most frequent first,
// with the number of their blocks.
func (c *Chunk) Counts(y SectionY) iter.Seq2[block.State, int] {
	return func(yield func(block.State, int) bool) {
		s := c.at(y)
		if s == nil || s.flags&sectionBlocks == 0 {
			return
		}
		work := getScratch()
		values, counts := s.blocks.counts(SectionCells, work)
		states, numbers := append([]uint16(nil), values...), append([]int32(nil), counts...)
		putScratch(work)
		for i, v := range states {
			if !yield(block.State(v), int(numbers[i])) {
				return
			}
		}
	}
}

// Palette appends the states of a section's palette to dst: each that occurs,
// perhaps some that do not any more, in no particular order. It is quicker
// than [Chunk.Counts].
func (c *Chunk) Palette(dst []block.State, y SectionY) []block.State {
	s := c.at(y)
	if s == nil || s.flags&sectionBlocks == 0 {
		return dst
	}
	switch s.blocks.width {
	case 0:
		return append(dst, block.State(s.blocks.single))
	case directWidth:
		for state := range c.Counts(y) {
			dst = append(dst, state)
		}
		return dst
	}
	for _, p := range s.blocks.palette {
		dst = append(dst, block.State(p))
	}
	return dst
}

// Replace puts f(state) in place of each state in a section, and reports
// whether any block changed. It does not touch the heightmaps. f must give
// the same result for the same state.
func (c *Chunk) Replace(y SectionY, f func(block.State) block.State) bool {
	s := c.at(y)
	if s == nil || s.flags&sectionBlocks == 0 {
		return false
	}
	work := getScratch()
	defer putScratch(work)
	changed := s.blocks.replace(func(v uint16) uint16 { return uint16(f(block.State(v))) }, SectionCells, work)
	if changed {
		c.revision++
	}
	return changed
}

// PackedBlocks appends a section's palette to palette and its cells to longs,
// as they are in memory, for those who send them on: width bits a cell, none
// of which lies in two longs. A width of 0 means that all blocks have the one
// state in palette, one of 16 that there is no palette and cells are states.
// The palette may have entries that no cell has. Where the chunk has no
// blocks there is air.
func (c *Chunk) PackedBlocks(y SectionY, palette []block.State, longs []uint64) (width int, _ []block.State, _ []uint64) {
	s := c.at(y)
	if s == nil || s.flags&sectionBlocks == 0 {
		return 0, append(palette, block.Air.Default()), longs
	}
	return packedOf(&s.blocks, palette, longs)
}

func packedOf[T ~uint16](t *container, palette []T, longs []uint64) (width int, _ []T, _ []uint64) {
	if t.width == 0 {
		return 0, append(palette, T(t.single)), longs
	}
	for _, p := range t.palette {
		palette = append(palette, T(p))
	}
	return int(t.width), palette, append(longs, t.data...)
}
