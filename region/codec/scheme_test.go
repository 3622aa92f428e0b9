package codec

import (
	"errors"
	"testing"
)

func TestSchemesAndLevelsParseTheirOwnText(t *testing.T) {
	for s := range Scheme(0xFF) {
		got, err := ParseScheme(s.String())
		if s.Known() != (err == nil) || s.Known() && got != s {
			t.Errorf("ParseScheme(%q) = %v, %v", s, got, err)
		}
		if err != nil && !errors.Is(err, ErrUnknownScheme) {
			t.Errorf("ParseScheme(%q): %v", s, err)
		}
	}
	for l := Sector; l <= MaxLevel; l++ {
		if got, err := ParseLevel(l.String()); err != nil || got != l {
			t.Errorf("ParseLevel(%q) = %v, %v", l, got, err)
		}
	}
}

func TestSchemeNames(t *testing.T) {
	for s, want := range map[Scheme]string{
		Gzip: "gzip", Zlib: "zlib", None: "none", LZ4: "lz4", Custom: "custom", 57: "unknown(57)", 0: "unknown(0)", 0x82: "unknown(130)",
	} {
		if got := s.String(); got != want {
			t.Errorf("Scheme(%d) is %q, want %q", uint8(s), got, want)
		}
	}
	if s, err := ParseScheme("deflate"); s != Zlib || err != nil {
		t.Errorf("the game's name for zlib: got %v, %v", s, err)
	}
}

func TestParseLevelRefusesOtherText(t *testing.T) {
	for _, text := range []string{"", "0", "13", "-1", "+5", "05", "5 ", "Sector", "fast", "99999999999999999999"} {
		if l, err := ParseLevel(text); !errors.Is(err, ErrUnknownLevel) {
			t.Errorf("ParseLevel(%q) = %v, %v", text, l, err)
		}
	}
}

func TestNewEncoderRefusesUnknownSchemesAndLevels(t *testing.T) {
	for _, s := range []Scheme{0, 5, Custom, 0x82} {
		if _, err := NewEncoder(s, 6); !errors.Is(err, ErrUnknownScheme) {
			t.Errorf("scheme %v: got %v", s, err)
		}
	}
	for _, l := range []Level{-1, 13, 100} {
		for _, s := range []Scheme{Zlib, None} {
			if _, err := NewEncoder(s, l); !errors.Is(err, ErrUnknownLevel) {
				t.Errorf("level %v: got %v", l, err)
			}
		}
	}
}

func TestCustomNameReadsModifiedUTF8(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "\x00\x08mod:zstdrest of the stream", "mod:zstd"},
		{"empty", "\x00\x00", ""},
		{"two-byte NUL", "\x00\x04a\xc0\x80b", "a\x00b"},
		{"two bytes", "\x00\x02\xc3\xa9", "é"},
		{"three bytes", "\x00\x03\xe2\x98\x83", "☃"},
		{"surrogate pair", "\x00\x06\xed\xa0\xbd\xed\xb8\x80", "😀"},
		{"lone high surrogate", "\x00\x04\xed\xa0\xbdx", "\uFFFDx"},
		{"lone low surrogate", "\x00\x03\xed\xb8\x80", "\uFFFD"},
		{"high surrogate before a pair", "\x00\x09\xed\xa0\xbd\xed\xa0\xbd\xed\xb8\x80", "\uFFFD😀"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := CustomName([]byte(tt.in)); err != nil || got != tt.want {
				t.Errorf("got %q, %v, want %q", got, err, tt.want)
			}
		})
	}
}

func TestCustomNameRefusesDamage(t *testing.T) {
	tests := []struct {
		in     string
		want   error
		offset int
	}{
		{"", ErrTruncated, 0},
		{"\x00", ErrTruncated, 1},
		{"\x00\x05abcd", ErrTruncated, 6},
		{"\xff\xff", ErrTruncated, 2},
		{"\x00\x02a\x80", ErrCorrupt, 3},
		{"\x00\x02a\xc3", ErrCorrupt, 3},
		{"\x00\x01\xc3\xa9", ErrCorrupt, 2}, // the rest lies behind the name
		{"\x00\x04\xf0\x9f\x98\x80", ErrCorrupt, 2},
	}
	for _, tt := range tests {
		_, err := CustomName([]byte(tt.in))
		var e *Error
		if !errors.As(err, &e) || !errors.Is(err, tt.want) || e.Offset != tt.offset || e.Scheme != Custom {
			t.Errorf("CustomName(%q): got %v, want %v at offset %d", tt.in, err, tt.want, tt.offset)
		}
	}
}
