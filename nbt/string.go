package nbt

import (
	"encoding/binary"
	"unicode/utf8"
)

// Strings in a document are in Java's modified UTF-8 (DataInput.readUTF): NUL
// is C0 80, and characters beyond U+FFFF are two surrogates of three bytes
// each. In Go they are UTF-8, in which a surrogate without its partner keeps
// its three bytes, so that every valid string survives both ways.

// AppendUTF8 appends a string in modified UTF-8 as UTF-8. Bytes that are
// neither are copied as they are.
func AppendUTF8(dst, modified []byte) []byte {
	for len(modified) > 0 {
		plain := asciiPrefix(modified)
		dst = append(dst, modified[:plain]...)
		if modified = modified[plain:]; len(modified) == 0 {
			break
		}
		switch {
		case modified[0] == 0xC0 && len(modified) > 1 && modified[1] == 0x80:
			dst, modified = append(dst, 0), modified[2:]
		case isSurrogate(modified, 0xA0) && isSurrogate(modified[3:], 0xB0):
			high := rune(modified[1]&0x0F)<<6 | rune(modified[2]&0x3F)
			low := rune(modified[4]&0x0F)<<6 | rune(modified[5]&0x3F)
			dst = utf8.AppendRune(dst, 0x10000+high<<10+low)
			modified = modified[6:]
		default:
			dst, modified = append(dst, modified[0]), modified[1:]
		}
	}
	return dst
}

// AppendModifiedUTF8 appends a string in UTF-8 as modified UTF-8: the reverse
// of [AppendUTF8].
func AppendModifiedUTF8[S ~string | ~[]byte](dst []byte, s S) []byte {
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == 0:
			dst = append(dst, 0xC0, 0x80)
			i++
		case c >= 0xF0 && i+4 <= len(s):
			r, size := utf8.DecodeRuneInString(string(s[i : i+4]))
			if size != 4 {
				dst = append(dst, c)
				i++
				break
			}
			r -= 0x10000
			dst = append(dst,
				0xED, 0xA0|byte(r>>16), 0x80|byte(r>>10)&0x3F,
				0xED, 0xB0|byte(r>>6)&0x0F, 0x80|byte(r)&0x3F)
			i += 4
		default:
			dst = append(dst, c)
			i++
		}
	}
	return dst
}

// ModifiedSize returns how many bytes s takes in modified UTF-8.
func ModifiedSize[S ~string | ~[]byte](s S) int {
	n := len(s)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == 0:
			n++
		case c >= 0xF0 && i+4 <= len(s):
			if _, size := utf8.DecodeRuneInString(string(s[i : i+4])); size == 4 {
				n += 2
				i += 3
			}
		}
	}
	return n
}

// ValidModifiedUTF8 reports whether Java would read the string: it refuses
// bytes of 80 to BF and F0 to FF as first bytes, and characters cut off.
func ValidModifiedUTF8(s []byte) bool {
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c < 0x80:
			i++
		case c >= 0xC0 && c < 0xE0:
			if i+1 >= len(s) || s[i+1]&0xC0 != 0x80 {
				return false
			}
			i += 2
		case c >= 0xE0 && c < 0xF0:
			if i+2 >= len(s) || s[i+1]&0xC0 != 0x80 || s[i+2]&0xC0 != 0x80 {
				return false
			}
			i += 3
		default:
			return false
		}
	}
	return true
}

// asciiPrefix returns how many bytes at the start of s are below 80, which
// stand for themselves.
func asciiPrefix(s []byte) int {
	i := 0
	for ; i+8 <= len(s); i += 8 {
		if binary.LittleEndian.Uint64(s[i:])&0x8080808080808080 != 0 {
			break
		}
	}
	for i < len(s) && s[i] < 0x80 {
		i++
	}
	return i
}

// isSurrogate reports whether s begins with a surrogate of three bytes: a high
// one for second A0, a low one for B0.
func isSurrogate(s []byte, second byte) bool {
	return len(s) >= 3 && s[0] == 0xED && s[1]&0xF0 == second && s[2]&0xC0 == 0x80
}

// text returns a string in modified UTF-8 as a Go string.
func text(modified []byte) string {
	if asciiPrefix(modified) == len(modified) {
		return string(modified)
	}
	return string(AppendUTF8(make([]byte, 0, len(modified)), modified))
}

// equalText reports whether a string in modified UTF-8 equals s, without
// allocating where both are the same bytes or ASCII.
func equalText(modified []byte, s string) bool {
	if string(modified) == s {
		return true
	}
	if asciiPrefix(modified) == len(modified) {
		return false
	}
	return text(modified) == s
}

// isPlain reports whether s is the same in UTF-8 and modified UTF-8: it has no
// NUL and nothing beyond U+FFFF.
func isPlain(s string) bool {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for len(s) >= 8 {
		word := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		// A byte of 0, or one of 80 and more, sets its high bit.
		if ((word-ones)|word)&highs != 0 {
			return isPlainSlow(s)
		}
		s = s[8:]
	}
	return isPlainSlow(s)
}

func isPlainSlow(s string) bool {
	for i := range len(s) {
		if c := s[i]; c == 0 || c >= 0xF0 {
			return false
		}
	}
	return true
}
