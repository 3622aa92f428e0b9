package snbt

import (
	"errors"
	"strings"
	"testing"

	"strata/nbt"
)

func TestLimitsRefuseWithoutReadingOn(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		limits nbt.Limits
		want   error
	}{
		"depth of lists":      {strings.Repeat("[", 513), nbt.Limits{}, nbt.ErrDepth},
		"depth of compounds":  {strings.Repeat("{a:", 513), nbt.Limits{}, nbt.ErrDepth},
		"depth of operations": {strings.Repeat("bool(", 513), nbt.Limits{}, nbt.ErrDepth},
		"very deep":           {strings.Repeat("[", 1<<20), nbt.Limits{}, nbt.ErrDepth},
		"depth of wrappers":   {"[[1,[]]]", nbt.Limits{Depth: 3}, nbt.ErrDepth},
		"size of the text":    {"[1,2,3]", nbt.Limits{Bytes: 6}, nbt.ErrSize},
		"size of the payload": {"[I;1,2,3]", nbt.Limits{Bytes: 12}, nbt.ErrSize},
		"size of wrappers":    {"[0,0b,0,0,0,0]", nbt.Limits{Bytes: 40}, nbt.ErrSize},
		"tags":                {"[1,2,3]", nbt.Limits{Tags: 3}, nbt.ErrTags},
		"long string":         {`"` + strings.Repeat("x", 65536) + `"`, nbt.Limits{}, nbt.ErrStringLength},
		"long bare string":    {strings.Repeat("x", 65536), nbt.Limits{}, nbt.ErrStringLength},
		"long name":           {"{" + strings.Repeat("x", 65536) + ":1}", nbt.Limits{}, nbt.ErrStringLength},
		"long when modified":  {`"` + strings.Repeat("\x00", 32768) + `"`, nbt.Limits{}, nbt.ErrStringLength},
	} {
		t.Run(name, func(t *testing.T) {
			var syntax *SyntaxError
			if raw, err := Parse(c.text, c.limits); !errors.Is(err, c.want) || !errors.As(err, &syntax) {
				t.Errorf("read %v of %d bytes (%v), want %v", raw.Type, len(raw.Data), err, c.want)
			}
		})
	}
	for name, c := range map[string]struct {
		text   string
		limits nbt.Limits
		want   error
	}{
		"depth of lists":   {strings.Repeat("[", 513), nbt.Limits{}, nbt.ErrDepth},
		"depth of objects": {strings.Repeat(`{"a":`, 513), nbt.Limits{}, nbt.ErrDepth},
		"size of the text": {"[1,2,3]", nbt.Limits{Bytes: 6}, nbt.ErrSize},
		"size of an array": {`["L;",1,2,3]`, nbt.Limits{Bytes: 20}, nbt.ErrSize},
		"tags":             {`["a","b","c"]`, nbt.Limits{Tags: 3}, nbt.ErrTags},
		"long string":      {`"` + strings.Repeat("x", 65536) + `"`, nbt.Limits{}, nbt.ErrStringLength},
	} {
		t.Run("JSON "+name, func(t *testing.T) {
			if raw, err := ParseJSON(c.text, c.limits); !errors.Is(err, c.want) {
				t.Errorf("read %v of %d bytes (%v), want %v", raw.Type, len(raw.Data), err, c.want)
			}
		})
	}
}

// TestWordsCutOffByALimitAreNoValues has texts that would be other values if
// they ended at the limit.
func TestWordsCutOffByALimitAreNoValues(t *testing.T) {
	for text, limit := range map[string]int{
		"123456789 x":  5,
		"123456789":    8,
		"bool     (1)": 7,
		"5        b":   7,
		"falsehood":    5,
		"name":         3,
	} {
		raw, rest, err := ParsePrefix(text, nbt.Limits{Bytes: limit})
		if !errors.Is(err, nbt.ErrSize) {
			t.Errorf("%q in %d bytes: %v % x, rest %q, %v", text, limit, raw.Type, raw.Data, rest, err)
		}
	}
	for text, limit := range map[string]int{"{a:1b}   x": 6, `"ab" x`: 4, "12345": 5} {
		if _, rest, err := ParsePrefix(text, nbt.Limits{Bytes: limit}); err != nil || rest != text[limit:] {
			t.Errorf("%q in %d bytes: rest %q, %v", text, limit, rest, err)
		}
	}
}

func TestLimitsAllowWhatJustFits(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		limits nbt.Limits
	}{
		"depth":    {strings.Repeat("[", 512) + strings.Repeat("]", 512), nbt.Limits{}},
		"deepest":  {strings.Repeat("[", nbt.MaxDepth) + strings.Repeat("]", nbt.MaxDepth), nbt.Limits{Depth: nbt.MaxDepth}},
		"wrappers": {"[[1,[]]]", nbt.Limits{Depth: 4}},
		"string":   {`"` + strings.Repeat("x", 65535) + `"`, nbt.Limits{}},
		"tags":     {"[1,2,[I;3,4]]", nbt.Limits{Tags: 4}},
	} {
		t.Run(name, func(t *testing.T) {
			raw, err := Parse(c.text, c.limits)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := AppendRaw(nil, raw, nbt.Limits{Depth: c.limits.Depth}, Pretty); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestLimitsOutOfRangeAreRefused(t *testing.T) {
	for _, l := range []nbt.Limits{{Depth: -1}, {Tags: nbt.MaxTags + 1}, {Tags: -5}, {Depth: nbt.MaxDepth + 1}} {
		if _, err := Parse("1", l); err == nil {
			t.Errorf("Parse takes %+v", l)
		}
		if _, err := ParseJSON("1", l); err == nil {
			t.Errorf("ParseJSON takes %+v", l)
		}
	}
}
