package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"strata/anvil/datapack"
	"strata/cmd/internal/ui"
)

// dataInfo is the result of strata data info.
type dataInfo struct {
	Home    string        `json:"home"` // the data folder, "" if --data names a source
	Packs   []dataContent `json:"packs"`
	Damaged []damagedData `json:"damaged"`
}

// damagedData is an imported file that can not be read.
type damagedData struct {
	Path  string `json:"path"`
	Error string `json:"error"`
}

func newDataInfoCmd(a *app) *cobra.Command {
	var data string
	cmd := &cobra.Command{
		Use:   "info",
		Short: "Show what game data are there and what is missing",
		Long: `Show what game data have been imported: version, where from and when, the
number of files of each registry, and what is missing for what. --data names
another data folder, or a jar, zip or folder to look into without importing it.

Exit code 10: no data are there; 1: some are damaged.

With --json: home; packs[] with path, stored_bytes, missing[] and the other
fields of 'strata data import', the newest version first; damaged[] (path,
error). Of what was not imported, imported_at is absent, checksums are empty,
and bytes are as the source stores them.`,
		Example: `  strata data info
  strata data info --data server.jar --json`,
		Args: exactArgs(),
		RunE: func(*cobra.Command, []string) error {
			info, err := a.readDataInfo(data)
			if err != nil {
				return dataError(err)
			}
			if err := a.console.Result(info, func(w io.Writer) error { return info.writeText(a.console, w) }); err != nil {
				return err
			}
			if n := len(info.Damaged); n > 0 {
				return ui.WithHint(ui.Errorf(ui.Failed, "damaged: %s", countText(n, "file")), "Import the version again with 'strata data import'.")
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&data, "data", "", "data folder, jar, zip or folder to show (default the user's `DIR`)")
	return cmd
}

func (a *app) readDataInfo(data string) (*dataInfo, error) {
	info := &dataInfo{Packs: []dataContent{}, Damaged: []damagedData{}}
	if data != "" {
		if absent(data) {
			return nil, ui.Errorf(ui.Missing, "%s does not exist", data)
		}
		content, err := inspectData(data)
		if err == nil {
			info.Packs = append(info.Packs, *content)
			return info, nil
		}
		// A data folder is no pack.
		if fi, serr := os.Stat(data); serr != nil || !fi.IsDir() || !errors.Is(err, datapack.ErrNotPack) {
			return nil, err
		}
	}
	home, err := a.dataHome(data)
	if err != nil {
		return nil, err
	}
	info.Home = home.Dir
	list, err := home.List()
	if err != nil {
		return nil, err
	}
	for _, in := range list {
		if in.Err != nil {
			info.Damaged = append(info.Damaged, damagedData{in.Path, in.Err.Error()})
			continue
		}
		info.Packs = append(info.Packs, newDataContent(in.Path, in.StoredBytes, in.Manifest))
	}
	if len(list) == 0 {
		return nil, ui.WithHint(ui.Errorf(ui.Missing, "no game data in %s", home.Dir), "Import them with 'strata data import server.jar'.")
	}
	return info, nil
}

// inspectData looks into data that need not have been imported.
func inspectData(path string) (content *dataContent, err error) {
	p, err := datapack.Open(path, datapack.Options{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	files, size := p.Files()
	if m := p.Manifest(); m != nil {
		fi, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		c := newDataContent(path, fi.Size(), m)
		return &c, nil
	}
	m := &datapack.Manifest{
		VersionFrom: datapack.FromContent, Source: datapack.Source{Path: path, Kind: p.Kind()},
		Files: files, Bytes: size, Counts: p.Counts(),
	}
	if p.HasVersion() {
		m.VersionFrom = datapack.FromVersionJSON
	}
	if !p.IsGame() {
		return nil, fmt.Errorf("%s: %w of the game's own data", path, datapack.ErrNotPack)
	}
	if m.Version, err = p.Version(); err != nil {
		return nil, err
	}
	m.SkippedFiles, m.Skipped = p.Skipped()
	if m.Skipped == nil {
		m.Skipped = []datapack.Skipped{}
	}
	c := newDataContent(path, 0, m)
	return &c, nil
}

func (info *dataInfo) writeText(console *ui.Console, w io.Writer) error {
	for i := range info.Packs {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := info.Packs[i].writeText(console, w); err != nil {
			return err
		}
	}
	for i, d := range info.Damaged {
		if i == 0 && len(info.Packs) > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "damaged  %s\n  %s\n", shortPath(d.Path), d.Error)
	}
	return nil
}

func (c *dataContent) writeText(console *ui.Console, w io.Writer) error {
	v := c.Version
	fmt.Fprintf(w, "%s: data version %d, protocol %d, data pack format %s\n", v.ID, v.WorldVersion, v.Protocol, v.Format)
	switch c.VersionFrom {
	case datapack.FromContent:
		fmt.Fprintln(w, "  version   worked out from the data")
	case datapack.FromCaller:
		fmt.Fprintln(w, "  version   as given at the import")
	}
	if c.StoredBytes > 0 {
		fmt.Fprintf(w, "  file      %s, %s\n", shortPath(c.Path), ui.FormatBytes(c.StoredBytes))
	}
	fmt.Fprintf(w, "  from      %s (%s)\n", shortPath(c.Source.Path), c.Source.Kind)
	if c.Source.SHA1 != "" {
		fmt.Fprintf(w, "  sha1      %s\n", c.Source.SHA1)
	}
	if !c.ImportedAt.IsZero() {
		fmt.Fprintf(w, "  imported  %s\n", c.ImportedAt.Format(time.RFC3339))
	}
	fmt.Fprintf(w, "  holds     %s files, %s\n", ui.FormatCount(int64(c.Files)), ui.FormatBytes(c.Bytes))
	if c.SkippedFiles > 0 {
		fmt.Fprintf(w, "  left out  %s\n", countText(c.SkippedFiles, "file"))
		if err := c.writeSkipped(w, "            "); err != nil {
			return err
		}
	}
	fmt.Fprintln(w)
	if err := c.writeNeeds(console, w); err != nil {
		return err
	}
	var words []string
	for i, registry := range slices.Sorted(maps.Keys(c.Counts)) {
		word := registry + "\u00a0" + ui.FormatCount(int64(c.Counts[registry]))
		if i < len(c.Counts)-1 {
			word += ","
		}
		words = append(words, word)
	}
	_, err := fmt.Fprintf(w, "\nFiles by registry\n%s", wrap(words, "  "))
	return err
}
