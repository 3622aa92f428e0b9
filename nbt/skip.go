package nbt

import "encoding/binary"

// skipValid returns the end of a payload of the given type at pos, in a
// document that a tape was made of: it checks nothing.
func skipValid(data []byte, pos int, kind Type) int {
	if size := numberSize[kind]; size != 0 {
		return pos + int(size)
	}
	switch kind {
	case TypeString:
		return pos + 2 + int(binary.BigEndian.Uint16(data[pos:]))
	case TypeByteArray, TypeIntArray, TypeLongArray:
		return pos + 4 + int(binary.BigEndian.Uint32(data[pos:]))<<elementShift[kind]
	case TypeList:
		elem, count := Type(data[pos]), int(binary.BigEndian.Uint32(data[pos+1:]))
		pos += 5
		if size := numberSize[elem]; size != 0 {
			return pos + count*int(size)
		}
		for range count {
			pos = skipValid(data, pos, elem)
		}
	case TypeCompound:
		for {
			member := Type(data[pos])
			if member == TypeEnd {
				return pos + 1
			}
			pos = skipValid(data, pos+3+int(binary.BigEndian.Uint16(data[pos+1:])), member)
		}
	}
	return pos
}
