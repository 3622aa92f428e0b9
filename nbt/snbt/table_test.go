package snbt

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"strata/nbt"
)

// tableEntry is a line of a table in testdata; see the README there.
type tableEntry struct {
	Text string `json:"text"`
	// Want is the text in compact style.
	Want string `json:"want"`
	// Error, Line and Column are what is wrong with a refused text.
	Error  string `json:"error"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Source string `json:"source"`
}

func readTable(tb testing.TB, name string) []tableEntry {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		tb.Fatal(err)
	}
	var all []tableEntry
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		in := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		in.DisallowUnknownFields()
		var e tableEntry
		if err := in.Decode(&e); err != nil {
			tb.Fatalf("%s, line %d: %v", name, len(all)+1, err)
		}
		if e.Source == "" {
			tb.Fatalf("%s, line %d: no source", name, len(all)+1)
		}
		all = append(all, e)
	}
	return all
}

var errorNames = map[string]error{
	"syntax":    ErrSyntax,
	"end":       ErrEnd,
	"trailing":  ErrTrailing,
	"number":    ErrNumber,
	"zero":      ErrLeadingZero,
	"under":     ErrUnderscore,
	"element":   ErrElement,
	"escape":    ErrEscape,
	"name":      ErrCharacterName,
	"operation": ErrOperation,
	"argument":  ErrArgument,
	"json":      ErrJSON,
}

func TestAcceptedTexts(t *testing.T) {
	for _, e := range readTable(t, "accepted.jsonl") {
		t.Run(e.Text, func(t *testing.T) {
			raw, err := Parse(e.Text, nbt.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			got, err := AppendRaw(nil, raw, nbt.Limits{}, Compact)
			if err != nil || string(got) != e.Want {
				t.Errorf("got %s (%v), want %s", got, err, e.Want)
			}
		})
	}
}

func TestRefusedTexts(t *testing.T) {
	for _, e := range readTable(t, "refused.jsonl") {
		t.Run(e.Text, func(t *testing.T) {
			raw, err := Parse(e.Text, nbt.Limits{})
			checkRefused(t, e, raw, err)
		})
	}
}

func checkRefused(t *testing.T, e tableEntry, raw nbt.Raw, err error) {
	t.Helper()
	var syntax *SyntaxError
	if !errors.As(err, &syntax) {
		t.Fatalf("read as %v %x (%v)", raw.Type, raw.Data, err)
	}
	if want := errorNames[e.Error]; want == nil || !errors.Is(err, want) || syntax.Line != e.Line || syntax.Column != e.Column {
		t.Errorf("got %v, want %s at line %d, column %d", err, e.Error, e.Line, e.Column)
	}
}

func TestJSONTexts(t *testing.T) {
	for _, e := range readTable(t, "json.jsonl") {
		t.Run(e.Text, func(t *testing.T) {
			raw, err := ParseJSON(e.Text, nbt.Limits{})
			if e.Error != "" {
				checkRefused(t, e, raw, err)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got, err := AppendRaw(nil, raw, nbt.Limits{}, Compact)
			if err != nil || string(got) != e.Want {
				t.Errorf("got %s (%v), want %s", got, err, e.Want)
			}
		})
	}
}
