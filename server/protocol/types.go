package protocol

import (
	"encoding/hex"
	"fmt"
	"math"
)

// NBT is a document in the network form: type and payload of the root, no
// name. nil is none. Texts of the game ("text components") are such documents.
// The writer trusts it: it must be one whole document.
type NBT []byte

// Optional is a value that may be absent.
type Optional[T any] struct {
	Present bool
	Value   T // zero if absent
}

// Some returns a value that is present.
func Some[T any](v T) Optional[T] { return Optional[T]{Present: true, Value: v} }

// Holder is an entry of a registry by its number, or a value in its place.
type Holder[T any] struct {
	ID     int32 // if Inline is nil
	Inline *T
}

// Value is what a field of several types holds: a pointer to one of the types
// that the field's documentation names. nil is the value of kinds without one.
type Value interface{ wirer }

// HolderSet is a set of entries of a registry: those of a tag, or a list.
type HolderSet struct {
	Tag string // without "#"; "" for a list
	IDs []int32
}

func (v *HolderSet) wire(c *coder, name string) {
	c.push(name)
	defer c.pop()
	raw := int32(len(v.IDs) + 1)
	if v.Tag != "" {
		raw = 0
	}
	if c.w != nil {
		if v.Tag != "" && len(v.IDs) != 0 {
			c.fail("", fmt.Errorf("a tag and a list: %w", ErrMismatch))
		}
		c.w.VarInt(raw)
	} else {
		raw = int32(c.r.lengthPlus("count", MaxList+1, 1))
	}
	switch {
	case !c.ok():
	case raw != 0:
		elements(&v.IDs, c, "ids", int(raw-1), varint)
	default:
		text(&v.Tag, c, "tag")
		if v.Tag == "" {
			c.fail("tag", fmt.Errorf("empty name: %w", ErrRange))
		}
	}
}

// UUID is a universally unique identifier, its bytes in order.
type UUID [16]byte

