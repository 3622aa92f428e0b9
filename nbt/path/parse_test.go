package path

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"strata/nbt"
	"strata/nbt/snbt"
)

func TestPathsHaveACanonicalText(t *testing.T) {
	for text, want := range map[string]string{
		"":                    "",
		"{}":                  "{}",
		"{Invisible:1b}":      "{Invisible:1b}",
		"VillagerData":        "VillagerData",
		`"A cool name[]"`:     `"A cool name[]"`,
		`'it\'s'`:             `"it's"`,
		`'a "b"'.c`:           `"a \"b\"".c`,
		`"a\\b"`:              `"a\\b"`,
		`a\b`:                 `"a\\b"`,
		`""`:                  `""`,
		`"plain".'bare'`:      "plain.bare",
		"a.b.c":               "a.b.c",
		"a.[0].[-1].b":        "a[0][-1].b",
		"a.":                  "a",
		"{}.":                 "{}",
		"a.[0].":              "a[0]",
		"a[-0][007]":          "a[0][7]",
		"[][]":                "[][]",
		"list[{Y: 3b}].x":     "list[{Y:3b}].x",
		"a{ b : 'c' }.d":      `a{b:"c"}.d`,
		"a{b:1,b:2}":          "a{b:2}",
		"{}.a":                "{}.a",
		"{}[0]":               "{}[0]",
		"grüße.😀":             "grüße.😀",
		"-_+#:/":              "-_+#:/",
		`Items[0].tag."a.b"`:  `Items[0].tag."a.b"`,
		"a[{b:[{c:1}]}][]":    "a[{b:[{c:1}]}][]",
		"components.'m:c'.id": "components.m:c.id",
	} {
		p, err := Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := p.String(); got != want {
			t.Errorf("%s: String %s, want %s", text, got, want)
		}
		again, err := Parse(p.String())
		if err != nil || again.String() != p.String() {
			t.Errorf("%s: %s does not parse to the same: %s, %v", text, p, again, err)
		}
	}
}

