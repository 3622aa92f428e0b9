package snbt

import (
	"strings"

	"strata/nbt"
)

const hexDigits = "0123456789abcdef"

// appendQuoted appends a string, given in modified UTF-8, in quotes: double
// ones, or single ones if the first quote in it is a double one, as the game
// does. The text is valid UTF-8 whatever the string.
func appendQuoted(dst, s []byte) []byte {
	i := 0
	for i < len(s) && is(s[i], classPlain) {
		i++
	}
	if i == len(s) {
		dst = append(dst, '"')
		dst = append(dst, s...)
		return append(dst, '"')
	}
	quote := byte('"')
	for _, c := range s[i:] {
		if c == '"' {
			quote = '\''
		}
		if c == '"' || c == '\'' {
			break
		}
	}
	dst = append(dst, quote)
	for len(s) > 0 {
		i := 0
		for i < len(s) && is(s[i], classPlain) {
			i++
		}
		dst = append(dst, s[:i]...)
		if s = s[i:]; len(s) == 0 {
			break
		}
		n := 1
		switch c := s[0]; {
		case c == quote || c == '\\':
			dst = append(dst, '\\', c)
		case c >= ' ' && c < 0x7F:
			dst = append(dst, c) // the other quote
		case c == 0:
			dst = appendByteEscape(dst, 'z', 0) // not as Java writes it
		case c < 0x80:
			dst = appendControl(dst, c)
		default:
			dst, n = appendWide(dst, s)
		}
		s = s[n:]
	}
	return append(dst, quote)
}

// appendControl appends the escape of a control character.
func appendControl(dst []byte, c byte) []byte {
	switch c {
	case '\n':
		return append(dst, `\n`...)
	case '\t':
		return append(dst, `\t`...)
	case '\r':
		return append(dst, `\r`...)
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	}
	return appendByteEscape(dst, 'x', c)
}

func appendByteEscape(dst []byte, letter, c byte) []byte {
	return append(dst, '\\', letter, hexDigits[c>>4], hexDigits[c&15])
}

// appendWide appends the character beyond ASCII at the start of s, and returns
// its size there: as it is; a surrogate that stands alone as \u; a control
// character as \x; and a byte of what is no character, or no proper spelling
// of one, as \z.
func appendWide(dst, s []byte) ([]byte, int) {
	switch unit, size := decodeUnit(s); {
	case size == 0:
		return appendByteEscape(dst, 'z', s[0]), 1
	case unit < 0xA0:
		return appendByteEscape(dst, 'x', byte(unit)), size
	case unit < 0xD800 || unit > 0xDFFF:
		return append(dst, s[:size]...), size
	case unit < 0xDC00:
		if low, n := decodeUnit(s[3:]); n == 3 && low >= 0xDC00 && low <= 0xDFFF {
			return nbt.AppendUTF8(dst, s[:6]), 6
		}
		fallthrough
	default:
		return append(dst, '\\', 'u', hexDigits[unit>>12], hexDigits[unit>>8&15],
			hexDigits[unit>>4&15], hexDigits[unit&15]), 3
	}
}

// decodeUnit returns the unit of UTF-16 that s begins with, not in ASCII but
// for NUL, and its size; 0 if there is none or it is not spelled as Java does.
func decodeUnit(s []byte) (unit uint32, size int) {
	switch {
	case len(s) >= 2 && s[0]&0xE0 == 0xC0 && s[1]&0xC0 == 0x80:
		unit = uint32(s[0]&0x1F)<<6 | uint32(s[1]&0x3F)
		if unit >= 0x80 || unit == 0 {
			return unit, 2
		}
	case len(s) >= 3 && s[0]&0xF0 == 0xE0 && s[1]&0xC0 == 0x80 && s[2]&0xC0 == 0x80:
		unit = uint32(s[0]&0x0F)<<12 | uint32(s[1]&0x3F)<<6 | uint32(s[2]&0x3F)
		if unit >= 0x800 {
			return unit, 3
		}
	}
	return 0, 0
}

// appendKey appends a name, in quotes unless every version of the game since
// 1.12 reads it as a name without: letters, digits and _ . + -, the first of
// them a letter or _, and not true or false.
func appendKey(dst, name []byte) []byte {
	if isBareKey(name) {
		return append(dst, name...)
	}
	return appendQuoted(dst, name)
}

// isBareKey reports whether [Append] prints a name, given in modified UTF-8,
// without quotes.
func isBareKey(name []byte) bool {
	if len(name) == 0 || is(name[0], classStart) {
		return false
	}
	for _, c := range name {
		if !is(c, classBare) {
			return false
		}
	}
	return len(name) < 4 || len(name) > 5 ||
		!strings.EqualFold(string(name), "true") && !strings.EqualFold(string(name), "false")
}
