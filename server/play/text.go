package play

import (
	"encoding/binary"
	"unicode/utf16"

	"strata/server/protocol"
)

// Tags of NBT that text components are made of.
const (
	tagEnd      = 0
	tagString   = 8
	tagList     = 9
	tagCompound = 10
)

// maxText is how many bytes of a text component's string are sent.
const maxText = 65535

// Text returns a text component that is s.
func Text(s string) protocol.NBT {
	return appendString([]byte{tagString}, s)
}

// Translated returns a component that clients word in their language, in a
// color, "" for none.
func Translated(key, color string, with ...string) protocol.NBT {
	b := appendString([]byte{tagCompound, tagString}, "translate")
	b = appendString(b, key)
	if color != "" {
		b = appendString(append(b, tagString), "color")
		b = appendString(b, color)
	}
	if len(with) > 0 {
		b = appendString(append(b, tagList), "with")
		b = append(b, tagString)
		b = binary.BigEndian.AppendUint32(b, uint32(len(with)))
		for _, w := range with {
			b = appendString(b, w)
		}
	}
	return append(b, tagEnd)
}

// appendString appends a string of NBT with its length. What is beyond the
// longest is left out.
func appendString(dst []byte, s string) []byte {
	at := len(dst)
	dst = append(dst, 0, 0)
	for _, r := range s {
		before := len(dst)
		if dst = appendRune(dst, r); len(dst)-at-2 > maxText {
			dst = dst[:before]
			break
		}
	}
	binary.BigEndian.PutUint16(dst[at:], uint16(len(dst)-at-2))
	return dst
}

// appendRune appends a character as NBT has it: NUL in two bytes, and those
// above U+FFFF as two surrogates.
func appendRune(dst []byte, r rune) []byte {
	switch {
	case r == 0 || r >= 0x80 && r < 0x800:
		return append(dst, 0xc0|byte(r>>6), 0x80|byte(r&0x3f))
	case r < 0x80:
		return append(dst, byte(r))
	case r < 0x10000:
		return append(dst, 0xe0|byte(r>>12), 0x80|byte(r>>6&0x3f), 0x80|byte(r&0x3f))
	default:
		high, low := utf16.EncodeRune(r)
		return appendRune(appendRune(dst, high), low)
	}
}
