package datapack

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestPackMetaInAllItsForms(t *testing.T) {
	r := func(a, b, c, d int) FormatRange { return FormatRange{Format{a, b}, Format{c, d}} }
	for text, want := range map[string]FormatRange{
		`{"pack":{"description":"x","pack_format":48}}`:                                                               r(48, 0, 48, anyMinor),
		`{"pack":{"pack_format":48,"supported_formats":[48,81]}}`:                                                     r(48, 0, 81, anyMinor),
		`{"pack":{"pack_format":48,"supported_formats":57}}`:                                                          r(57, 0, 57, anyMinor),
		`{"pack":{"pack_format":48,"supported_formats":{"min_inclusive":18,"max_inclusive":57}}}`:                     r(18, 0, 57, anyMinor),
		`{"pack":{"min_format":88,"max_format":107}}`:                                                                 r(88, 0, 107, anyMinor),
		`{"pack":{"min_format":[88],"max_format":[107]}}`:                                                             r(88, 0, 107, anyMinor),
		`{"pack":{"min_format":[107,1],"max_format":[107,1]}}`:                                                        r(107, 1, 107, 1),
		`{"pack":{"pack_format":48,"supported_formats":[48,81],"min_format":48,"max_format":[107,1],"unknown":true}}`: r(48, 0, 107, 1),
	} {
		m, err := ParseMeta([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if m.Formats != want {
			t.Errorf("%s: %s, want %s", text, m.Formats, want)
		}
	}
	m, err := ParseMeta([]byte(`{"pack":{"description":{"text":"a"},"min_format":[107,1],"max_format":107},
		"features":{"enabled":["minecraft:x"]},
		"filter":{"block":[{"namespace":"a.c"},{"path":"^b$"}]},
		"overlays":{"entries":[{"directory":"o_1-x","formats":[1,2]},{"directory":"p","min_format":3,"max_format":4}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := &Meta{
		Description: []byte(`{"text":"a"}`), Formats: r(107, 1, 107, anyMinor), Features: []string{"minecraft:x"},
		Filters:  []Filter{{Namespace: regexp.MustCompile("a.c")}, {Path: regexp.MustCompile("^b$")}},
		Overlays: []Overlay{{"o_1-x", r(1, 0, 2, anyMinor)}, {"p", r(3, 0, 4, anyMinor)}},
	}
	same := cmp.Comparer(func(a, b *regexp.Regexp) bool {
		return (a == nil) == (b == nil) && (a == nil || a.String() == b.String())
	})
	if diff := cmp.Diff(want, m, same, cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
}

func TestDamagedPackMetaIsRefused(t *testing.T) {
	pack := `"pack":{"pack_format":48}`
	for text, says := range map[string]string{
		``:                              "",
		`[]`:                            "",
		`null`:                          "null",
		`{}`:                            "no pack",
		`{"Pack":{"pack_format":48}}`:   "no pack",
		`{"pack":{}}`:                   "no pack_format",
		`{"pack":{"pack_format":"48"}}`: "pack_format",
		`{"pack":{"pack_format":-1}}`:   "pack_format -1",
		`{"pack":{"pack_format":1e99}}`: "pack_format",
		`{"pack":{"min_format":88}}`:    "only one of",
		`{"pack":{"min_format":88,"max_format":87}}`:                               "88.0 to 87.*",
		`{"pack":{"min_format":[1,2,3],"max_format":87}}`:                          "3 numbers",
		`{"pack":{"min_format":[],"max_format":87}}`:                               "0 numbers",
		`{"pack":{"min_format":-1,"max_format":87}}`:                               "-1",
		`{"pack":{"pack_format":1,"supported_formats":[2,1]}}`:                     "[2 1]",
		`{"pack":{"pack_format":1,"supported_formats":{"min_inclusive":1}}}`:       "no max_inclusive",
		`{` + pack + `,"overlays":{}}`:                                             "no entries",
		`{` + pack + `,"overlays":{"entries":[{"formats":1}]}}`:                    "no directory",
		`{` + pack + `,"overlays":{"entries":[{"directory":"../a","formats":1}]}}`: `"../a"`,
		`{` + pack + `,"overlays":{"entries":[{"directory":"data","formats":1}]}}`: `"data"`,
		`{` + pack + `,"overlays":{"entries":[{"directory":"a"}]}}`:                "no formats",
		`{` + pack + `,"filter":{"block":[{"path":"("}]}}`:                         "path",
		`{` + pack + `,"filter":{"block":[{"path":"(?=a)"}]}}`:                     "path",
		`{` + pack + `,"features":{}}`:                                             "no enabled",
	} {
		_, err := ParseMeta([]byte(text))
		wantError(t, err, ErrDamaged, says)
	}
	_, err := ParseMeta(make([]byte, maxMetaBytes+1))
	wantError(t, err, ErrLimit)
	_, err = ParseMeta([]byte(`{` + pack + `,"filter":{"block":[` + strings.Repeat("{},", maxFilters) + `{}]}}`))
	wantError(t, err, ErrLimit)
}

func TestVersionJSONInAllItsForms(t *testing.T) {
	base := `{"id":"x","world_version":1,"protocol_version":2`
	for text, want := range map[string]Format{
		base + `}`:                  {},
		base + `,"pack_version":9}`: {9, 0},
		base + `,"pack_version":{"resource":34,"data":48}}`:         {48, 0},
		base + `,"pack_version":{"data_major":107,"data_minor":1}}`: {107, 1},
	} {
		v, err := ParseVersion([]byte(strings.Replace(text, `"x"`, `"26.2"`, 1)))
		if err != nil || v.Format != want || v.ID != "26.2" || v.WorldVersion != 1 || v.Protocol != 2 {
			t.Errorf("%s: %+v, %v", text, v, err)
		}
	}
	for _, id := range []string{"", "..", "a/b", `a\b`, "con", ".hidden", "1.", "1:2", strings.Repeat("1", 65)} {
		_, err := ParseVersion([]byte(`{"id":"` + strings.ReplaceAll(id, `\`, `\\`) + `","world_version":1,"protocol_version":2}`))
		wantError(t, err, ErrDamaged)
	}
	for _, text := range []string{`{"id":"1"}`, base + `,"pack_version":"x"}`, base + `,"pack_version":{}}`, base + `,"stable":1}`} {
		_, err := ParseVersion([]byte(strings.Replace(text, `"x"`, `"1"`, 1)))
		wantError(t, err, ErrDamaged)
	}
}

func TestIDsAreWhatTheGameTakes(t *testing.T) {
	for text, want := range map[string]ID{
		"plains": {"minecraft", "plains"}, "a:b": {"a", "b"}, ":b": {"minecraft", "b"}, "a.b-c_1:d/e.f": {"a.b-c_1", "d/e.f"},
	} {
		if got, err := ParseID(text); err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "a:", "A:b", "a:B", "a:b:c", "a/b:c", "a:../b", "a:/b", "a:b/", "..:b", "a b", "a:\xff", strings.Repeat("a", 1000)} {
		_, err := ParseID(text)
		wantError(t, err, ErrDamaged)
	}
}

func TestBundlerListsAreParsed(t *testing.T) {
	sum := strings.Repeat("0f", 32)
	list, err := parseBundled([]byte(sum + "\t26.2\t26.2/server-26.2.jar\r\n\n" + strings.ToUpper(sum) + "\ta:b:1\ta/b-1.jar"))
	if err != nil || len(list) != 2 || list[0].ID != "26.2" || list[1].Path != "a/b-1.jar" || list[0].SHA256 != list[1].SHA256 {
		t.Errorf("%+v, %v", list, err)
	}
	for _, text := range []string{"x", sum + "\ta", sum + "\ta\tb\tc", sum[1:] + "\ta\tb", sum + "00\ta\tb", sum + "\ta\t../b", sum + "\ta\t/b", sum + "\ta\tb/", sum + "\ta\t"} {
		_, err := parseBundled([]byte(text))
		wantError(t, err, ErrDamaged)
	}
}

func FuzzParseMeta(f *testing.F) {
	f.Add([]byte(plainMeta))
	f.Add([]byte(`{"pack":{"pack_format":48,"supported_formats":{"min_inclusive":18,"max_inclusive":57}},"overlays":{"entries":[{"directory":"a","formats":[1,2]}]},"filter":{"block":[{"path":"a+"}]},"features":{"enabled":["a"]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := ParseMeta(data)
		if err != nil {
			return
		}
		if m.Formats.Max.Compare(m.Formats.Min) < 0 || len(m.Overlays) > maxOverlays || len(m.Filters) > maxFilters {
			t.Fatalf("%+v", m)
		}
		for _, o := range m.Overlays {
			if !validOverlay(o.Directory) {
				t.Fatalf("overlay %q", o.Directory)
			}
		}
	})
}

func FuzzParseBundled(f *testing.F) {
	f.Add([]byte(strings.Repeat("0f", 32) + "\t26.2\t26.2/server-26.2.jar\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := parseBundled(data)
		if err != nil {
			return
		}
		for _, b := range list {
			if hostile(b.Path) != "" {
				t.Fatalf("path %q", b.Path)
			}
		}
	})
}

func FuzzParseVersion(f *testing.F) {
	f.Add(smallGame()[versionName])
	f.Fuzz(func(t *testing.T, data []byte) {
		if v, err := ParseVersion(data); err == nil && !validVersionID(v.ID) {
			t.Fatalf("id %q", v.ID)
		}
	})
}