// String returns the form with hyphens.
func (v UUID) String() string {
	h := hex.EncodeToString(v[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

func (v *UUID) wire(c *coder, name string) { fixed(v[:], c, name) }

// Signature is that of a chat message: RSA with 2,048 bits.
type Signature [256]byte

func (v *Signature) wire(c *coder, name string) { fixed(v[:], c, name) }

// Acknowledged says which of the last 20 messages a client has seen: bit i%8
// of byte i/8.
type Acknowledged [3]byte

func (v *Acknowledged) wire(c *coder, name string) { fixed(v[:], c, name) }

// BlockPos is the place of a block: 26 bits for X and Z, 12 for Y, signed.
type BlockPos struct{ X, Y, Z int32 }

// Pack returns the 64 bits that are sent: X, Z, Y from the highest bit on.
func (v BlockPos) Pack() int64 {
	return int64(v.X)<<38 | int64(v.Z&(1<<26-1))<<12 | int64(v.Y&(1<<12-1))
}

// UnpackBlockPos is the reverse of Pack.
func UnpackBlockPos(v int64) BlockPos {
	return BlockPos{X: int32(v >> 38), Y: int32(v << 52 >> 52), Z: int32(v << 26 >> 38)}
}

func (v *BlockPos) wire(c *coder, name string) {
	packed := v.Pack()
	if c.w != nil && UnpackBlockPos(packed) != *v {
		c.fail(name, fmt.Errorf("block %d %d %d: %w", v.X, v.Y, v.Z, ErrRange))
	}
	i64(&packed, c, name)
	if c.r != nil {
		*v = UnpackBlockPos(packed)
	}
}

// ChunkPos is the place of a chunk column. Z is sent first.
type ChunkPos struct{ X, Z int32 }

func (v *ChunkPos) wire(c *coder, name string) {
	c.push(name)
	i32(&v.Z, c, "z")
	i32(&v.X, c, "x")
	c.pop()
}

// SectionPos is the place of a section: 22 bits for X and Z, 20 for Y, signed.
type SectionPos struct{ X, Y, Z int32 }

func (v *SectionPos) wire(c *coder, name string) {
	packed := int64(v.X)<<42 | int64(v.Z&(1<<22-1))<<20 | int64(v.Y&(1<<20-1))
	got := unpackSection(packed)
	if c.w != nil && got != *v {
		c.fail(name, fmt.Errorf("section %d %d %d: %w", v.X, v.Y, v.Z, ErrRange))
	}
	i64(&packed, c, name)
	if c.r != nil {
		*v = unpackSection(packed)
	}
}

func unpackSection(v int64) SectionPos {
	return SectionPos{X: int32(v >> 42), Y: int32(v << 44 >> 44), Z: int32(v << 22 >> 42)}
}

// Column is the place of a block in its chunk column: 4 bits each.
type Column struct{ X, Z uint8 }

func (v *Column) wire(c *coder, name string) {
	if c.w != nil && (v.X > 15 || v.Z > 15) {
		c.fail(name, fmt.Errorf("column %d %d: %w", v.X, v.Z, ErrRange))
	}
	b := v.X<<4 | v.Z&15
	u8(&b, c, name)
	if c.r != nil {
		v.X, v.Z = b>>4, b&15
	}
}

// Velocity is a vector in blocks a tick that is sent in 1, 6 or more bytes:
// of each component the 15 bits that say where it is between plus and minus
// the largest one, rounded up. What is read differs from what was sent by up
// to 1/32766 of that.
type Velocity struct{ X, Y, Z float64 }

const (
	// smallestVelocity is below what 15 bits tell from 0 (the game's own).
	smallestVelocity = 1.0 / 32766
	// largestVelocity bounds each component (the game's own).
	largestVelocity = 1.7179869183e10
	velocitySteps   = 32766
)

func (v *Velocity) wire(c *coder, name string) {
	if c.w != nil {
		c.w.velocity(*v)
	} else {
		*v = c.r.velocity(name)
	}
}

// clampVelocity makes a component one that can be sent; no number becomes 0.
func clampVelocity(x float64) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return max(-largestVelocity, min(x, largestVelocity))
}

func (w *Writer) velocity(v Velocity) {
	x, y, z := clampVelocity(v.X), clampVelocity(v.Y), clampVelocity(v.Z)
	largest := max(math.Abs(x), math.Abs(y), math.Abs(z))
	if largest < smallestVelocity {
		w.Byte(0)
		return
	}
	scale := int64(math.Ceil(largest))
	quantum := func(x float64) uint64 {
		// The game rounds half up.
		return uint64(math.Floor((x/float64(scale)*0.5+0.5)*velocitySteps + 0.5))
	}
	packed := uint64(scale & 3)
	if scale > 3 {
		packed |= 4
	}
	packed |= quantum(x)<<3 | quantum(y)<<18 | quantum(z)<<33
	w.Byte(uint8(packed))
	w.Byte(uint8(packed >> 8))
	w.Int(int32(uint32(packed >> 16)))
	if scale > 3 {
		w.VarInt(int32(uint32(scale >> 2)))
	}
}

func (r *Reader) velocity(field string) Velocity {
	r.want(kindLowPrecision, 0, field)
	first := r.take(field, 1)
	if first == nil || first[0] == 0 {
		return Velocity{}
	}
	low := uint64(first[0])
	second := r.take(field, 1)
	if second == nil {
		return Velocity{}
	}
	packed := low | uint64(second[0])<<8 | uint64(uint32(r.int(field)))<<16
	scale := packed & 3
	if packed&4 != 0 {
		scale |= uint64(uint32(r.uvarint(field, 5))) << 2
	}
	part := func(shift int) float64 {
		q := min(float64(packed>>shift&0x7fff), velocitySteps)
		return (q*2/velocitySteps - 1) * float64(scale)
	}
	return Velocity{part(3), part(18), part(33)}
}
