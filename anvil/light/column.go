package light

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"sync"

	"strata/anvil/block"
	"strata/anvil/chunk"
)

// Blocks gives the block states of a chunk.
type Blocks interface {
	// Section returns the states of a section, numbered y<<8 | z<<4 | x, or
	// nil and the one state of all its blocks. It may use scratch, which is
	// good until it is called again. What it returns is only read, and not
	// kept.
	Section(y chunk.SectionY, scratch *[4096]block.State) (states *[4096]block.State, one block.State)
}

// Column is a chunk prepared for light: for each block what it takes from
// light, what gives off light, and down to where the sky is open. It is made
// once and used for the light of the chunk and of its eight neighbors.
//
// A Column keeps its memory for the next Set: about 5 KB for each section with
// more than one kind of block. It may be read by several engines at a time, but
// not while it is set.
type Column struct {
	low, high chunk.SectionY
	sections  []section // from low
	top       int       // how many, up to the highest that is not air
	emitters  []emitter
	// open is the lowest row of each x and z, z<<4 | x, that full sky light
	// falls to. Rows are counted from the bottom of the section below low.
	open     [256]uint16
	openLow  uint16 // the lowest of open
	openHigh uint16 // and the highest
	read     reader
}

// emitter is a cell that gives off light:
// cell | level<<12 | section<<16 | buried<<31. What is buried has neighbors that
// its light does nothing for.
type emitter uint32

func (m emitter) cell() uint32 { return uint32(m) & (cells - 1) }
func (m emitter) level() uint8 { return uint8(m >> 12 & 15) }
func (m emitter) section() int { return int(m >> 16 & 0xFF) }
func (m emitter) buried() bool { return m>>31 != 0 }

var scratches = sync.Pool{New: func() any { return new([cells]block.State) }}

// Set prepares a chunk whose sections are low to high, high not included.
// States that the native table lacks have the facts of those that foreign
// names, or if that is nil, of stone.
func (c *Column) Set(low, high chunk.SectionY, blocks Blocks, foreign *block.States) error {
	if low >= high || high-low > MaxSections || low < -MaxSections || high > MaxSections {
		return fmt.Errorf("sections %d to %d: %w", low, high, ErrRange)
	}
	scratch := scratches.Get().(*[cells]block.State)
	defer scratches.Put(scratch)
	c.low, c.high = low, high
	c.sections, c.emitters, c.top = c.sections[:0], c.emitters[:0], 0
	c.read.foreign = foreign
	c.read.reset()
	for y := low; y < high; y++ {
		s := c.read.read(blocks.Section(y, scratch))
		c.sections = append(c.sections, s)
		if s.solid {
			c.top = len(c.sections)
		}
		if s.any&kindEmits != 0 {
			c.addEmitters(len(c.sections) - 1)
		}
	}
	c.findOpen()
	return nil
}

// eight has its argument in each byte.
func eight(v uint8) uint64 { return uint64(v) * 0x0101010101010101 }

func (c *Column) addEmitters(i int) {
	s := &c.sections[i]
	even := s.states == nil
	last, level := block.State(0), uint8(0)
	for at := 0; at < cells; at += 8 {
		w := binary.LittleEndian.Uint64(s.kind[at:]) & eight(kindEmits)
		for ; w != 0; w &= w - 1 {
			cell := at + bits.TrailingZeros64(w)>>3
			if even && inner(cell) {
				// It has light from all sides that is as strong.
				continue
			}
			if state := s.at(uint32(cell)); state != last || level == 0 {
				last, level = state, state.LightEmission()
			}
			m := emitter(cell | int(level)<<12 | i<<16)
			if inner(cell) && s.buries(cell) {
				m |= 1 << 31
			}
			c.emitters = append(c.emitters, m)
		}
	}
}

// buries reports whether all neighbors of an inner cell give off its light too
// or let none in.
func (s *section) buries(cell int) bool {
	for _, step := range steps {
		n := (cell + int(step)) & (cells - 1)
		if s.kind[n]&lossMask < 15 && s.states[n] != s.states[cell] {
			return false
		}
	}
	return true
}

// inner reports whether a cell touches none of its section's sides.
func inner(cell int) bool {
	x, z, y := cell&15, cell>>4&15, cell>>8
	return (x-1)|(14-x)|(z-1)|(14-z)|(y-1)|(14-y) >= 0
}

// findOpen finds how far the sky is open in each column.
func (c *Column) findOpen() {
	var open [256]uint8 // 0xFF where it still is
	for i := range open {
		open[i], c.open[i] = 0xFF, 0
	}
	above := airSection()
	left := 256
	for i := c.top - 1; i >= 0 && left > 0; i-- {
		s := &c.sections[i]
		if (s.any|above.any)&(kindDims|kindShape) == 0 {
			above = *s
			continue
		}
		for y := 15; y >= 0 && left > 0; y-- {
			left -= c.closeRow(&open, s, &above, i, y)
		}
		above = *s
	}
	if above.any&kindShape != 0 && left > 0 {
		// The lowest blocks may close the sky to the section below.
		air := airSection()
		c.closeRow(&open, &air, &above, -1, 15)
	}
	c.openLow, c.openHigh = c.open[0], c.open[0]
	for _, row := range c.open {
		c.openLow, c.openHigh = min(c.openLow, row), max(c.openHigh, row)
	}
}

// closeRow ends the columns that full sky light does not fall further in than
// to above row y of section i. It returns how many.
func (c *Column) closeRow(open *[256]uint8, s, above *section, i, y int) (closed int) {
	row := s.kind[y<<8 : y<<8+256]
	// The row above: in the same section or the lowest of the one above.
	over, overSection := above.kind[:256], above
	if y < 15 {
		over, overSection = s.kind[(y+1)<<8:(y+1)<<8+256], s
	}
	for at := 0; at < 256; at += 8 {
		was := binary.LittleEndian.Uint64(open[at:])
		if was == 0 {
			continue
		}
		w, o := binary.LittleEndian.Uint64(row[at:]), binary.LittleEndian.Uint64(over[at:])
		w = w&eight(kindDims|kindShape) | o&eight(kindShape)
		for w &= was; w != 0; {
			n := bits.TrailingZeros64(w) >> 3
			w &^= 0xFF << (8 * n)
			cell := at + n
			if row[cell]&kindDims == 0 &&
				!block.FaceBlocksLight(stateIn(overSection, (y+1)&15<<8|cell), stateIn(s, y<<8|cell), block.Down) {
				continue
			}
			open[cell] = 0
			c.open[cell] = uint16((i+1)*16 + y + 1)
			closed++
		}
	}
	return closed
}

// stateIn returns the state of a cell, or air if it has no shape.
func stateIn(s *section, cell int) block.State {
	if s.kind[cell]&kindShape == 0 {
		return 0
	}
	return s.at(uint32(cell))
}
