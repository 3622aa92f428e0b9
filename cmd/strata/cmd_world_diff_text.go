package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"strata/anvil/diff"
	"strata/cmd/internal/ui"
)

// diffLines is how many lines of each sort people see of one chunk.
const diffLines = 4

func (r *diffResult) writeText(console *ui.Console, w io.Writer) error {
	out := bufio.NewWriter(w)
	table := console.NewTable(ui.Column{Head: "dimension"}, ui.Column{Head: "of"}, ui.Column{Head: "created", Right: true},
		ui.Column{Head: "deleted", Right: true}, ui.Column{Head: "modified", Right: true}, ui.Column{Head: "touched", Right: true},
		ui.Column{Head: "moved", Right: true}, ui.Column{Head: "equal", Right: true}, ui.Column{Head: "unreadable", Right: true})
	row := func(name, of string, c *diff.Counts) {
		if c.Total() > 0 {
			table.Row(name, of, ui.FormatCount(c.Created), ui.FormatCount(c.Deleted), ui.FormatCount(c.Modified), ui.FormatCount(c.Touched),
				ui.FormatCount(c.Moved), ui.FormatCount(c.Equal), ui.FormatCount(c.Unreadable))
		}
	}
	for i := range r.Dimensions {
		d := &r.Dimensions[i]
		row(d.Name, "chunks", &d.Counts)
		row("", "region", &d.Region)
		row("", "entities", &d.Entities)
		row("", "poi", &d.POI)
	}
	row("", "players", &r.Players)
	row("", "data files", &r.Data)
	if err := table.Render(out); err != nil {
		return err
	}
	r.writeTotals(out)
	if len(r.Files) > 0 {
		fmt.Fprintln(out)
	}
	for i := range r.Files {
		writeFile(out, &r.Files[i])
	}
	if len(r.Chunks) > 0 {
		fmt.Fprintln(out)
	}
	for i := 0; i < len(r.Chunks); {
		n := rowOf(r.Chunks[i:])
		writeChunk(out, &r.Chunks[i], n)
		i += n
	}
	if !r.Complete {
		fmt.Fprintln(out, "... and more chunks: --limit 0 lists all")
	}
	if h := r.HeatMap; h != nil {
		fmt.Fprintf(out, "\n%s: from chunk %d,%d, ", h.File, h.X, h.Z)
		if h.Per > 1 {
			fmt.Fprintf(out, "a pixel for %d by %d chunks\n", h.Per, h.Per)
		} else {
			fmt.Fprintf(out, "%s a chunk\n", countText(h.Scale, "pixel"))
		}
	}
	return out.Flush()
}

func (r *diffResult) writeTotals(out io.Writer) {
	if r.Reencoded > 0 {
		fmt.Fprintf(out, "\n%s with the same content written otherwise\n", countText(int(r.Reencoded), "record"))
	}
	if r.Blocks+r.Biomes+r.Objects > 0 {
		fmt.Fprintf(out, "\n%s, %s of biomes, %s differ\n", countText(int(r.Blocks), "block"), countText(int(r.Biomes), "cell"), countText(int(r.Objects), "object"))
	}
	writeExchanges(out, "  ", r.BlockKinds, 10)
	writeExchanges(out, "  ", r.BiomeKinds, 5)
	if len(r.Paths) > 0 {
		fmt.Fprintln(out, "\nwhere documents differ:")
	}
	for i, p := range r.Paths {
		if i == 12 {
			fmt.Fprintf(out, "  and %s\n", countText(len(r.Paths)-i, "more path"))
			break
		}
		fmt.Fprintf(out, "  %8s  %s\n", ui.FormatCount(p.Count), p.Path)
	}
}

func writeExchanges(out io.Writer, indent string, all []diff.Exchange, most int) {
	for i, e := range all {
		if i == most {
			fmt.Fprintf(out, "%sand %s more\n", indent, countText(len(all)-i, "exchange"))
			break
		}
		fmt.Fprintf(out, "%s%8s  %s -> %s\n", indent, ui.FormatCount(e.Count), e.Old, e.New)
	}
}

