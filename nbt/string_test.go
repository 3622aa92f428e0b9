package nbt

import (
	"bytes"
	"encoding/hex"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

func TestModifiedUTF8(t *testing.T) {
	for _, test := range []struct{ text, modified string }{
		{"", ""},
		{"minecraft:stone", "minecraft:stone"},
		{"a\x00b", "a\xc0\x80b"},
		{"ü€", "\xc3\xbc\xe2\x82\xac"},
		{"😀", "\xed\xa0\xbd\xed\xb8\x80"},
		{"x\U0010FFFFy", "x\xed\xaf\xbf\xed\xbf\xbfy"},
		{"\xed\xa0\xbd", "\xed\xa0\xbd"},   // a high surrogate alone
		{"\xed\xb8\x80!", "\xed\xb8\x80!"}, // a low one
		{"\xff\x80", "\xff\x80"},           // no text at all
	} {
		if got := string(AppendUTF8(nil, []byte(test.modified))); got != test.text {
			t.Errorf("%x is %q, want %q", test.modified, got, test.text)
		}
		if got := string(AppendModifiedUTF8(nil, test.text)); got != test.modified {
			t.Errorf("%q is %x, want %x", test.text, got, test.modified)
		}
		if n := ModifiedSize(test.text); n != len(test.modified) {
			t.Errorf("size of %q is %d, want %d", test.text, n, len(test.modified))
		}
		if !equalText([]byte(test.modified), test.text) || equalText([]byte(test.modified), test.text+"x") {
			t.Errorf("equalText is wrong for %q", test.text)
		}
		if plain := test.text == test.modified && utf8.ValidString(test.text); plain && !isPlain(test.text) {
			t.Errorf("%q is plain", test.text)
		}
	}
	for modified, want := range map[string]bool{
		"": true, "abc": true, "\xc0\x80": true, "\xed\xa0\xbd": true, "\x00": true,
		"\x80": false, "\xc3": false, "\xe2\x82": false, "\xf0\x9f\x98\x80": false, "\xff": false, "\xc3\x28": false,
	} {
		if ValidModifiedUTF8([]byte(modified)) != want {
			t.Errorf("valid %x: %t", modified, !want)
		}
	}
}

// javaUTF encodes characters one UTF-16 unit at a time, as DataOutput.writeUTF
// is described.
func javaUTF(s string) []byte {
	var out []byte
	for _, unit := range utf16.Encode([]rune(s)) {
		switch {
		case unit >= 1 && unit <= 0x7f:
			out = append(out, byte(unit))
		case unit <= 0x7ff:
			out = append(out, 0xC0|byte(unit>>6), 0x80|byte(unit)&0x3F)
		default:
			out = append(out, 0xE0|byte(unit>>12), 0x80|byte(unit>>6)&0x3F, 0x80|byte(unit)&0x3F)
		}
	}
	return out
}

func FuzzModifiedUTF8(f *testing.F) {
	f.Add("plain")
	f.Add("ü\x00😀")
	f.Add("\xed\xa0\xbd\xed\xb8\x80 \xf0\x9f")
	f.Fuzz(func(t *testing.T, s string) {
		modified := AppendModifiedUTF8(nil, s)
		if n := ModifiedSize(s); n != len(modified) {
			t.Fatalf("size %d, want %d", n, len(modified))
		}
		if utf8.ValidString(s) {
			if want := javaUTF(s); !bytes.Equal(modified, want) {
				t.Fatalf("%q is %x, want %x", s, modified, want)
			}
			if back := string(AppendUTF8(nil, modified)); back != s {
				t.Fatalf("%q comes back as %q", s, back)
			}
			if !ValidModifiedUTF8(modified) {
				t.Fatalf("%x is not valid", modified)
			}
		}
		// The other way: what Java may have written survives.
		if ValidModifiedUTF8([]byte(s)) {
			back := AppendModifiedUTF8(nil, AppendUTF8(nil, []byte(s)))
			if canonical := !bytes.Contains([]byte(s), []byte{0}); canonical && string(back) != s {
				t.Fatalf("%s comes back as %x", hex.EncodeToString([]byte(s)), back)
			}
		}
	})
}
