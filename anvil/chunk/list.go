package chunk

import (
	"encoding/binary"
	"fmt"
	"iter"

	"strata/nbt"
)

// elements ranges over a list of a type: the payloads of its elements. An
// absent member and an empty list of any type have none.
func (c *Chunk) elements(m member, want nbt.Type) (iter.Seq2[int, []byte], error) {
	kind, payload := memberPayload(c.members[m])
	if kind == nbt.TypeEnd {
		return func(func(int, []byte) bool) {}, nil
	}
	if kind != nbt.TypeList {
		return nil, c.memberError(m, ErrType)
	}
	elem, n := listHead(payload, 0)
	if n > 0 && elem != want {
		return nil, c.memberError(m, ErrType)
	}
	return func(yield func(int, []byte) bool) {
		pos := 5
		for i := range n {
			end := skip(payload, pos, elem)
			if !yield(i, payload[pos:end:end]) {
				return
			}
			pos = end
		}
	}, nil
}

func (c *Chunk) memberError(m member, err error) error {
	return fmt.Errorf("chunk %v: %s: %w", c.pos, c.form.name(m), err)
}

// setList puts a list in place of a member.
func (c *Chunk) setList(m member, elem nbt.Type, payloads [][]byte) error {
	size := 0
	for _, p := range payloads {
		size += len(p)
	}
	b, err := c.beginList(m, elem, len(payloads), size)
	if err != nil {
		return err
	}
	for _, p := range payloads {
		b = append(b, p...)
	}
	c.endList(m, b)
	return nil
}

// beginList is a list member of n elements up to where they are to be appended,
// with room for size bytes of them.
func (c *Chunk) beginList(m member, elem nbt.Type, n, size int) ([]byte, error) {
	name := c.form.name(m)
	if name == "" {
		return nil, fmt.Errorf("chunk %v of DataVersion %d: %w", c.pos, c.dataVersion, ErrForm)
	}
	if n == 0 {
		elem = nbt.TypeEnd
	}
	b := make([]byte, 0, 3+len(name)+5+size)
	b = appendHead(b, nbt.TypeList, name)
	b = append(b, byte(elem))
	return binary.BigEndian.AppendUint32(b, uint32(n)), nil
}

// endList puts what was begun in place of the member.
func (c *Chunk) endList(m member, list []byte) {
	c.members[m] = list
	c.revision++
}

// compounds checks values from outside and returns their payloads.
func (c *Chunk) compounds(m member, values []nbt.Raw) ([][]byte, error) {
	payloads := make([][]byte, len(values))
	for i, v := range values {
		err := whole(v)
		if v.Type != nbt.TypeCompound {
			err = ErrNBT
		}
		if err != nil {
			return nil, c.memberError(m, fmt.Errorf("value %d: %w", i, err))
		}
		payloads[i] = v.Data
	}
	return payloads, nil
}

// inside are the members of a compound's payload.
func inside(compound []byte) []byte { return compound[:len(compound)-1] }

// intOf returns an integer member of a compound.
func intOf(compound []byte, name string) (int64, bool) {
	return findMember(inside(compound), name).Int()
}

// positionOf reads x, y and z of a block entity or tick.
func positionOf(compound []byte) (pos BlockPos, ok bool) {
	x, okX := intOf(compound, "x")
	y, okY := intOf(compound, "y")
	z, okZ := intOf(compound, "z")
	return BlockPos{int32(x), int32(y), int32(z)}, okX && okY && okZ
}
