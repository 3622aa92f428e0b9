package chunk

import (
	"encoding/binary"

	"strata/nbt"
)

// What is walked here was checked before, by nbt.ScanRoot or nbt.Tape.

// fixedSize is the payload's size of numbers.
var fixedSize = [256]uint8{nbt.TypeByte: 1, nbt.TypeShort: 2, nbt.TypeInt: 4, nbt.TypeLong: 8, nbt.TypeFloat: 4, nbt.TypeDouble: 8}

// memberAt reads type and name of the member at pos, and returns where its
// payload begins. The type is End at the end of the compound.
func memberAt(data []byte, pos int) (kind nbt.Type, name []byte, payload int) {
	kind = nbt.Type(data[pos])
	if kind == nbt.TypeEnd {
		return kind, nil, pos + 1
	}
	payload = pos + 3 + int(binary.BigEndian.Uint16(data[pos+1:]))
	return kind, data[pos+3 : payload], payload
}

// skip returns the end of the payload at pos.
func skip(data []byte, pos int, kind nbt.Type) int {
	if n := fixedSize[kind]; n != 0 {
		return pos + int(n)
	}
	switch kind {
	case nbt.TypeString:
		return pos + 2 + int(binary.BigEndian.Uint16(data[pos:]))
	case nbt.TypeByteArray:
		return pos + 4 + int(binary.BigEndian.Uint32(data[pos:]))
	case nbt.TypeIntArray:
		return pos + 4 + 4*int(binary.BigEndian.Uint32(data[pos:]))
	case nbt.TypeLongArray:
		return pos + 4 + 8*int(binary.BigEndian.Uint32(data[pos:]))
	case nbt.TypeList:
		elem, n := listHead(data, pos)
		pos += 5
		if size := fixedSize[elem]; size != 0 {
			return pos + n*int(size)
		}
		for range n {
			pos = skip(data, pos, elem)
		}
		return pos
	}
	for {
		kind, _, at := memberAt(data, pos)
		if kind == nbt.TypeEnd {
			return at
		}
		pos = skip(data, at, kind)
	}
}

// listHead reads type and number of a list's elements.
func listHead(data []byte, pos int) (elem nbt.Type, n int) {
	return nbt.Type(data[pos]), int(binary.BigEndian.Uint32(data[pos+1:]))
}
