package bench

import (
	"encoding/binary"
	"errors"

	"strata/nbt"
)

// errNotWhole means that a document ends early, or has lengths that cannot be.
var errNotWhole = errors.New("not a whole NBT document")

// tagCounter counts tags one at a time, with nothing of package nbt but the
// numbers of its types: the judge of what a tape has found.
type tagCounter struct {
	data []byte // what is left
	tags int    // all but the numbers of lists
	bad  bool
}

// countTags returns how many tags the document has, the numbers of lists left
// out, and how many bytes.
func countTags(document []byte) (tags, size int, err error) {
	c := tagCounter{data: document, tags: 1}
	kind := c.kind()
	c.take(c.short())
	c.payload(kind)
	if c.bad {
		return 0, 0, errNotWhole
	}
	return c.tags, len(document) - len(c.data), nil
}

// take returns the next n bytes. Where there are not so many it returns nil,
// and nothing is left.
func (c *tagCounter) take(n int) []byte {
	if n < 0 || n > len(c.data) {
		c.data, c.bad = nil, true
		return nil
	}
	b := c.data[:n]
	c.data = c.data[n:]
	return b
}

// kind returns the next byte as a type, End where there is none.
func (c *tagCounter) kind() nbt.Type {
	b := c.take(1)
	if b == nil {
		return nbt.TypeEnd
	}
	return nbt.Type(b[0])
}

func (c *tagCounter) short() int {
	b := c.take(2)
	if b == nil {
		return 0
	}
	return int(binary.BigEndian.Uint16(b))
}

func (c *tagCounter) int() int {
	b := c.take(4)
	if b == nil {
		return 0
	}
	return int(int32(binary.BigEndian.Uint32(b)))
}

func (c *tagCounter) payload(kind nbt.Type) {
	switch kind {
	case nbt.TypeByte:
		c.take(1)
	case nbt.TypeShort:
		c.take(2)
	case nbt.TypeInt, nbt.TypeFloat:
		c.take(4)
	case nbt.TypeLong, nbt.TypeDouble:
		c.take(8)
	case nbt.TypeString:
		c.take(c.short())
	case nbt.TypeByteArray:
		c.take(c.int())
	case nbt.TypeIntArray:
		c.take(4 * c.int())
	case nbt.TypeLongArray:
		c.take(8 * c.int())
	case nbt.TypeList:
		c.list()
	case nbt.TypeCompound:
		for {
			member := c.kind()
			if member == nbt.TypeEnd {
				return
			}
			c.tags++
			c.take(c.short())
			c.payload(member)
		}
	default:
		c.bad = true
	}
}

func (c *tagCounter) list() {
	elem, n := c.kind(), c.int()
	for i := 0; i < n && !c.bad; i++ {
		if !elem.Numeric() {
			c.tags++
		}
		c.payload(elem)
	}
}
