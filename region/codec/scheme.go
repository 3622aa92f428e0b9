package codec

import (
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Scheme is a chunk record's type byte without the external flag (0x80): the
// compression of its stream. Any value can stand in a file; [Scheme.Known]
// tells which ones this package reads and writes.
type Scheme uint8

// The schemes the game defines.
const (
	Gzip Scheme = 1 // RFC 1952; the game reads it, hardly ever writes it
	Zlib Scheme = 2 // RFC 1950; the game's default
	None Scheme = 3 // the payload itself
	LZ4  Scheme = 4 // lz4-java's block stream, since 24w04a

	// Custom streams start with a modified UTF-8 name (see [CustomName]) and
	// go on as some mod pleases. They can be kept and named, not decoded.
	Custom Scheme = 127
)

// String returns "gzip", "zlib", "none", "lz4", "custom", or for any other
// value "unknown(N)".
func (s Scheme) String() string {
	switch s {
	case Gzip:
		return "gzip"
	case Zlib:
		return "zlib"
	case None:
		return "none"
	case LZ4:
		return "lz4"
	case Custom:
		return "custom"
	}
	return "unknown(" + strconv.Itoa(int(s)) + ")"
}

// Known reports whether streams of s can be encoded and decoded here.
func (s Scheme) Known() bool { return s >= Gzip && s <= LZ4 }

// ParseScheme is the inverse of [Scheme.String] for the schemes that are
// known. It also takes "deflate", the game's own name for zlib in
// server.properties. Any other name gives an error that is
// [ErrUnknownScheme].
func ParseScheme(name string) (Scheme, error) {
	switch name {
	case "gzip":
		return Gzip, nil
	case "zlib", "deflate":
		return Zlib, nil
	case "none":
		return None, nil
	case "lz4":
		return LZ4, nil
	}
	return 0, fmt.Errorf("%w %q: want zlib, gzip, lz4 or none", ErrUnknownScheme, name)
}

// CustomName returns the identifier that a stream of scheme [Custom] starts
// with: a big-endian uint16 byte count and that many bytes of Java's modified
// UTF-8. The error is an [Error] whose cause is [ErrTruncated] or
// [ErrCorrupt].
func CustomName(stream []byte) (string, error) {
	if len(stream) < 2 {
		return "", &Error{Scheme: Custom, Offset: len(stream), Err: ErrTruncated}
	}
	n := int(stream[0])<<8 | int(stream[1])
	if len(stream)-2 < n {
		return "", &Error{Scheme: Custom, Offset: len(stream), Err: ErrTruncated}
	}
	name, bad := decodeModifiedUTF8(stream[2 : 2+n])
	if bad >= 0 {
		return "", &Error{Scheme: Custom, Offset: 2 + bad, Err: ErrCorrupt, Detail: "name is not modified UTF-8"}
	}
	return name, nil
}

// decodeModifiedUTF8 returns the text, or the offset of the first byte that
// does not belong (-1 if all do). Modified UTF-8 encodes UTF-16 code units
// one by one in at most three bytes and writes NUL as two bytes; a surrogate
// without its partner becomes U+FFFD, since a Go string cannot hold it.
func decodeModifiedUTF8(b []byte) (text string, bad int) {
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); {
		unit, size := modifiedUnit(b[i:])
		if size == 0 {
			return "", i
		}
		i += size
		if utf16.IsSurrogate(unit) {
			low, lowSize := modifiedUnit(b[i:])
			unit = utf16.DecodeRune(unit, low)
			if unit != utf8.RuneError {
				i += lowSize
			}
		}
		out = utf8.AppendRune(out, unit)
	}
	return string(out), -1
}

// modifiedUnit reads one UTF-16 code unit; size 0 means malformed.
func modifiedUnit(b []byte) (unit rune, size int) {
	continues := func(i int) bool { return i < len(b) && b[i]&0xC0 == 0x80 }
	switch {
	case len(b) == 0:
		return 0, 0
	case b[0] < 0x80:
		return rune(b[0]), 1
	case b[0]&0xE0 == 0xC0 && continues(1):
		return rune(b[0]&0x1F)<<6 | rune(b[1]&0x3F), 2
	case b[0]&0xF0 == 0xE0 && continues(1) && continues(2):
		return rune(b[0]&0x0F)<<12 | rune(b[1]&0x3F)<<6 | rune(b[2]&0x3F), 3
	}
	return 0, 0
}