func writeFile(out io.Writer, f *diff.File) {
	name := f.Name
	if f.Dimension != "" {
		name += " of " + f.Dimension
	}
	fmt.Fprintf(out, "%-9s %s %s", f.Class, f.What, name)
	if f.Document != nil {
		fmt.Fprintf(out, ": %s", countText(int(f.Changes), "change"))
	}
	fmt.Fprintln(out)
	if f.Error != "" {
		fmt.Fprintf(out, "    %s\n", f.Error)
	}
	writePaths(out, f.Document)
}

func writePaths(out io.Writer, d *diff.Document) {
	if d == nil {
		return
	}
	for i, p := range d.Paths {
		if i == diffLines {
			fmt.Fprintf(out, "    and %s\n", countText(int(d.Changes)-i, "more path"))
			break
		}
		fmt.Fprintf(out, "    %s: %s -> %s\n", p.Path, orAbsent(p.Old), orAbsent(p.New))
	}
}

// orAbsent is a value, cut for a line.
func orAbsent(value string) string {
	switch {
	case value == "":
		return "(absent)"
	case len(value) > 60:
		return strings.ToValidUTF8(value[:57], "") + "..."
	default:
		return value
	}
}

// rowOf is how many chunks, side by side in a row, have come or gone alike: they
// make one line.
func rowOf(chunks []diff.Chunk) int {
	first, n := &chunks[0], 1
	if first.Class != diff.Created && first.Class != diff.Deleted {
		return 1
	}
	for n < len(chunks) {
		c := &chunks[n]
		if c.Class != first.Class || c.Dimension != first.Dimension || c.Z != first.Z || c.X != first.X+int32(n) {
			break
		}
		n++
	}
	return n
}

// writeChunk writes what is to say of a chunk, or of n chunks side by side.
func writeChunk(out io.Writer, c *diff.Chunk, n int) {
	name := c.Dimension
	if name != "" {
		name += " "
	}
	fmt.Fprintf(out, "%-9s %s%d,%d", c.Class, name, c.X, c.Z)
	if c.Class == diff.Created || c.Class == diff.Deleted {
		if n > 1 {
			fmt.Fprintf(out, " to %d,%d (%s)", c.X+int32(n)-1, c.Z, countText(n, "chunk"))
		}
		fmt.Fprintln(out)
		return
	}
	var parts []string
	for _, of := range []struct {
		kind string
		r    *diff.Record
	}{{"region", c.Region}, {"entities", c.Entities}, {"poi", c.POI}} {
		if of.r == nil {
			continue
		}
		text := of.kind + " " + of.r.Class.String()
		var counts []string
		for _, n := range []struct {
			n    int64
			noun string
		}{{of.r.Blocks, "block"}, {of.r.Biomes, "biome cell"}, {of.r.Objects, "object"}} {
			if n.n > 0 {
				counts = append(counts, countText(int(n.n), n.noun))
			}
		}
		if len(counts) > 0 {
			text += " (" + strings.Join(counts, ", ") + ")"
		}
		parts = append(parts, text)
	}
	fmt.Fprintf(out, ": %s\n", strings.Join(parts, ", "))
	for _, r := range []*diff.Record{c.Region, c.Entities, c.POI} {
		if r != nil {
			writeRecord(out, r)
		}
	}
}

func writeRecord(out io.Writer, r *diff.Record) {
	if r.Error != "" {
		fmt.Fprintf(out, "    %s\n", r.Error)
	}
	writeExchanges(out, "    ", r.BlockKinds, diffLines)
	for i, b := range r.BlockList {
		if i == diffLines {
			fmt.Fprintf(out, "    and %s\n", countText(int(r.Blocks)-i, "more block"))
			break
		}
		fmt.Fprintf(out, "    block %d,%d,%d: %s -> %s\n", b.X, b.Y, b.Z, b.Old, b.New)
	}
	writeExchanges(out, "    ", r.BiomeKinds, diffLines)
	for i, o := range r.ObjectList {
		if i == diffLines {
			fmt.Fprintf(out, "    and %s\n", countText(int(r.Objects)-i, "more object"))
			break
		}
		fmt.Fprintf(out, "    %s %s %s %s\n", o.Class, strings.ReplaceAll(o.What, "_", " "), o.ID, o.Key)
	}
	writePaths(out, r.Document)
}
