package snbt

import (
	"bytes"
	"strings"

	"strata/nbt"
)

// isJavaText reports whether a string is modified UTF-8 as Java writes it, so
// that it is the same again after it was taken apart in characters.
func isJavaText(s []byte) bool {
	for i := 0; i < len(s); {
		if s[i] < 0x80 && s[i] != 0 {
			i++
			continue
		}
		_, size := decodeUnit(s[i:])
		if size == 0 {
			return false
		}
		i += size
	}
	return true
}

// appendJSONString appends what stands between the quotes of a JSON string.
// Bytes that are no modified UTF-8 become U+FFFD.
func appendJSONString(dst, s []byte) []byte {
	for len(s) > 0 {
		i := 0
		for i < len(s) && (is(s[i], classPlain) || s[i] == '\'') {
			i++
		}
		dst = append(dst, s[:i]...)
		if s = s[i:]; len(s) == 0 {
			break
		}
		n := 1
		switch c := s[0]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == 0x7F:
			dst = append(dst, c)
		case c == '\n':
			dst = append(dst, `\n`...)
		case c == '\t':
			dst = append(dst, `\t`...)
		case c < 0x80:
			dst = appendUnitEscape(dst, uint32(c))
		default:
			dst, n = appendJSONWide(dst, s)
		}
		s = s[n:]
	}
	return dst
}

func appendUnitEscape(dst []byte, unit uint32) []byte {
	return append(dst, '\\', 'u', hexDigits[unit>>12&15], hexDigits[unit>>8&15],
		hexDigits[unit>>4&15], hexDigits[unit&15])
}

// appendJSONWide appends the character beyond ASCII at the start of s, and
// returns its size there.
func appendJSONWide(dst, s []byte) ([]byte, int) {
	switch unit, size := decodeUnit(s); {
	case size == 0:
		return append(dst, "\uFFFD"...), 1
	case unit == 0:
		return appendUnitEscape(dst, 0), size
	case unit < 0xD800 || unit > 0xDFFF:
		return append(dst, s[:size]...), size
	case unit < 0xDC00:
		if low, n := decodeUnit(s[3:]); n == 3 && low >= 0xDC00 && low <= 0xDFFF {
			return nbt.AppendUTF8(dst, s[:6]), 6
		}
		fallthrough
	default:
		return appendUnitEscape(dst, unit), 3
	}
}

// form is what a string in typed JSON stands for.
type form uint8

const (
	formPlain  form = iota
	formMarked      // 'text
	formHex         // hex'c0ff
	formNumber      // 5b
	formName        // NaNf, Infinityd, NaN:7fc00001f
	formArray       // B; first in an array
	formEmpty       // empty int, alone in an array
)

const (
	hexPrefix   = "hex'"
	emptyPrefix = "empty "
	// maxNumberText is the longest text that may be a number.
	maxNumberText = 64
)

// classify returns what a string in typed JSON, which in modified UTF-8 is s,
// stands for.
func classify(s []byte) form {
	if len(s) == 0 {
		return formPlain
	}
	switch c := s[0]; {
	case c == '\'':
		return formMarked
	case c == 'h' && bytes.HasPrefix(s, []byte(hexPrefix)):
		return formHex
	case c == 'e' && emptyType(s) != nbt.TypeEnd:
		return formEmpty
	case len(s) == 2 && s[1] == ';' && (c == 'B' || c == 'I' || c == 'L'):
		return formArray
	case len(s) > maxNumberText:
		return formPlain
	case c == 'N' || c == 'I' || c == '-' && len(s) > 1 && s[1] == 'I':
		if _, _, ok := namedFloat(string(s)); ok {
			return formName
		}
	case is(c, classStart):
		if lit, _ := scanNumber(string(s)); lit.size == len(s) && lit.kind != nbt.TypeEnd {
			return formNumber
		}
	}
	return formPlain
}

// isMarkedName reports whether a name needs a mark: names have no types.
func isMarkedName(s []byte) bool {
	return len(s) > 0 && (s[0] == '\'' || bytes.HasPrefix(s, []byte(hexPrefix)))
}

// emptyType returns the element type that "empty int" names.
func emptyType(s []byte) nbt.Type {
	if name, ok := strings.CutPrefix(string(s), emptyPrefix); ok {
		for kind := nbt.TypeByte; kind.Valid(); kind++ {
			if kind.String() == name {
				return kind
			}
		}
	}
	return nbt.TypeEnd
}
