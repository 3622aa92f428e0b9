package snbt

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"testing"

	"strata/nbt"
)

func TestTableOfNamesIsTheOneGenerated(t *testing.T) {
	if got := fmt.Sprintf("%x", sha256.Sum256(unpackNames())); got != nameTableSHA256 {
		t.Errorf("digest %s, want %s", got, nameTableSHA256)
	}
}

// tableNames returns the names in the table with their code points, read from
// end to end rather than searched.
func tableNames(tb testing.TB) map[string]uint32 {
	tb.Helper()
	all := make(map[string]uint32, 300_000)
	table := names()
	text, last := table.text, ""
	for at := range nameCount {
		shared, extra := table.shared[at], table.extra[at]
		name := last[:shared] + string(text[:extra])
		text = text[extra:]
		if name <= last || len(name) > nameLongest {
			tb.Fatalf("name %d, %q, is behind %q", at, name, last)
		}
		all[name] = table.code(at)
		last = name
	}
	if len(text) > 0 {
		tb.Fatalf("%d bytes are of no name", len(text))
	}
	for _, f := range table.families {
		for code := f.first; code < f.first+f.count; code++ {
			all[fmt.Sprintf("%s%X", f.prefix, code)] = code
		}
	}
	return all
}

// mixedCase returns a name in lower and upper case by turns.
func mixedCase(name string) string {
	mixed := []byte(strings.ToLower(name))
	for i := 1; i < len(mixed); i += 2 {
		mixed[i] = name[i]
	}
	return string(mixed)
}

func TestEveryNameIsFoundInEveryCase(t *testing.T) {
	all := tableNames(t)
	codes := map[uint32]bool{}
	for name, code := range all {
		codes[code] = true
		for i, form := range []string{name, strings.ToLower(name), mixedCase(name)} {
			// Numbered names are many and alike.
			if raceEnabled && code%16 != uint32(i) {
				continue
			}
			if got, ok := characterNamed(form); !ok || got != code {
				t.Errorf("%s is %04X (%t), want %04X", form, got, ok, code)
			}
		}
	}
	// Unicode 16.0 has 294579 code points that are characters, of private use
	// or surrogates.
	if len(all) != 294579 || len(codes) != len(all) {
		t.Errorf("%d names of %d characters", len(all), len(codes))
	}
}

func TestNamesThatAreNearlyRightAreRefused(t *testing.T) {
	for _, name := range []string{
		"", " ", "-", "A", "0", "ZZZ", "SNOWMAN ", " SNOWMAN", "SNOW MAN", "SNOWMA", "SNOWMANN",
		"LATIN  SMALL LETTER A", "LATIN-SMALL LETTER A", "LATIN SMALL LETTER", "GREEK SMALL LETTER LAMBDA",
		"CJK UNIFIED IDEOGRAPHS 3400", "CJK UNIFIED IDEOGRAPHS 04E00", "CJK UNIFIED IDEOGRAPHS A000",
		"CJK UNIFIED IDEOGRAPHS ", "CJK UNIFIED IDEOGRAPHS -4E00", "CJK UNIFIED IDEOGRAPHS 100004E00",
		"CJK UNIFIED IDEOGRAPHS 4E0G", "CJK UNIFIED IDEOGRAPH-4E00", "HANGUL SYLLABLE GA", "BASIC LATIN 41",
		"LATIN 1 SUPPLEMENT 85", "LINE FEED", "LF", "ALERT", "INDEX", "PRIVATE USE AREA D7FF", "TANGUT 187F8",
		strings.Repeat("A", 1<<16), strings.Repeat(" ", 1<<16),
	} {
		_, ok := characterNamed(name)
		// Spaces around a name do no harm.
		if want := strings.TrimSpace(name) == "SNOWMAN"; ok != want {
			t.Errorf("%.40q: found %t, want %t", name, ok, want)
		}
	}
}

func TestCharacterNamesAreReadButNotPrinted(t *testing.T) {
	text := `{'\N{Snowman}':"a\N{grinning face}\N{LINE TABULATION}\N{high surrogates d83d}\N{LOW SURROGATES DE00}"}`
	raw, err := Parse(text, nbt.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := AppendRaw(nil, raw, nbt.Limits{}, Compact)
	if want := `{"☃":"a😀\x0b😀"}`; err != nil || string(got) != want {
		t.Errorf("got %s (%v), want %s", got, err, want)
	}
}

func TestUnknownCharacterNameSaysSo(t *testing.T) {
	_, err := Parse("[a,\n'b\\N{SNOWWOMAN}']", nbt.Limits{})
	var syntax *SyntaxError
	if !errors.As(err, &syntax) || !errors.Is(err, ErrCharacterName) || syntax.Line != 2 || syntax.Column != 3 {
		t.Errorf("got %v", err)
	}
}

func BenchmarkCharacterName(b *testing.B) {
	b.Run("single", func(b *testing.B) {
		for b.Loop() {
			characterNamed("Latin Small Letter A with Circumflex and Hook Above")
		}
	})
	b.Run("numbered", func(b *testing.B) {
		for b.Loop() {
			characterNamed("CJK Unified Ideographs 4E00")
		}
	})
	b.Run("unpack", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			newNameTable(unpackNames())
		}
	})
}
