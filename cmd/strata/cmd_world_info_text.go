package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"strata/anvil"
	"strata/anvil/scan"
	"strata/cmd/internal/ui"
)

func (info *worldInfo) writeText(console *ui.Console, w io.Writer) error {
	fmt.Fprintf(w, "%s\n", cmp.Or(info.Name, info.Path))
	fmt.Fprintf(w, "  version   %s, layout %s\n", anvil.Describe(info.DataVersion), info.Layout)
	if info.Seed != nil {
		fmt.Fprintf(w, "  seed      %s\n", *info.Seed)
	}
	if info.Structures != nil && !*info.Structures {
		fmt.Fprintln(w, "  structures are off")
	}
	if s := info.Spawn; s != nil {
		fmt.Fprintf(w, "  spawn     %d %d %d in %s\n", s.X, s.Y, s.Z, s.Dimension)
	}
	fmt.Fprintf(w, "  players   %s\n", ui.FormatCount(int64(info.Players)))
	if info.UndoBytes > 0 {
		fmt.Fprintf(w, "  undo      %s kept of what commands have changed\n", ui.FormatBytes(info.UndoBytes))
	}
	if len(info.Brands) > 0 {
		fmt.Fprintf(w, "  run by    %s\n", strings.Join(info.Brands, ", "))
	}
	if info.Live {
		fmt.Fprintln(w, "  in use: somebody holds its session lock")
	}
	fmt.Fprintln(w)
	if err := info.writeFolders(console, w); err != nil {
		return err
	}
	if err := info.writeContents(console, w); err != nil {
		return err
	}
	for i, f := range info.Findings {
		if i == 0 {
			fmt.Fprintln(w, "\nodd:")
		}
		fmt.Fprintf(w, "  %s\n", f)
	}
	for i, f := range info.Failed {
		if i == 0 {
			fmt.Fprintln(w, "\ncould not be read:")
		}
		fmt.Fprintf(w, "  %s: %v\n", shortPath(f.Path), f.Err)
	}
	if info.ScanNSPerChunk > 0 {
		fmt.Fprintf(w, "\nOne core read %s MB of NBT a second, %.1f µs a chunk.\n", ui.FormatCount(int64(info.ScanMBPerSecond)), float64(info.ScanNSPerChunk)/1e3)
	}
	return nil
}

// namedFolder is a row of the tables.
type namedFolder struct {
	name string
	*scan.Folder
}

// folders lists the folders that have a region file; the chunks of a dimension
// are always there.
func (info *worldInfo) folders() (list []namedFolder) {
	for i := range info.Dimensions {
		d := &info.Dimensions[i]
		list = append(list, namedFolder{d.Name, &d.Folder})
		for _, f := range []namedFolder{{"  entities", &d.Entities}, {"  poi", &d.POI}} {
			if f.Regions+f.External > 0 {
				list = append(list, f)
			}
		}
	}
	return list
}

// writeFolders writes the table of files and sizes.
func (info *worldInfo) writeFolders(console *ui.Console, w io.Writer) error {
	columns := []ui.Column{{Head: "dimension"}, {Head: "regions", Right: true}, {Head: "chunks", Right: true}, {Head: "size", Right: true}}
	records := info.Depth != "headers"
	if records {
		columns = append(columns, ui.Column{Head: "payload", Right: true}, ui.Column{Head: "padding", Right: true},
			ui.Column{Head: "free", Right: true}, ui.Column{Head: "unreadable", Right: true}, ui.Column{Head: "schemes"})
	}
	table := console.NewTable(columns...)
	for _, f := range info.folders() {
		row := []string{f.name, ui.FormatCount(int64(f.Regions)), ui.FormatCount(f.Chunks), ui.FormatBytes(f.Bytes)}
		if records {
			row = append(row, ui.FormatBytes(f.PayloadBytes), part(f.PaddingBytes, f.Bytes), part(f.FreeBytes, f.Bytes),
				ui.FormatCount(f.Unreadable), countList(f.Schemes))
		}
		table.Row(row...)
	}
	return table.Render(w)
}

// writeContents writes the table of what documents say.
func (info *worldInfo) writeContents(console *ui.Console, w io.Writer) error {
	if info.Depth != "documents" {
		return nil
	}
	fmt.Fprintln(w)
	table := console.NewTable(ui.Column{Head: "dimension"}, ui.Column{Head: "NBT", Right: true}, ui.Column{Head: "entities", Right: true},
		ui.Column{Head: "never visited", Right: true}, ui.Column{Head: "data versions"}, ui.Column{Head: "statuses"})
	for _, f := range info.folders() {
		entities, visited := "", ""
		if strings.HasSuffix(f.name, "entities") {
			entities = ui.FormatCount(f.Folder.Entities)
		} else if len(f.Statuses) > 0 {
			visited = ui.FormatCount(f.Uninhabited)
		}
		table.Row(f.name, ui.FormatBytes(f.DocumentBytes), entities, visited, countList(f.DataVersions), countList(f.Statuses))
	}
	return table.Render(w)
}

// part is a size and which part of a whole it is.
func part(bytes, whole int64) string {
	if bytes == 0 || whole == 0 {
		return ui.FormatBytes(bytes)
	}
	return fmt.Sprintf("%s %d %%", ui.FormatBytes(bytes), bytes*100/whole)
}

// countList writes counts, the largest first. The game's namespace is left out.
func countList[K cmp.Ordered](counts map[K]int64) string {
	keys := slices.SortedFunc(maps.Keys(counts), func(a, b K) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	texts := make([]string, len(keys))
	for i, key := range keys {
		name := strings.TrimPrefix(fmt.Sprint(key), "minecraft:")
		if len(keys) == 1 {
			return name
		}
		texts[i] = name + " " + ui.FormatCount(counts[key])
	}
	return strings.Join(texts, ", ")
}
