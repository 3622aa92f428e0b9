package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"strata/anvil/datapack"
	"strata/cmd/internal/ui"
)

// dataImportReport is the result of strata data import. Its fields are those
// of dataContent and these.
type dataImportReport struct {
	dataContent
	DryRun   bool `json:"dry_run"`
	Replaced bool `json:"replaced"` // data of the version were there, or are
}

func newDataImportCmd(a *app) *cobra.Command {
	var to string
	var opts datapack.ImportOptions
	cmd := &cobra.Command{
		Use:   "import SRC",
		Short: "Copy the game's own data from server.jar, a zip or a folder",
		Long: `Copy the game's own data from your copy of the game into one file, in which
other commands find them by themselves.

SRC is the server.jar, the jar inside it, a folder with data/minecraft or with
the content of that (worldgen, tags and so on), a zip of such a folder, or a
game.pack. Checksums are verified and every file is read; the new file is read
back and compared before it takes the place of an older one. JSON files are
kept byte for byte, structure templates without their gzip. Files that are not
what their name says are left out and listed, and the exit code is 3.

A server.jar says its version. Where data do not, it is worked out from the
structure templates and the built-in packs, or --game-version says it.

With --json: path, stored_bytes, dry_run, replaced, version (id, world_version,
protocol_version, data_format, java_version, stable), version_from
(version.json, given, content), source (path, kind, bytes, sha1, sha256),
content_sha256, imported_at, files, bytes (inflated), counts (files by
registry), skipped_files, skipped[] (name, reason; the first 100), missing[]
(name, for).`,
		Example: `  strata data import server.jar
  strata data import unpacked/data/minecraft --game-version 26.1.2 --to ./data`,
		Args: exactArgs("SRC"),
		RunE: func(cmd *cobra.Command, args []string) error {
			src := args[0]
			if absent(src) {
				return ui.Errorf(ui.Missing, "%s does not exist", src)
			}
			home, err := a.dataHome(to)
			if err != nil {
				return err
			}
			done, err := a.importData(cmd, home, src, opts)
			if err != nil {
				return dataError(err)
			}
			report := dataImportReport{
				dataContent: newDataContent(done.Path, done.StoredBytes, &done.Manifest),
				DryRun:      opts.DryRun, Replaced: done.Replaced,
			}
			if err := a.console.Result(report, func(w io.Writer) error { return report.writeText(a.console, w) }); err != nil {
				return err
			}
			if n := report.SkippedFiles; n > 0 {
				return ui.Errorf(ui.Problems, "%s left out", countText(n, "file"))
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&to, "to", "", "data folder to import into (default the user's `DIR`)")
	flags.StringVar(&opts.Version, "game-version", "", "game `VERSION` of data that do not say it, such as 26.1.2")
	flags.BoolVar(&opts.DryRun, "dry-run", false, "check everything and say what would be imported")
	return cmd
}

// importData imports and shows how far it is.
func (a *app) importData(cmd *cobra.Command, home datapack.Home, src string, opts datapack.ImportOptions) (*datapack.Imported, error) {
	progress := a.console.StartProgress(ui.Work{Label: "import", Unit: "files"})
	defer progress.Stop()
	last := 0
	opts.Progress = func(done, total int) {
		progress.SetTotal(int64(total))
		progress.Add(int64(done - last))
		last = done
	}
	return home.Import(cmd.Context(), src, opts)
}

func (r *dataImportReport) writeText(console *ui.Console, w io.Writer) error {
	verb, replaced := "imported", "replaced what was there"
	if r.DryRun {
		verb, replaced = "would import", "replaces what is there"
	}
	fmt.Fprintf(w, "%s %s\n", verb, r.Version)
	if r.VersionFrom == datapack.FromContent {
		fmt.Fprintln(w, "  version  worked out from the data")
	}
	fmt.Fprintf(w, "  from     %s\n  to       %s\n", shortPath(r.Source.Path), shortPath(r.Path))
	if r.Replaced {
		fmt.Fprintf(w, "           %s\n", replaced)
	}
	fmt.Fprintf(w, "  with     %s, %s", countText(r.Files, "file"), ui.FormatBytes(r.Bytes))
	if !r.DryRun {
		fmt.Fprintf(w, ", stored in %s", ui.FormatBytes(r.StoredBytes))
	}
	fmt.Fprint(w, "\n\n")
	if err := r.writeNeeds(console, w); err != nil {
		return err
	}
	if r.SkippedFiles == 0 {
		return nil
	}
	fmt.Fprintf(w, "\nLeft out: %s\n", countText(r.SkippedFiles, "file"))
	return r.writeSkipped(w, "  ")
}

// writeSkipped lists the first of the files that were left out.
func (c *dataContent) writeSkipped(w io.Writer, indent string) error {
	const most = 20
	for i, s := range c.Skipped {
		if i == most {
			break
		}
		fmt.Fprintf(w, "%s%q: %s\n", indent, s.Name, s.Reason)
	}
	if n := c.SkippedFiles - min(most, len(c.Skipped)); n > 0 {
		fmt.Fprintf(w, "%sand %s more\n", indent, ui.FormatCount(int64(n)))
	}
	return nil
}

// writeNeeds is a table of what Strata uses.
func (c *dataContent) writeNeeds(console *ui.Console, w io.Writer) error {
	table := console.NewTable(ui.Column{Head: "data"}, ui.Column{Head: "files", Right: true}, ui.Column{Head: "used for"})
	for _, need := range datapack.Needs() {
		files := "missing"
		if n := need.Count(c.Counts); n > 0 {
			files = ui.FormatCount(int64(n))
		}
		table.Row(need.Name, files, need.For)
	}
	return table.Render(w)
}

// countText is "1 file", "2 files".
func countText(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return ui.FormatCount(int64(n)) + " " + noun + "s"
}
