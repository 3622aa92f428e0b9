package stream

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"

	"strata/anvil/chunk"
	"strata/server/protocol"
)

// SectionSet is a set of the sections whose light a chunk has on the wire: bit
// 0 is the one below the lowest of the shape.
type SectionSet [(maxSections + 2 + 63) / 64]uint64

// Add adds a section of a shape, or the one below or above it; others are left
// out.
func (s *SectionSet) Add(shape Shape, y chunk.SectionY) {
	if i := y - shape.Low + 1; i >= 0 && y <= shape.High {
		s.set(int(i))
	}
}

// Empty reports whether nothing was added.
func (s *SectionSet) Empty() bool { return *s == SectionSet{} }

func (s *SectionSet) set(i int)      { s[i>>6] |= 1 << (i & 63) }
func (s *SectionSet) has(i int) bool { return s[i>>6]>>(i&63)&1 != 0 }

func (s *SectionSet) count() (n int) {
	for _, v := range s {
		n += bits.OnesCount64(v)
	}
	return n
}

// append appends the set as a bit set, without zeros at its end.
func (s *SectionSet) append(dst []byte) []byte {
	n := len(s)
	for n > 0 && s[n-1] == 0 {
		n--
	}
	dst = protocol.AppendVarInt(dst, int32(n))
	for _, v := range s[:n] {
		dst = binary.BigEndian.AppendUint64(dst, v)
	}
	return dst
}

// lightPlan is what is sent of one kind of light.
type lightPlan struct{ arrays, dark SectionSet }

// plan finds out what is sent of a kind of light; only is nil for everything.
// Of what is asked for, block light that the chunk does not say is darkness:
// the client may have another.
func plan(c *chunk.Chunk, shape Shape, kind chunk.Light, only *SectionSet) (p lightPlan) {
	for y := shape.Low - 1; y <= shape.High; y++ {
		i := int(y - shape.Low + 1)
		if only != nil && !only.has(i) {
			continue
		}
		switch state, level := c.LightState(kind, y); {
		case state == chunk.LightArray, state == chunk.LightUniform && level > 0:
			p.arrays.set(i)
		case state == chunk.LightUniform, only != nil && kind == chunk.BlockLight:
			p.dark.set(i)
		}
	}
	return p
}

// appendLight appends masks and arrays of both kinds.
func (e *Encoder) appendLight(dst []byte, c *chunk.Chunk, shape Shape, skyOnly, blockOnly *SectionSet) []byte {
	sky, blocks := plan(c, shape, chunk.SkyLight, skyOnly), plan(c, shape, chunk.BlockLight, blockOnly)
	dst = sky.arrays.append(dst)
	dst = blocks.arrays.append(dst)
	dst = sky.dark.append(dst)
	dst = blocks.dark.append(dst)
	dst = e.appendArrays(dst, c, shape, chunk.SkyLight, &sky.arrays)
	return e.appendArrays(dst, c, shape, chunk.BlockLight, &blocks.arrays)
}

// brightest is the array of a section of full light.
var brightest = (*[chunk.LightBytes]byte)(bytes.Repeat([]byte{0xff}, chunk.LightBytes))

func (e *Encoder) appendArrays(dst []byte, c *chunk.Chunk, shape Shape, kind chunk.Light, set *SectionSet) []byte {
	n := set.count()
	dst = protocol.AppendVarInt(dst, int32(n))
	dst = slices.Grow(dst, n*(chunk.LightBytes+2))
	for i := range shape.Sections() + 2 {
		if !set.has(i) {
			continue
		}
		y := shape.Low + chunk.SectionY(i) - 1
		dst = protocol.AppendVarInt(dst, chunk.LightBytes)
		if state, level := c.LightState(kind, y); state == chunk.LightUniform && level == 15 {
			dst = append(dst, brightest[:]...)
			continue
		}
		at := len(dst)
		dst = dst[:at+chunk.LightBytes]
		c.SectionLight(kind, y, (*[chunk.LightBytes]byte)(dst[at:]))
	}
	return dst
}
