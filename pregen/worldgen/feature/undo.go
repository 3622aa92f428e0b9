package feature

import (
	"slices"

	"strata/anvil/block"
	"strata/pregen/worldgen/proto"
)

// Undo has nine chunks as they were before one of them was decorated, for the
// case that it cannot be decorated to the end. It is scratch of a worker.
type Undo struct {
	blocks   [9][]block.State
	chunks   [9]Chunk
	protos   [9]proto.Chunk
	entities [9][]BlockEntity
	has      bool
}

// Remember takes the chunks. What decoration only appends to need not be
// copied.
func (u *Undo) Remember(chunks [9]*Chunk) {
	u.has = true
	for i, c := range chunks {
		u.blocks[i] = append(u.blocks[i][:0], c.Blocks...)
		u.chunks[i], u.protos[i] = *c, *c.Chunk
		u.entities[i] = slices.Clone(c.BlockEntities)
	}
}

// Restore makes the chunks what they were, and reports false if they were not
// remembered.
func (u *Undo) Restore(chunks [9]*Chunk) bool {
	if !u.has {
		return false
	}
	u.has = false
	for i, c := range chunks {
		inner := c.Chunk
		*c, *inner = u.chunks[i], u.protos[i]
		c.BlockEntities = u.entities[i]
		copy(c.Blocks, u.blocks[i])
		u.chunks[i], u.protos[i], u.entities[i] = Chunk{}, proto.Chunk{}, nil
	}
	return true
}
