package stream

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"

	"strata/anvil/chunk"
	"strata/server/protocol"
)

// sentHeightmaps are the heightmaps that clients get, with their numbers.
var sentHeightmaps = [...]struct {
	kind chunk.Heightmap
	id   protocol.HeightmapType
}{
	{chunk.WorldSurface, protocol.HeightmapTypeWorldSurface},
	{chunk.MotionBlocking, protocol.HeightmapTypeMotionBlocking},
	{chunk.MotionBlockingNoLeaves, protocol.HeightmapTypeMotionBlockingNoLeaves},
}

// AppendChunk appends level_chunk_with_light for a chunk, which nobody changes
// meanwhile. What the chunk has outside of the shape is left out, and what it
// lacks of it is air. The error is ErrShape, or protocol.ErrCompression for a
// packet that is too long; dst is as it was then.
func (e *Encoder) AppendChunk(dst []byte, c *chunk.Chunk, shape Shape) ([]byte, error) {
	if !shape.valid() {
		return dst, fmt.Errorf("chunk %v: sections %d to %d: %w", c.Pos(), shape.Low, shape.High, ErrShape)
	}
	start := len(dst)
	pos := c.Pos()
	dst = protocol.AppendVarInt(dst, ids.chunk)
	dst = binary.BigEndian.AppendUint32(dst, uint32(pos.X))
	dst = binary.BigEndian.AppendUint32(dst, uint32(pos.Z))
	dst = appendHeightmaps(dst, c, shape)
	e.body, e.beds = e.body[:0], e.beds[:0]
	for y := shape.Low; y < shape.High; y++ {
		e.body = e.appendSection(e.body, c, y)
	}
	dst = protocol.AppendVarInt(dst, int32(len(e.body)))
	dst = append(dst, e.body...)
	dst = e.appendBlockEntities(dst, c, shape)
	dst = e.appendLight(dst, c, shape, nil, nil)
	if n := len(dst) - start; n > protocol.MaxInflated {
		return dst[:start], fmt.Errorf("chunk %v: packet of %d bytes: %w", pos, n, protocol.ErrCompression)
	}
	return dst, nil
}

// AppendLight appends light_update for sections of a chunk: sky and blocks say
// which, by kind of light; nil is all of them.
func (e *Encoder) AppendLight(dst []byte, c *chunk.Chunk, shape Shape, sky, blocks *SectionSet) ([]byte, error) {
	if !shape.valid() {
		return dst, fmt.Errorf("light of chunk %v: sections %d to %d: %w", c.Pos(), shape.Low, shape.High, ErrShape)
	}
	dst = protocol.AppendVarInt(dst, ids.light)
	dst = protocol.AppendVarInt(dst, c.Pos().X)
	dst = protocol.AppendVarInt(dst, c.Pos().Z)
	return e.appendLight(dst, c, shape, sky, blocks), nil
}

// appendHeightmaps appends the heightmaps: heights above the shape's lowest
// block, packed like cells.
func appendHeightmaps(dst []byte, c *chunk.Chunk, shape Shape) []byte {
	low, height := int(shape.Low)<<4, shape.Sections()<<4
	width := bits.Len(uint(height))
	per := 64 / width
	longs := (256 + per - 1) / per
	dst = protocol.AppendVarInt(dst, int32(len(sentHeightmaps)))
	dst = slices.Grow(dst, len(sentHeightmaps)*(8*longs+3))
	for _, h := range sentHeightmaps {
		if !c.HasHeightmap(h.kind) {
			c = c.Clone()
			c.ComputeHeightmaps(h.kind)
		}
		dst = protocol.AppendVarInt(dst, int32(h.id))
		dst = protocol.AppendVarInt(dst, int32(longs))
		for column := 0; column < 256; column += per {
			var v uint64
			for i := range min(per, 256-column) {
				at := column + i
				y, _ := c.HeightAt(h.kind, at&15, at>>4)
				v |= uint64(min(max(y-low, 0), height)) << (i * width)
			}
			dst = binary.BigEndian.AppendUint64(dst, v)
		}
	}
	return dst
}