func TestPathErrorsSayWhere(t *testing.T) {
	for _, c := range []struct {
		text   string
		offset int
		err    error
	}{
		{".", 0, ErrNode},
		{"..", 0, ErrNode},
		{"a..", 2, ErrNode},
		{"a..b", 2, ErrNode},
		{"]", 0, ErrNode},
		{"a]", 1, ErrSeparator},
		{`a"b"`, 1, ErrSeparator},
		{"a[0]b", 4, ErrSeparator},
		{"a{}{}", 3, ErrRootFilter},
		{"a.{}", 2, ErrRootFilter},
		{"[0]{}", 3, ErrRootFilter},
		{"a[", 2, ErrIndex},
		{"a[x]", 2, ErrIndex},
		{"a[+1]", 2, ErrIndex},
		{"a[1.5]", 3, ErrBracket},
		{"a[--1]", 2, ErrIndex},
		{"a[2147483648]", 2, ErrIndex},
		{"a[1", 3, ErrBracket},
		{"a[{}", 4, ErrBracket},
		{"a[ 0]", 2, ErrIndex},
		{"a[{a:1},0]", 7, ErrBracket},
		{`"a`, 0, ErrQuote},
		{`b."a\`, 2, ErrQuote},
		{`"a\n"`, 2, ErrEscape},
		{`'a\"'`, 2, ErrEscape},
		{`'it''`, 4, ErrSeparator},
		{"a b", 1, ErrTrailing},
		{" a", 0, ErrTrailing},
		{"a{b:}", 4, snbt.ErrSyntax},
		{"a.b[{c:1,", 9, snbt.ErrEnd},
		{strings.Repeat("a", 1<<16), 0, ErrName},
		{strings.Repeat("a.", 1<<15) + "a", 1 << 16, ErrLong},
		{strings.Repeat("[]", MaxNodes+1), 2 * MaxNodes, ErrLong},
	} {
		_, err := Parse(c.text)
		syntax := (*SyntaxError)(nil)
		if !errors.As(err, &syntax) || !errors.Is(err, c.err) || syntax.Offset != c.offset {
			t.Errorf("%.20s: %v, want offset %d: %v", c.text, err, c.offset, c.err)
		}
	}
}

func TestParsePrefixEndsAtASpace(t *testing.T) {
	for text, want := range map[string]string{
		"a.b value":              " value",
		`"a b"{c: 1} set x`:      " set x",
		"a[{b: 'c d'}].e ":       " ",
		"a. b":                   " b",
		"a":                      "",
		" x":                     " x",
		strings.Repeat("a ", 99): strings.Repeat(" a", 98) + " ",
	} {
		_, rest, err := ParsePrefix(text)
		if err != nil || rest != want {
			t.Errorf("%s: rest %q, %v, want %q", text, rest, err, want)
		}
	}
}

// FuzzPath parses texts, and selects on a document.
func FuzzPath(f *testing.F) {
	for _, text := range []string{
		"", "{}", "a.b[0][-1][]", `"q\"\\"{a:1b}.x`, "'it\\'s'", "sections[{Y:3b}].palette[0].Name",
		"mixed[]", "ints[1]", "{x:{}}.y", "a{b:1,b:2}[{c:[]}]", "a..b", "a[99999999999]",
		`"q\"\\"{a:1b}.a`,
	} {
		f.Add(text)
	}
	tape := document(f, `{sections:[{Y:3b,palette:[{Name:"air"}]},{Y:4b}],ints:[I;1,2,3],mixed:[1b,"a",{a:{b:[]}}],a:{b:1},"q\"\\":{a:1b}}`)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<10 {
			return
		}
		p, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(p.String())
		if err != nil {
			t.Fatalf("%q: %q: %v", text, p, err)
		}
		if again.String() != p.String() || len(again.nodes) != len(p.nodes) {
			t.Fatalf("%q: %q becomes %q", text, p, again)
		}
		for i := range p.nodes {
			a, b := p.nodes[i], again.nodes[i]
			if a.step != b.step || a.name != b.name || a.index != b.index || a.filter.Exists() != b.filter.Exists() {
				t.Fatalf("%q: node %d is another", text, i)
			}
		}
		n := p.Count(tape.Root())
		if (n > 0) != p.First(tape.Root()).Exists() {
			t.Fatalf("%q: %d tags and First disagree", text, n)
		}
		edit := tape.Edit()
		edit.Mixed = true
		set, err := p.Set(edit, tape.Root(), nbt.Raw{Type: nbt.TypeByte, Data: []byte{77}}, false)
		if set != n && err == nil {
			t.Fatalf("%q: selects %d tags and sets %d", text, n, set)
		}
		if _, err := edit.AppendTo(nil); err != nil && set > 0 {
			t.Fatalf("%q: %v", text, err)
		}
		edit.Reset(tape)
		if _, err := p.Set(edit, tape.Root(), nbt.Raw{Type: nbt.TypeByte, Data: []byte{77}}, true); err == nil {
			created(t, p, edit, n)
		}
	})
}

// created checks that what was set is there. A filter may match no more
// afterwards: its own pattern is what a{b:1}.b sets.
func created(t *testing.T, p Path, edit *nbt.Edit, n int) {
	out, err := edit.AppendTo(nil)
	if err != nil {
		t.Fatalf("%q: %v", p, err)
	}
	var tape nbt.Tape
	if err := tape.Parse(out); err != nil {
		t.Fatalf("%q: %v", p, err)
	}
	filtered := slices.ContainsFunc(p.nodes, func(n node) bool { return n.filter.Exists() })
	if !filtered && len(p.nodes) > 0 && p.Count(tape.Root()) < n {
		t.Fatalf("%q: fewer tags after set", p)
	}
}
