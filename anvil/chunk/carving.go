package chunk

import (
	"encoding/binary"
	"fmt"

	"strata/nbt"
)

// CarvingMask says which blocks carvers have dug out; chunks between carving
// and features have one. Blocks are bits from the lowest of Range up, numbered
// y<<8 | z<<4 | x, 64 in a word, the lowest first.
type CarvingMask []uint64

// At reports whether the block at x, z and so many blocks above the lowest of
// Range was dug out.
func (m CarvingMask) At(x, above, z int) bool {
	i := above<<8 | z&15<<4 | x&15
	return above >= 0 && i>>6 < len(m) && m[i>>6]>>(i&63)&1 != 0
}

// CarvingMask returns the mask as it stands, a copy, nil if there is none: in
// the form with Level the one of dry caves. Words of zero at its end may be
// missing. The error is ErrType if it is not what it should be.
func (c *Chunk) CarvingMask() (CarvingMask, error) {
	kind, payload := memberPayload(c.members[memberCarvingMask])
	value := nbt.Raw{Type: kind, Data: payload}
	if kind == nbt.TypeCompound && c.form.level {
		value = findMember(inside(payload), "AIR")
	}
	switch value.Type {
	case nbt.TypeEnd:
		return nil, nil
	case nbt.TypeLongArray:
		mask := make(CarvingMask, len(value.Data[4:])/8)
		for i := range mask {
			mask[i] = binary.BigEndian.Uint64(value.Data[4+8*i:])
		}
		return mask, nil
	case nbt.TypeByteArray:
		bytes := value.Data[4:]
		mask := make(CarvingMask, (len(bytes)+7)/8)
		for i, b := range bytes {
			mask[i/8] |= uint64(b) << (i % 8 * 8)
		}
		return mask, nil
	}
	return nil, c.memberError(memberCarvingMask, ErrType)
}

// SetCarvingMask sets the mask, without words of zero at its end, as the game
// does; nil removes it. The error is ErrForm in the form with Level, ErrRange
// for a mask that is higher than the chunk.
func (c *Chunk) SetCarvingMask(mask CarvingMask) error {
	if c.form.level {
		return c.memberError(memberCarvingMask, ErrForm)
	}
	if len(mask) > c.Height()*4 {
		return c.memberError(memberCarvingMask, fmt.Errorf("%d words: %w", len(mask), ErrRange))
	}
	c.revision++
	if mask == nil {
		c.members[memberCarvingMask] = nil
		return nil
	}
	for len(mask) > 0 && mask[len(mask)-1] == 0 {
		mask = mask[:len(mask)-1]
	}
	data := binary.BigEndian.AppendUint32(nil, uint32(len(mask)))
	c.members[memberCarvingMask] = newMember(c.form.name(memberCarvingMask), nbt.Raw{Type: nbt.TypeLongArray, Data: appendLongs(data, mask)})
	return nil
}

// Blending says that the chunk comes from before 1.18 and that its terrain is
// to be blended with what is generated beside it.
type Blending struct {
	MinSection, MaxSection SectionY
	// Heights along the rim, 16 of them, or none; the greatest double where
	// there is none.
	Heights []float64
}

// Blending returns the chunk's blending data, and false if it has none. The
// error is ErrType if it is not what it should be.
func (c *Chunk) Blending() (b Blending, ok bool, err error) {
	kind, payload := memberPayload(c.members[memberBlending])
	if kind == nbt.TypeEnd {
		return b, false, nil
	}
	raw := struct {
		Min     int32     `nbt:"min_section"`
		Max     int32     `nbt:"max_section"`
		Heights []float64 `nbt:"heights"`
	}{}
	if kind != nbt.TypeCompound {
		return b, false, c.memberError(memberBlending, ErrType)
	}
	if err := (nbt.Raw{Type: kind, Data: payload}).Decode(&raw); err != nil {
		return b, false, c.memberError(memberBlending, fmt.Errorf("%w: %w", ErrType, err))
	}
	return Blending{SectionY(raw.Min), SectionY(raw.Max), raw.Heights}, true, nil
}
