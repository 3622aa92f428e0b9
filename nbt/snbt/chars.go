package snbt

import "unicode/utf8"

const (
	classBare  = 1 << iota // may stand in a bare word
	classSpace             // Java's Character.isWhitespace
	classStart             // a bare word that begins so may be a number
	classHex
	classPlain // stands for itself in a quoted string, whichever the quotes
)

// class says what a byte of a text may be.
var class = func() (t [256]uint8) {
	for c := range t {
		b := byte(c)
		switch {
		case b >= '0' && b <= '9':
			t[c] |= classBare | classStart | classHex
		case b >= 'a' && b <= 'f', b >= 'A' && b <= 'F':
			t[c] |= classBare | classHex
		case b >= 'g' && b <= 'z', b >= 'G' && b <= 'Z', b == '_':
			t[c] |= classBare
		case b == '+', b == '-', b == '.':
			t[c] |= classBare | classStart
		case b >= '\t' && b <= '\r', b >= 0x1C && b <= ' ':
			t[c] |= classSpace
		}
		if b >= ' ' && b < 0x7F && b != '"' && b != '\'' && b != '\\' {
			t[c] |= classPlain
		}
	}
	return t
}()

func is(c byte, want uint8) bool { return class[c]&want != 0 }

// bareEnd returns where the bare word at pos ends.
func bareEnd(text string, pos int) int {
	for pos < len(text) && is(text[pos], classBare) {
		pos++
	}
	return pos
}

// spaceEnd returns where the white space at pos ends: what Java's
// Character.isWhitespace takes for such, which does not include the
// non-breaking ones.
func spaceEnd(text string, pos int) int {
	for pos < len(text) {
		c := text[pos]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(text[pos:])
			if !isWideSpace(r) {
				return pos
			}
			pos += size
			continue
		}
		if !is(c, classSpace) {
			return pos
		}
		pos++
	}
	return pos
}

// isWideSpace reports whether a character beyond ASCII is white space to Java.
func isWideSpace(r rune) bool {
	switch r {
	case 0x1680, 0x2028, 0x2029, 0x205F, 0x3000:
		return true
	case 0x2007:
		return false
	}
	return r >= 0x2000 && r <= 0x200A
}

// hexValue returns the value of a hexadecimal digit.
func hexValue(c byte) uint32 {
	if c <= '9' {
		return uint32(c - '0')
	}
	return uint32(c|0x20-'a') + 10
}
