package main

import (
	"context"
	"io"
	"math"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"strata/anvil"
	"strata/anvil/player"
	"strata/anvil/scan"
	"strata/anvil/undo"
	"strata/cmd/internal/ui"
)

// worldInfo is the result of strata world info.
type worldInfo struct {
	Path        string               `json:"path"`
	Name        string               `json:"name"`
	Version     string               `json:"version"` // "" in worlds from before 1.9
	DataVersion int32                `json:"data_version"`
	Snapshot    bool                 `json:"snapshot"`
	Seed        *string              `json:"seed"` // text: numbers in JSON may be rounded
	Layout      anvil.Layout         `json:"layout"`
	Structures  *bool                `json:"generate_structures"`
	Spawn       *worldSpawn          `json:"spawn"`
	Brands      []string             `json:"brands"`
	Players     int                  `json:"players"`
	Live        bool                 `json:"live"` // somebody holds the session lock
	Dimensions  []worldDimensionInfo `json:"dimensions"`
	Findings    []anvil.Finding      `json:"findings"`
	Failed      []anvil.Failed       `json:"failed"`
	UndoBytes   int64                `json:"undo_bytes"` // what is kept for strata world undo

	Depth           string  `json:"depth"`
	SlotsPerSecond  float64 `json:"slots_per_s,omitempty"`
	ScanNSPerChunk  int64   `json:"scan_ns_per_chunk,omitempty"`
	ScanMBPerSecond float64 `json:"scan_mb_per_s,omitempty"`
}

type worldSpawn struct {
	Dimension string `json:"dimension"`
	X         int32  `json:"x"`
	Y         int32  `json:"y"`
	Z         int32  `json:"z"`
}

// worldDimensionInfo is a dimension: its chunks, and beside them its entities
// and points of interest.
type worldDimensionInfo struct {
	Name   string `json:"name"`
	MinY   *int32 `json:"min_y"`
	Height *int32 `json:"height"`
	scan.Folder
	Entities scan.Folder `json:"entity_chunks"`
	POI      scan.Folder `json:"poi"`
}

// infoFlags are the flags of strata world info.
type infoFlags struct {
	quick, deep bool
	dimensions  []string
	workers     int
}

func newWorldInfoCmd(a *app) *cobra.Command {
	var flags infoFlags
	cmd := &cobra.Command{
		Use:   "info WORLD",
		Short: "Show what a world is and what it holds",
		Long: `Show what a world is (version, seed, layout, spawn) and what each of its
dimensions holds: region files, chunks, entities, sizes, and how much of them
is padding and free sectors. What is odd is listed at the end.

Without flags the records of region files are read but not inflated. --quick
reads the headers alone, --deep everything: it counts statuses, data versions
and entities, finds chunks that cannot be read, and says how fast that went, of
one core. Nothing is written, and a running server does not mind.

Exit code 3: a file or folder could not be read, or a chunk that was looked at.

With --json: path, name, version, data_version, seed (text), layout,
generate_structures, spawn, brands, players, live, findings[], failed[] (path,
error), undo_bytes, depth; dimensions[]: name, min_y, height, regions, empty, chunks,
external, bytes, with their records payload_bytes, padding_bytes, free_bytes,
unreadable, schemes, and with --deep document_bytes, statuses, data_versions,
misplaced, inhabited_ticks, uninhabited; entity_chunks and poi the same.
slots_per_s, and with --deep scan_ns_per_chunk and scan_mb_per_s.`,
		Example: `  strata world info ~/.minecraft/saves/Home
  strata world info /srv/world --deep --json`,
		Args: exactArgs("WORLD"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if flags.quick && flags.deep {
				return ui.Errorf(ui.Usage, "--quick and --deep do not go together")
			}
			w, err := openWorld(args[0])
			if err != nil {
				return err
			}
			info, err := a.readWorldInfo(cmd.Context(), w, flags)
			if err != nil {
				return err
			}
			if err := a.console.Result(info, func(w io.Writer) error { return info.writeText(a.console, w) }); err != nil {
				return err
			}
			return info.problems()
		},
	}
	cmd.Flags().BoolVar(&flags.quick, "quick", false, "read the headers of region files only")
	cmd.Flags().BoolVar(&flags.deep, "deep", false, "inflate and read every chunk")
	cmd.Flags().StringSliceVar(&flags.dimensions, "dimension", nil, "look at these dimensions only (`ID`, may be repeated)")
	cmd.Flags().IntVar(&flags.workers, "workers", 0, "read `N` files at the same time (default one for each processor)")
	return cmd
}

