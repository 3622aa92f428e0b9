package snbt

import (
	"math"
	"strconv"

	"strata/nbt"
)

// AppendPlainJSON appends a tag to dst as JSON without types, for tools that
// only look: every number is a JSON number (longs with all their digits, which
// JavaScript rounds; NaN and infinities are null), every list and array an
// array, and bytes of a string that are no characters are U+FFFD. Members with
// the same name are all written. There is no way back; see [AppendJSON].
func AppendPlainJSON(dst []byte, tag nbt.Tag) []byte {
	switch tag.Type() {
	case nbt.TypeEnd:
		return dst
	case nbt.TypeFloat:
		return appendPlainFloat(dst, tag, 32)
	case nbt.TypeDouble:
		return appendPlainFloat(dst, tag, 64)
	case nbt.TypeString:
		text, _ := tag.Bytes()
		return append(appendJSONString(append(dst, '"'), text), '"')
	case nbt.TypeByteArray:
		v, _ := tag.ByteArray()
		return appendPlainArray(dst, v, 1)
	case nbt.TypeIntArray:
		v, _ := tag.IntArray()
		return appendPlainArray(dst, v.Bytes(), 4)
	case nbt.TypeLongArray:
		v, _ := tag.LongArray()
		return appendPlainArray(dst, v.Bytes(), 8)
	case nbt.TypeList:
		return appendPlainList(dst, tag)
	case nbt.TypeCompound:
		dst = append(dst, '{')
		comma := false
		for name, member := range tag.Members() {
			if comma {
				dst = append(dst, ',')
			}
			comma = true
			dst = append(appendJSONString(append(dst, '"'), name), `":`...)
			dst = AppendPlainJSON(dst, member)
		}
		return append(dst, '}')
	}
	v, _ := tag.Int()
	return strconv.AppendInt(dst, v, 10)
}

func appendPlainFloat(dst []byte, t nbt.Tag, size int) []byte {
	v, _ := t.Float()
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return append(dst, "null"...)
	}
	return appendJavaFloat(dst, v, size)
}

func appendPlainList(dst []byte, t nbt.Tag) []byte {
	dst = append(dst, '[')
	for i, item := range t.Items() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendPlainJSON(dst, item)
	}
	return append(dst, ']')
}

// appendPlainArray appends big-endian integers of the given size in bytes.
func appendPlainArray(dst, data []byte, size int) []byte {
	dst = append(dst, '[')
	shift := 64 - 8*size
	for i := 0; i < len(data); i += size {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(dst, int64(bigEndian(data[i:i+size])<<shift)>>shift, 10)
	}
	return append(dst, ']')
}
