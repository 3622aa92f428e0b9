package ui

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func render(t *testing.T, d *desk) string {
	t.Helper()
	table := d.NewTable(Column{Head: "name"}, Column{Head: "time", Right: true}, Column{Head: "note"})
	table.Row("strata", "15.2 µs", "")
	table.Row("stdlib", "675 µs", "reference")
	var out strings.Builder
	if err := table.Render(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestTableAlignsTextLeftAndNumbersRight(t *testing.T) {
	want := "name       time  note\nstrata  15.2 µs\nstdlib   675 µs  reference\n"
	if diff := cmp.Diff(want, render(t, newDesk(t, setting{}))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTableHeadIsBoldOnATerminal(t *testing.T) {
	plain := render(t, newDesk(t, setting{terminal: true, env: map[string]string{"NO_COLOR": "1"}}))
	bold := render(t, newDesk(t, setting{terminal: true}))
	head, body, _ := strings.Cut(plain, "\n")
	if want := boldOn + head + boldOff + "\n" + body; bold != want {
		t.Errorf("bold table %q, want %q", bold, want)
	}
}

func TestRowOfAnotherLengthIsABug(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	newDesk(t, setting{}).NewTable(Column{Head: "one"}).Row("a", "b")
}