func (a *app) readWorldInfo(ctx context.Context, w *anvil.World, flags infoFlags) (_ *worldInfo, err error) {
	for i, id := range flags.dimensions {
		if flags.dimensions[i], err = knownDimension(w, id); err != nil {
			return nil, err
		}
	}
	options := scan.Options{Workers: flags.workers, Dimensions: flags.dimensions}
	headers, err := scan.Summarize(ctx, w, options)
	if err != nil {
		return nil, err
	}
	summary, depth := headers, "headers"
	if !flags.quick {
		options.Depth, depth = scan.Records, "records"
		if flags.deep {
			options.Depth, depth = scan.Documents, "documents"
		}
		if summary, err = a.summarize(ctx, w, headers, options); err != nil {
			return nil, err
		}
	}
	info, err := newWorldInfo(w, summary)
	if err != nil {
		return nil, err
	}
	info.Depth = depth
	if s := headers.Took.Duration.Seconds(); s > 0 {
		info.SlotsPerSecond = math.Round(float64(headers.Took.Slots) / s)
	}
	if took := summary.Took; flags.deep && took.Records > 0 {
		info.ScanNSPerChunk = took.Duration.Nanoseconds() / took.Records
		info.ScanMBPerSecond = math.Round(float64(took.Bytes) / 1e6 / took.Duration.Seconds())
	}
	return info, nil
}

// summarize reads a world whose headers have been read, and shows how far it
// is.
func (a *app) summarize(ctx context.Context, w *anvil.World, headers *scan.Summary, options scan.Options) (*scan.Summary, error) {
	total := int64(0)
	for i := range headers.Dimensions {
		d := &headers.Dimensions[i]
		total += d.Chunks.Bytes + d.Entities.Bytes + d.POI.Bytes
	}
	progress := a.console.StartProgress(ui.Work{Label: "read", Unit: ui.UnitBytes, Total: total})
	defer progress.Stop()
	options.Progress = progress.Add
	return scan.Summarize(ctx, w, options)
}

// newWorldInfo puts together what level.dat and a summary say.
func newWorldInfo(w *anvil.World, summary *scan.Summary) (*worldInfo, error) {
	lvl := w.Level()
	info := &worldInfo{
		Path: w.Path(), Name: lvl.Name(), Version: lvl.Version().Name, DataVersion: w.DataVersion(), Snapshot: lvl.Version().Snapshot,
		Layout: w.Layout(), Brands: append([]string{}, lvl.Brands()...),
		Dimensions: []worldDimensionInfo{}, Findings: append([]anvil.Finding{}, w.Findings()...), Failed: summary.Failed,
	}
	if info.Version == "" {
		info.Version = anvil.ReleaseName(info.DataVersion)
	}
	if seed, ok := w.Seed(); ok {
		text := strconv.FormatInt(seed, 10)
		info.Seed = &text
	}
	if settings, ok := w.Settings(); ok {
		info.Structures = &settings.Structures
	}
	if spawn, ok := lvl.Spawn(); ok {
		info.Spawn = &worldSpawn{spawn.Dimension, spawn.X, spawn.Y, spawn.Z}
		if spawn.Dimension == "" {
			info.Spawn.Dimension = anvil.Overworld
		}
	}
	players, err := player.List(w.FS(), w.Players())
	if err != nil {
		return nil, err
	}
	info.Players = len(players)
	if info.Live, err = w.Live(); err != nil {
		info.Failed = append(info.Failed, anvil.Failed{Path: w.Path(), Err: err})
	}
	if info.UndoBytes, err = undo.Size(w.FS(), w.Folders()[0]); err != nil {
		info.Failed = append(info.Failed, anvil.Failed{Path: filepath.Join(w.Path(), "strata", "undo"), Err: err})
	}
	for i := range summary.Dimensions {
		d := &summary.Dimensions[i]
		di := worldDimensionInfo{Name: d.ID, Folder: d.Chunks, Entities: d.Entities, POI: d.POI}
		if h, err := w.Height(d.ID); err == nil {
			di.MinY, di.Height = &h.MinY, &h.Blocks
		}
		info.Dimensions = append(info.Dimensions, di)
	}
	return info, nil
}

// problems is the error of a world that could not be read as a whole.
func (info *worldInfo) problems() error {
	unreadable := int64(0)
	for i := range info.Dimensions {
		d := &info.Dimensions[i]
		unreadable += d.Unreadable + d.Entities.Unreadable + d.POI.Unreadable
	}
	if n := len(info.Failed); n > 0 {
		return ui.Errorf(ui.Problems, "could not be read: %s", countText(n, "file"))
	}
	if unreadable > 0 {
		return ui.Errorf(ui.Problems, "could not be read: %s", countText(int(unreadable), "chunk"))
	}
	return nil
}
