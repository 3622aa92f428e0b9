package snbt

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"strconv"

	"strata/nbt"
)

// AppendJSON appends a tag to dst as JSON on one line, in a form of which
// [ParseJSON] makes the same payload again; nothing if it does not exist. The
// package documentation describes the form. A name at the root is not written.
func AppendJSON(dst []byte, tag nbt.Tag) []byte {
	if !tag.Exists() {
		return dst
	}
	return appendJSON(dst, tag)
}

func appendJSON(dst []byte, t nbt.Tag) []byte {
	switch t.Type() {
	case nbt.TypeInt:
		v, _ := t.Int()
		return strconv.AppendInt(dst, v, 10)
	case nbt.TypeFloat, nbt.TypeDouble:
		return append(appendFloatText(append(dst, '"'), t), '"')
	case nbt.TypeString:
		text, _ := t.Bytes()
		return appendJSONText(dst, text, classify(text) != formPlain)
	case nbt.TypeByteArray:
		v, _ := t.ByteArray()
		return appendJSONArray(dst, t.Type(), v)
	case nbt.TypeIntArray:
		v, _ := t.IntArray()
		return appendJSONArray(dst, t.Type(), v.Bytes())
	case nbt.TypeLongArray:
		v, _ := t.LongArray()
		return appendJSONArray(dst, t.Type(), v.Bytes())
	case nbt.TypeList:
		return appendJSONList(dst, t)
	case nbt.TypeCompound:
		dst = append(dst, '{')
		comma := false
		for name, member := range t.Members() {
			if comma {
				dst = append(dst, ',')
			}
			comma = true
			dst = append(appendJSONText(dst, name, isMarkedName(name)), ':')
			dst = appendJSON(dst, member)
		}
		return append(dst, '}')
	}
	v, _ := t.Int()
	return append(appendSuffixed(append(dst, '"'), v, t.Type()), '"')
}

func appendJSONList(dst []byte, t nbt.Tag) []byte {
	if t.Len() == 0 && t.Elem() != nbt.TypeEnd {
		dst = append(dst, `["empty `...)
		return append(append(dst, t.Elem().String()...), `"]`...)
	}
	dst = append(dst, '[')
	for i, item := range t.Items() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendJSON(dst, item)
	}
	return append(dst, ']')
}

func appendJSONArray(dst []byte, kind nbt.Type, data []byte) []byte {
	switch kind {
	case nbt.TypeByteArray:
		dst = append(dst, `["B;"`...)
		for _, v := range data {
			text := byteTexts[v]
			dst = append(append(dst, ','), text[:len(text)-1]...)
		}
	case nbt.TypeIntArray:
		dst = append(dst, `["I;"`...)
		for ; len(data) > 0; data = data[4:] {
			dst = strconv.AppendInt(append(dst, ','), int64(int32(binary.BigEndian.Uint32(data))), 10)
		}
	default:
		dst = append(dst, `["L;"`...)
		for ; len(data) > 0; data = data[8:] {
			dst = strconv.AppendInt(append(dst, `,"`...), int64(binary.BigEndian.Uint64(data)), 10)
			dst = append(dst, '"')
		}
	}
	return append(dst, ']')
}

// appendFloatText appends a float or double with its suffix.
func appendFloatText(dst []byte, t nbt.Tag) []byte {
	size, letter, usual := 32, byte('f'), uint64(javaNaN32)
	if t.Type() == nbt.TypeDouble {
		size, letter, usual = 64, 'd', javaNaN64
	}
	switch v, _ := t.Float(); {
	case math.IsInf(v, 1):
		dst = append(dst, "Infinity"...)
	case math.IsInf(v, -1):
		dst = append(dst, "-Infinity"...)
	case math.IsNaN(v):
		dst = append(dst, "NaN"...)
		// v may be another NaN than the document has: floats were converted.
		if bits := bigEndian(t.Raw().Data); bits != usual {
			dst = strconv.AppendUint(append(dst, ':'), bits, 16)
		}
	default:
		dst = appendJavaFloat(dst, v, size)
	}
	return append(dst, letter)
}

// bigEndian returns the number that up to eight bytes are.
func bigEndian(data []byte) (v uint64) {
	for _, b := range data {
		v = v<<8 | uint64(b)
	}
	return v
}

// appendJSONText appends a string or name in modified UTF-8, marked so that it
// is not read as something else.
func appendJSONText(dst, s []byte, mark bool) []byte {
	if !isJavaText(s) {
		dst = append(dst, `"hex'`...)
		return append(hex.AppendEncode(dst, s), '"')
	}
	dst = append(dst, '"')
	if mark {
		dst = append(dst, '\'')
	}
	return append(appendJSONString(dst, s), '"')
}
