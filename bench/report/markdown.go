package report

import (
	"bytes"
	"fmt"
	"strings"

	"strata/bench"
)

func compressionMarkdown(r *bench.CompressionReport) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Compression of %s\n\n%s\n", escapeMarkdown(r.Source), environmentText(r))
	for _, text := range r.Warnings {
		fmt.Fprintf(&b, "\n> **Warning:** %s\n", escapeMarkdown(text))
	}
	if len(r.Advice) > 0 {
		fmt.Fprintf(&b, "\n## Which level\n\nAs measured on %s chunks:\n\n", r.Advice[0].Kind)
		for _, a := range r.Advice {
			fmt.Fprintf(&b, "- **%s: %s.** Why: %s\n", a.Use, a.Level, escapeMarkdown(a.Reason))
		}
	}
	for _, k := range r.Kinds {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", k.Kind, kindText(r, k))
		if k.Kind == r.MainKind().Kind {
			writeMarkdownTable(&b, shortColumns, shortRows(r, k.Kind))
			fmt.Fprintln(&b)
		}
		var rows [][]string
		for _, row := range r.Of(k.Kind) {
			rows = append(rows, cells(row))
		}
		writeMarkdownTable(&b, columns, rows)
	}
	fmt.Fprintf(&b, "\n## How it was measured\n\n%s\n", methodText)
	for _, text := range r.LeftOut {
		fmt.Fprintf(&b, "\nLeft out: %s\n", escapeMarkdown(text))
	}
	return b.Bytes()
}

// writeMarkdownTable has its first column to the left and numbers to the right.
func writeMarkdownTable(b *bytes.Buffer, heads []string, rows [][]string) {
	fmt.Fprintf(b, "| %s |\n| --- |%s\n", strings.Join(heads, " | "), strings.Repeat(" ---: |", len(heads)-1))
	for _, row := range rows {
		fmt.Fprintf(b, "| %s |\n", strings.Join(row, " | "))
	}
}

// escapeMarkdown keeps names of worlds and messages from being markup.
func escapeMarkdown(text string) string {
	return strings.NewReplacer("\\", "\\\\", "*", "\\*", "_", "\\_", "`", "\\`", "<", "&lt;", "[", "\\[", "|", "\\|", "\n", " ").Replace(text)
}
