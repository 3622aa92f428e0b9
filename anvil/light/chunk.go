package light

import (
	"fmt"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/region"
)

// ChunkBlocks gives the blocks of a chunk to [Column.Set], whose foreign states
// are those of the chunk's tables.
type ChunkBlocks struct{ *chunk.Chunk }

var _ Blocks = ChunkBlocks{}

// Section is that of [Blocks].
func (c ChunkBlocks) Section(y chunk.SectionY, scratch *[4096]block.State) (*[4096]block.State, block.State) {
	if one, ok := c.UniformSection(y); ok {
		return nil, one
	}
	if !c.SectionBlocks(y, scratch) {
		return nil, block.Air.Default()
	}
	return scratch, 0
}

// Store gives the light to a chunk as the game would save it: layers that are
// not Stored become absent. The chunk then says that its light is there. The
// error is chunk.ErrRange for sections that no chunk has.
func (c *Chunk) Store(dst *chunk.Chunk) error {
	for kind, layers := range [2][]Layer{chunk.BlockLight: c.Block, chunk.SkyLight: c.Sky} {
		for i := range layers {
			if err := layers[i].store(dst, chunk.Light(kind), c.Low+chunk.SectionY(i)); err != nil {
				return fmt.Errorf("store light: %w", err)
			}
		}
	}
	dst.SetLightOn(true)
	return nil
}

func (l *Layer) store(dst *chunk.Chunk, kind chunk.Light, y chunk.SectionY) error {
	switch {
	case !l.Stored:
		dst.DropLight(kind, y)
		return nil
	case l.Array == nil:
		return dst.FillLight(kind, y, l.Level)
	}
	return dst.SetSectionLight(kind, y, l.Array)
}

// ChunkWorld is a World of chunks in memory. The zero value is a world without
// chunks.
//
// A section without light is read as the game reads it: dark, and for sky light
// full if no section above has any, and where neither it nor one that touches
// it has blocks, as the lowest layer of the next above that has light.
type ChunkWorld struct {
	// At returns a chunk, or nil if it is not loaded.
	At func(region.ChunkPos) *chunk.Chunk
	// Changed, if not nil, is told of each layer that an update changes.
	Changed func(at SectionPos, kind chunk.Light)
}

var _ World = (*ChunkWorld)(nil)

func (w *ChunkWorld) at(x, z int32) *chunk.Chunk {
	if w.At == nil {
		return nil
	}
	return w.At(region.ChunkPos{X: x, Z: z})
}

// Loaded is that of [World].
func (w *ChunkWorld) Loaded(x, z int32) bool { return w.at(x, z) != nil }

// Section is that of [World].
func (w *ChunkWorld) Section(at SectionPos, scratch *[4096]block.State) (*[4096]block.State, block.State) {
	return ChunkBlocks{w.at(at.X, at.Z)}.Section(at.Y, scratch)
}

// Light is that of [World].
func (w *ChunkWorld) Light(at SectionPos, sky bool, scratch *Array) (*Array, uint8) {
	c := w.at(at.X, at.Z)
	if !sky {
		return lightOf(c, chunk.BlockLight, at.Y, scratch)
	}
	if state, _ := c.LightState(chunk.SkyLight, at.Y); state != chunk.LightAbsent {
		return lightOf(c, chunk.SkyLight, at.Y, scratch)
	}
	_, high := c.SectionRange()
	for y := at.Y + 1; y < high; y++ {
		if state, _ := c.LightState(chunk.SkyLight, y); state == chunk.LightAbsent {
			continue
		}
		if w.near(at) {
			return nil, 0
		}
		array, level := lightOf(c, chunk.SkyLight, y, scratch)
		if array != nil {
			for layer := 1; layer < 16; layer++ {
				copy(scratch[layer*128:], scratch[:128])
			}
		}
		return array, level
	}
	return nil, 15
}

func lightOf(c *chunk.Chunk, kind chunk.Light, y chunk.SectionY, scratch *Array) (*Array, uint8) {
	state, level := c.LightState(kind, y)
	if state != chunk.LightArray {
		return nil, level
	}
	c.SectionLight(kind, y, scratch)
	return scratch, 0
}

// near reports whether a section or one that touches it has blocks.
func (w *ChunkWorld) near(at SectionPos) bool {
	for dz := int32(-1); dz <= 1; dz++ {
		for dx := int32(-1); dx <= 1; dx++ {
			c := w.at(at.X+dx, at.Z+dz)
			if c == nil {
				continue
			}
			for y := at.Y - 1; y <= at.Y+1; y++ {
				if one, ok := c.UniformSection(y); c.HasBlocks(y) && !(ok && one.Air()) {
					return true
				}
			}
		}
	}
	return false
}

// SetLight is that of [World]. Sky light that is dark everywhere is kept as
// such, since where it is absent it is not always dark.
func (w *ChunkWorld) SetLight(at SectionPos, sky bool, array *Array, level uint8) {
	c, kind := w.at(at.X, at.Z), chunk.BlockLight
	if sky {
		kind = chunk.SkyLight
	}
	// An error is about a section beside the lowest or highest that a chunk
	// can have, which has no place for light.
	var err error
	switch {
	case array != nil:
		err = c.SetSectionLight(kind, at.Y, array)
	case level == 0 && !sky:
		c.DropLight(kind, at.Y)
	default:
		err = c.FillLight(kind, at.Y, level)
	}
	if err == nil && w.Changed != nil {
		w.Changed(at, kind)
	}
}
