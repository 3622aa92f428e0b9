package light

import (
	"encoding/binary"
	"fmt"

	"strata/anvil/chunk"
)

// Array is the light of a section: four bits a block, numbered
// y<<8 | z<<4 | x, the lower bits first.
type Array = [2048]byte

// Layer is the light of one kind in a section.
type Layer struct {
	// Array is nil if all blocks have the same Level.
	Array *Array
	Level uint8
	// Stored tells that the game saves the section's array, be it uniform:
	// in sections that have blocks or touch, also by an edge or a corner,
	// one that has, and if there is any light. Where it is false nothing is
	// saved, and reads as darkness, or above the highest array as full sky
	// light.
	Stored bool
}

// At returns the level of a cell, y<<8 | z<<4 | x.
func (l *Layer) At(cell int) uint8 {
	if l.Array == nil {
		return l.Level
	}
	return l.Array[cell>>1&2047] >> (cell & 1 * 4) & 15
}

// Chunk is the light of a chunk, from the section below its lowest to the one
// above its highest.
type Chunk struct {
	Low chunk.SectionY // of the first layer
	// Block and Sky have one layer for each section; Sky has none if there
	// is no sky. The arrays are the Chunk's and used again by the next
	// Result.
	Block, Sky []Layer

	arrays pool[Array]
}

// Result returns the light of a chunk of the area last lit. Chunks at the rim
// and such that were nil have none (ErrRange).
func (e *Engine) Result(x, z int, dst *Chunk) error {
	a := &e.area
	if x < 1 || z < 1 || x >= a.Width-1 || z >= a.Depth-1 || a.Columns[z*a.Width+x] == nil || e.update.active {
		return fmt.Errorf("chunk %d, %d of %d by %d: %w", x, z, a.Width, a.Depth, ErrRange)
	}
	dst.Low = a.low - 1
	dst.Block, dst.Sky = dst.Block[:0], dst.Sky[:0]
	dst.arrays.reset()
	first := (z*a.Width + x) * a.rows
	for row := range int(a.high-a.low) + 2 {
		near := a.near(x, z, row)
		block, sky := Layer{}, Layer{Level: 15}
		if row < a.rows {
			s := &e.slots[first+row]
			block = dst.layer(s.level[blockLight], s.owned[blockLight])
			sky = dst.layer(s.level[skyLight], s.owned[skyLight])
		}
		block.Stored = near && (block.Array != nil || block.Level > 0)
		dst.Block = append(dst.Block, block)
		if a.Sky {
			sky.Stored = near && (sky.Array != nil || sky.Level > 0)
			dst.Sky = append(dst.Sky, sky)
		}
	}
	return nil
}

// near reports whether a section or one that touches it has blocks.
func (a *area) near(x, z, row int) bool {
	for dz := -1; dz <= 1; dz++ {
		for dx := -1; dx <= 1; dx++ {
			c := a.Columns[(z+dz)*a.Width+x+dx]
			if c == nil {
				continue
			}
			for i := max(0, row-2); i <= row && i < c.top; i++ {
				if c.sections[i].solid {
					return true
				}
			}
		}
	}
	return false
}

// layer packs levels. Pages that are not owned are even.
func (c *Chunk) layer(levels *page, owned bool) Layer {
	if !owned {
		return Layer{Level: levels[0]}
	}
	array := c.arrays.get()
	if pack(array, levels) {
		c.arrays.undo()
		return Layer{Level: levels[0]}
	}
	return Layer{Array: array}
}

// pack packs levels and reports whether all are equal.
func pack(dst *Array, levels *page) (even bool) {
	first := eight(levels[0])
	var differ uint64
	for i := 0; i < cells; i += 8 {
		v := binary.LittleEndian.Uint64(levels[i:])
		differ |= v ^ first
		v = (v | v>>4) & 0x00FF00FF00FF00FF
		v = (v | v>>8) & 0x0000FFFF0000FFFF
		v |= v >> 16
		binary.LittleEndian.PutUint32(dst[i/2:], uint32(v))
	}
	return differ == 0
}

// unpack is the reverse of pack.
func unpack(dst *page, array *Array) {
	for i := 0; i < len(array); i += 4 {
		v := uint64(binary.LittleEndian.Uint32(array[i:]))
		v = (v | v<<16) & 0x0000FFFF0000FFFF
		v = (v | v<<8) & 0x00FF00FF00FF00FF
		v = (v | v<<4) & 0x0F0F0F0F0F0F0F0F
		binary.LittleEndian.PutUint64(dst[i*2:], v)
	}
}
