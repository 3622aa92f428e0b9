package ui

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Column is one column of a table.
type Column struct {
	Head  string
	Right bool // numbers stand to the right
}

// Table is a table for people. text/tabwriter aligns all columns to one side
// and counts escape sequences as text; this one does neither.
type Table struct {
	columns []Column
	rows    [][]string
	bold    bool
}

const (
	columnGap = "  "
	boldOn    = "\x1b[1m"
	boldOff   = "\x1b[0m"
)

// NewTable returns a table with the columns and no rows. Its head is bold
// where the console takes colour.
func (c *Console) NewTable(columns ...Column) *Table {
	return &Table{columns: columns, bold: c.Color()}
}

// Row adds a row. There must be one cell a column; anything else is a bug.
func (t *Table) Row(cells ...string) {
	if len(cells) != len(t.columns) {
		panic(fmt.Sprintf("ui: row of %d cells in a table of %d columns", len(cells), len(t.columns)))
	}
	t.rows = append(t.rows, cells)
}

// Render writes the table to w, without blanks at the ends of lines.
func (t *Table) Render(w io.Writer) error {
	heads := make([]string, len(t.columns))
	widths := make([]int, len(t.columns))
	for i, column := range t.columns {
		heads[i] = column.Head
		widths[i] = utf8.RuneCountInString(column.Head)
		for _, row := range t.rows {
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i]))
		}
	}
	out := bufio.NewWriter(w)
	head := t.line(heads, widths)
	if t.bold {
		head = boldOn + head + boldOff
	}
	fmt.Fprintln(out, head)
	for _, row := range t.rows {
		fmt.Fprintln(out, t.line(row, widths))
	}
	return out.Flush()
}

func (t *Table) line(cells []string, widths []int) string {
	var text strings.Builder
	for i, cell := range cells {
		if i > 0 {
			text.WriteString(columnGap)
		}
		padding := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
		if t.columns[i].Right {
			text.WriteString(padding + cell)
		} else {
			text.WriteString(cell + padding)
		}
	}
	return strings.TrimRight(text.String(), " ")
}
