package snbt

import (
	"bytes"
	"testing"

	"strata/nbt"
)

// fuzzLimits keep a run short; inputs beyond them are refused.
var fuzzLimits = nbt.Limits{Depth: 32, Bytes: 1 << 14, Tags: 1 << 12}

// checkForms prints a tag in every form and reads it back.
func checkForms(t *testing.T, tag nbt.Tag) {
	t.Helper()
	want := plainEmptyLists(t, tag)
	for _, style := range []Style{Compact, Pretty} {
		text := Append(nil, tag, style)
		got, err := Parse(string(text), nbt.Limits{})
		if err != nil {
			t.Fatalf("style %d: own text %q: %v", style, text, err)
		}
		if got.Type != want.Type || !bytes.Equal(got.Data, want.Data) {
			t.Fatalf("style %d: own text %q is another value", style, text)
		}
	}
	text := Append(nil, tag, Canonical)
	back, err := Parse(string(text), nbt.Limits{})
	if err != nil {
		t.Fatalf("canonical text %q: %v", text, err)
	}
	again, err := AppendRaw(nil, back, nbt.Limits{}, Canonical)
	if err != nil || !bytes.Equal(again, text) {
		t.Fatalf("canonical text %q becomes %q (%v)", text, again, err)
	}
	json := AppendJSON(nil, tag)
	back, err = ParseJSON(string(json), nbt.Limits{})
	if err != nil {
		t.Fatalf("own JSON %q: %v", json, err)
	}
	if raw := tag.Raw(); back.Type != raw.Type || !bytes.Equal(back.Data, raw.Data) {
		t.Fatalf("own JSON %q is another value", json)
	}
}

// checkRaw checks what a parser made of a text.
func checkRaw(t *testing.T, raw nbt.Raw) {
	t.Helper()
	tape, err := parseRaw(raw, nbt.Limits{Depth: fuzzLimits.Depth})
	if err != nil {
		t.Fatalf("payload %x of type %v: %v", raw.Data, raw.Type, err)
	}
	checkForms(t, tape.Root())
}

func FuzzParse(f *testing.F) {
	for _, entry := range readTable(f, "accepted.jsonl") {
		f.Add(entry.Text)
	}
	for _, entry := range readTable(f, "refused.jsonl") {
		f.Add(entry.Text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<12 {
			return
		}
		raw, rest, err := ParsePrefix(text, fuzzLimits)
		if err != nil {
			if _, ok := err.(*SyntaxError); !ok {
				t.Fatalf("error %v of type %T", err, err)
			}
			return
		}
		if len(rest) > len(text) || text[len(text)-len(rest):] != rest {
			t.Fatalf("rest %q is not the end of %q", rest, text)
		}
		checkRaw(t, raw)
	})
}

func FuzzParseJSON(f *testing.F) {
	for _, entry := range readTable(f, "json.jsonl") {
		f.Add(entry.Text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<12 {
			return
		}
		if raw, err := ParseJSON(text, fuzzLimits); err == nil {
			checkRaw(t, raw)
		} else if _, ok := err.(*SyntaxError); !ok {
			t.Fatalf("error %v of type %T", err, err)
		}
	})
}

func FuzzPrint(f *testing.F) {
	for _, entry := range readTable(f, "accepted.jsonl") {
		raw, err := Parse(entry.Text, fuzzLimits)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(append([]byte{byte(raw.Type)}, raw.Data...))
	}
	for _, doc := range oddDocuments {
		f.Add([]byte(doc))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		tape := nbt.Tape{Limits: fuzzLimits}
		if len(doc) > 1<<12 || tape.ParseNetwork(doc) != nil || !tape.Root().Exists() {
			return
		}
		checkForms(t, tape.Root())
	})
}

// oddDocuments are valid documents of the network form that no text makes, or
// in which wrappers do not stand for lists of several types.
var oddDocuments = map[string]string{
	"empty list of ints":            "\x09\x03\x00\x00\x00\x00",
	"empty lists in a list":         "\x09\x09\x00\x00\x00\x02\x01\x00\x00\x00\x00\x0a\x00\x00\x00\x00",
	"wrapped alike":                 "\x09\x0a\x00\x00\x00\x02\x01\x00\x00\x05\x00\x01\x00\x00\x06\x00",
	"one wrapper":                   "\x09\x0a\x00\x00\x00\x01\x01\x00\x00\x05\x00",
	"wrapper in a wrapper":          "\x09\x0a\x00\x00\x00\x02\x0a\x00\x00\x01\x00\x00\x05\x00\x00\x01\x00\x00\x06\x00",
	"wrapper without need":          "\x09\x0a\x00\x00\x00\x02\x01\x00\x00\x05\x00\x00",
	"same name twice":               "\x0a\x01\x00\x01a\x05\x01\x00\x01a\x06\x00",
	"empty name twice in a wrapper": "\x09\x0a\x00\x00\x00\x02\x01\x00\x00\x05\x01\x00\x00\x06\x00\x08\x00\x00\x00\x01x\x00",
	"empty names of two types":      "\x09\x0a\x00\x00\x00\x02\x01\x00\x00\x05\x01\x00\x00\x06\x00\x08\x00\x00\x00\x00\x08\x00\x00\x00\x01x\x00",
	"bytes that are no characters":  "\x08\x00\x0a\x00\xff\xc1\x81\xf0\x9f\x98\x80\x80\xed",
	"surrogates alone":              "\x08\x00\x09\xed\xb8\x80\xed\xa0\xbda\xed\xa0",
	"surrogates in both orders":     "\x08\x00\x0f\xed\xa0\xbd\xed\xb8\x80\xed\xb8\x80\xed\xa0\xbd\xed\xa0\xbd",
	"name that is no characters":    "\x0a\x01\x00\x02\xff\x00\x05\x00",
	"NaN with bits":                 "\x05\x7f\x80\x00\x01",
	"negative NaN":                  "\x06\xff\xf8\x00\x00\x00\x00\x00\x00",
	"smallest double":               "\x06\x00\x00\x00\x00\x00\x00\x00\x01",
	"minus zero":                    "\x05\x80\x00\x00\x00",
	"text like a number":            "\x08\x00\x025b",
	"text like a mark":              "\x09\x08\x00\x00\x00\x03\x00\x02B;\x00\x09empty int\x00\x04hex'",
}

func TestOddDocumentsSurvive(t *testing.T) {
	for name, doc := range oddDocuments {
		t.Run(name, func(t *testing.T) {
			var tape nbt.Tape
			if err := tape.ParseNetwork([]byte(doc)); err != nil || tape.Size() != len(doc) {
				t.Fatalf("not a document of %d bytes: %v", len(doc), err)
			}
			checkForms(t, tape.Root())
		})
	}
}
