package report

import (
	"bytes"
	"fmt"
	"strings"
)

func (d *document) markdown() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\n%s\n", escapeMarkdown(d.title), escapeMarkdown(d.environment))
	for _, text := range d.warnings {
		fmt.Fprintf(&b, "\n> **Warning:** %s\n", escapeMarkdown(text))
	}
	if len(d.points.Items) > 0 {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", d.points.Title, escapeMarkdown(d.points.Intro))
		for _, p := range d.points.Items {
			fmt.Fprintf(&b, "- **%s** %s\n", escapeMarkdown(p.Lead), escapeMarkdown(p.Text))
		}
	}
	for _, s := range d.sections {
		fmt.Fprintf(&b, "\n## %s\n\n", escapeMarkdown(s.Title))
		if s.Text != "" {
			fmt.Fprintf(&b, "%s\n\n", escapeMarkdown(s.Text))
		}
		s.Table.markdown(&b)
	}
	fmt.Fprintf(&b, "\n## How it was measured\n\n%s\n", escapeMarkdown(d.method))
	for _, text := range d.leftOut {
		fmt.Fprintf(&b, "\nLeft out: %s\n", escapeMarkdown(text))
	}
	return b.Bytes()
}

func (t *table) markdown(b *bytes.Buffer) {
	fmt.Fprintf(b, "| %s |\n|", strings.Join(t.Heads, " | "))
	for i := range t.Heads {
		rule := " ---: |"
		if i < t.Left {
			rule = " --- |"
		}
		b.WriteString(rule)
	}
	b.WriteString("\n")
	for _, row := range t.Rows {
		b.WriteString("|")
		for _, cell := range row {
			fmt.Fprintf(b, " %s |", escapeMarkdown(cell))
		}
		b.WriteString("\n")
	}
}

// escapeMarkdown keeps names of worlds and messages from being markup.
func escapeMarkdown(text string) string {
	return strings.NewReplacer("\\", "\\\\", "*", "\\*", "_", "\\_", "`", "\\`", "<", "&lt;", "[", "\\[", "|", "\\|", "\n", " ").Replace(text)
}
