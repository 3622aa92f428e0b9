package clients

import (
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// bytesOf reads bytes written in hexadecimal, with spaces and line ends.
func bytesOf(t testing.TB, digits string) []byte {
	t.Helper()
	data, err := hex.DecodeString(strings.Join(strings.Fields(digits), ""))
	if err != nil {
		t.Fatalf("%s: %v", digits, err)
	}
	return data
}

// binaryOf writes a document as the format's definition says, for documents
// that are too large to write by hand. Those written by hand check it.
func binaryOf(form Form, document Document) []byte {
	b := []byte{typeNumber(document.Root.Type)}
	if form == File {
		b = appendText(b, document.Name)
	}
	return appendPayload(b, document.Root)
}

func typeNumber(t Type) byte { return byte(slices.Index(Types[:], t)) }

func appendPayload(b []byte, v Value) []byte {
	switch v.Type {
	case TypeByte, TypeShort, TypeInt, TypeLong:
		return appendInt(b, v.Type, v.Int)
	case TypeFloat:
		return binary.BigEndian.AppendUint32(b, uint32(v.Bits))
	case TypeDouble:
		return binary.BigEndian.AppendUint64(b, v.Bits)
	case TypeString:
		return appendText(b, v.Text)
	case TypeByteArray, TypeIntArray, TypeLongArray:
		b = binary.BigEndian.AppendUint32(b, uint32(len(v.Numbers)))
		element := map[Type]Type{TypeByteArray: TypeByte, TypeIntArray: TypeInt, TypeLongArray: TypeLong}[v.Type]
		for _, n := range v.Numbers {
			b = appendInt(b, element, n)
		}
	case TypeList:
		b = append(b, typeNumber(v.Of))
		b = binary.BigEndian.AppendUint32(b, uint32(len(v.Items)))
		for _, item := range v.Items {
			b = appendPayload(b, item)
		}
	case TypeCompound:
		for _, entry := range v.Entries {
			b = append(b, typeNumber(entry.Value.Type))
			b = appendText(b, entry.Name)
			b = appendPayload(b, entry.Value)
		}
		b = append(b, 0)
	}
	return b
}

func appendInt(b []byte, t Type, n int64) []byte {
	switch t {
	case TypeByte:
		return append(b, byte(n))
	case TypeShort:
		return binary.BigEndian.AppendUint16(b, uint16(n))
	case TypeInt:
		return binary.BigEndian.AppendUint32(b, uint32(n))
	}
	return binary.BigEndian.AppendUint64(b, uint64(n))
}

// appendText writes each UTF-16 unit in one to three bytes, zero in two.
func appendText(b []byte, text Text) []byte {
	var content []byte
	for _, r := range must(text.runes()) {
		units := []uint16{uint16(r)}
		if r > 0xffff {
			units = utf16.Encode([]rune{r})
		}
		for _, u := range units {
			switch {
			case u > 0 && u < 0x80:
				content = append(content, byte(u))
			case u < 0x800:
				content = append(content, 0xc0|byte(u>>6), 0x80|byte(u&0x3f))
			default:
				content = append(content, 0xe0|byte(u>>12), 0x80|byte(u>>6&0x3f), 0x80|byte(u&0x3f))
			}
		}
	}
	return append(binary.BigEndian.AppendUint16(b, uint16(len(content))), content...)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestModifiedUTF8ReadsWhatTheFormatSays(t *testing.T) {
	for _, tc := range []struct {
		digits string
		want   Text
	}{
		{"", ""},
		{"61 7f", "a\x7f"},
		{"c080 61", "\x00a"},
		{"c280 dfbf e0a080 efbfbf", "\u0080\u07ff\u0800\uffff"},
		{"eda0bd edb880", "😀"},
		{"eda0bd 61", "\xed\xa0\xbda"},
		{"edb880 eda0bd", "\xed\xb8\x80\xed\xa0\xbd"},
	} {
		data := bytesOf(t, tc.digits)
		got, err := ModifiedUTF8(data)
		if err != nil || got != tc.want {
			t.Errorf("%s: %+q, %v; want %+q", tc.digits, got, err, tc.want)
		}
		if back := appendText(nil, got)[2:]; !slices.Equal(back, data) {
			t.Errorf("%s: written as %x", tc.digits, back)
		}
	}
	for _, digits := range []string{"00", "61 00", "80", "c1 a1", "c0 81", "c2", "e0 80 80", "e0 a0", "ed a0 41", "f0 9f 98 80", "ff"} {
		if got, err := ModifiedUTF8(bytesOf(t, digits)); err == nil {
			t.Errorf("%s: read as %+q", digits, got)
		}
	}
}
