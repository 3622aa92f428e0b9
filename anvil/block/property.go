package block

import (
	"encoding/binary"
	"slices"
)

// Property is a named choice that a block's states differ in.
type Property struct {
	Name string
	// Values are in the order of the state numbers.
	Values []string

	// What Resolve compares first: most texts differ in it, and the values'
	// lie side by side.
	nameHead   uint64
	valueHeads []uint64
}

func newProperty(name string, values []string) Property {
	p := Property{Name: name, Values: values, nameHead: head([]byte(name))}
	for _, v := range values {
		p.valueHeads = append(p.valueHeads, head([]byte(v)))
	}
	return p
}

// Index returns the place of value in Values, or -1.
func (p *Property) Index(value string) int { return slices.Index(p.Values, value) }

// find is Index for a view of a larger buffer.
func (p *Property) find(value []byte) int {
	h := head(value)
	for i, v := range p.valueHeads {
		if v == h && p.Values[i] == string(value) {
			return i
		}
	}
	return -1
}

// head packs up to eight bytes of a text; those of equal texts are equal.
func head(b []byte) uint64 {
	switch n := len(b); {
	case n >= 8:
		return binary.LittleEndian.Uint64(b)
	case n >= 4:
		return uint64(binary.LittleEndian.Uint32(b)) | uint64(binary.LittleEndian.Uint32(b[n-4:]))<<32
	case n > 0:
		return uint64(b[0]) | uint64(b[n/2])<<8 | uint64(b[n-1])<<16
	}
	return 0
}
