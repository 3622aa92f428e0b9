package main

import (
	"fmt"
	"io"
	"strings"

	"strata/cmd/internal/ui"
	"strata/pregen/worldgen/oracle"
)

// writeDiffReport writes the report of strata worldgen diff.
func writeDiffReport(console *ui.Console, w io.Writer, r *oracle.Report) error {
	if err := writeDiffRows(console, w, r.Rows); err != nil {
		return err
	}
	if len(r.AdaptedRows) > 0 {
		fmt.Fprintf(w, "\nNear structures that adapt the terrain:\n")
		if err := writeDiffRows(console, w, r.AdaptedRows); err != nil {
			return err
		}
		for _, n := range r.Adapted {
			fmt.Fprintf(w, "  %s %s %s chunk %d,%d: %s, %s blocks wrong\n", n.Folder, shortID(n.Dimension), n.Stage,
				n.X, n.Z, shortID(strings.Join(n.Structures, ", ")), ui.FormatCount(n.WrongBlocks))
		}
	}
	for _, failed := range r.Failed {
		fmt.Fprintf(w, "not compared: %s\n", failed.Error)
	}
	return nil
}

// shortID leaves out the game's namespace.
func shortID(text string) string { return strings.ReplaceAll(text, "minecraft:", "") }

func writeDiffRows(console *ui.Console, w io.Writer, rows []oracle.Row) error {
	table := console.NewTable(
		ui.Column{Head: "folder"}, ui.Column{Head: "dimension"}, ui.Column{Head: "stage"}, ui.Column{Head: "tier"},
		ui.Column{Head: "chunks", Right: true}, ui.Column{Head: "exact", Right: true}, ui.Column{Head: "masked", Right: true},
		ui.Column{Head: "any order", Right: true}, ui.Column{Head: "by ores", Right: true},
		ui.Column{Head: "wrong", Right: true}, ui.Column{Head: "a million", Right: true},
		ui.Column{Head: "inner wrong", Right: true}, ui.Column{Head: "foreign", Right: true},
		ui.Column{Head: "masked", Right: true},
		ui.Column{Head: "inner columns exact", Right: true}, ui.Column{Head: "with foreign", Right: true}, ui.Column{Head: "with masked", Right: true},
		ui.Column{Head: "biomes wrong", Right: true}, ui.Column{Head: "tied", Right: true},
		ui.Column{Head: "masks", Right: true}, ui.Column{Head: "marks", Right: true},
	)
	for i := range rows {
		r := &rows[i]
		table.Row(r.Folder, shortID(r.Dimension), string(r.Stage), r.Tier,
			ui.FormatCount(r.Chunks), ui.FormatCount(r.Exact), ui.FormatCount(r.ExactMasked), ui.FormatCount(r.ExactInOrder),
			ui.FormatCount(r.ExactOrdered),
			ofText(r.WrongBlocks, r.Blocks), rateText(r.WrongPerMillion, r.Blocks),
			ofText(r.InnerWrong, r.InnerBlocks), ofText(r.InnerForeign, r.InnerBlocks), ofText(r.InnerMasked, r.InnerBlocks),
			shareText(r.InnerColExact, r.InnerColumns), shareText(r.InnerColExact+r.InnerColForeign, r.InnerColumns),
			shareText(r.InnerColExact+r.InnerColMasked, r.InnerColumns),
			ofText(r.BiomeWrong, r.BiomeCells), ofText(r.BiomeTies, r.BiomeCells),
			equalText(r.MasksEqual, r.Masks), equalText(r.MarksEqual, r.Marks))
	}
	if err := table.Render(w); err != nil {
		return err
	}
	for i := range rows {
		r := &rows[i]
		if len(r.Top) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n%s %s %s, most frequent differences:\n", r.Folder, shortID(r.Dimension), strings.TrimSpace(string(r.Stage)+" "+r.Tier))
		for _, p := range r.Top {
			fmt.Fprintf(w, "  %s  expected %s, got %s\n", ui.FormatCount(p.Count), shortID(p.Expected), shortID(p.Got))
		}
	}
	return nil
}

// ofText is a count, empty where nothing was compared.
func ofText(n, of int64) string {
	if of == 0 {
		return ""
	}
	return ui.FormatCount(n)
}

func rateText(rate float64, of int64) string {
	if of == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f", rate)
}

// shareText is a share in percent, 100 only if it is all.
func shareText(n, of int64) string {
	switch {
	case of == 0:
		return ""
	case n == of:
		return "100 %"
	}
	return fmt.Sprintf("%.2f %%", min(float64(n)*100/float64(of), 99.99))
}

func equalText(n, of int64) string {
	if of == 0 {
		return ""
	}
	return ui.FormatCount(n) + " of " + ui.FormatCount(of)
}
