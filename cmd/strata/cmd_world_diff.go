package main

import (
	"context"
	"errors"
	"image/png"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"strata/anvil"
	"strata/anvil/diff"
	"strata/cmd/internal/ui"
)

// diffFlags are the flags of strata world diff.
type diffFlags struct {
	ignore     []string
	timestamps bool
	dimensions []string
	workers    int
	limit      int
	paths      int
	blocks     int
	touched    bool
	noFiles    bool
	exitCode   bool
	heatmap    string
	scale      int
}

// diffResult is the result of strata world diff.
type diffResult struct {
	*diff.Result
	*diff.FilesResult
	Chunks []diff.Chunk `json:"chunks"`
	// Complete is false if there are more chunks than were listed.
	Complete bool         `json:"chunks_complete"`
	HeatMap  *heatMapNote `json:"heatmap,omitempty"`
}

// heatMapNote says what the picture shows.
type heatMapNote struct {
	File      string `json:"file"`
	Dimension string `json:"dimension"`
	X         int32  `json:"x"` // chunk in the upper left corner
	Z         int32  `json:"z"`
	Scale     int    `json:"pixels_per_chunk"`
	Per       int    `json:"chunks_per_pixel"`
}

func newWorldDiffCmd(a *app) *cobra.Command {
	var flags diffFlags
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Compare two worlds, or two folders of region files",
		Long: `Compare two worlds, or two folders of region files, chunk by chunk: with entities
and points of interest, players and data files. Worlds in different layouts are
matched by the ids of their dimensions. Both are only read.

A chunk is created or deleted, modified if its content differs, touched if only
LastUpdate, InhabitedTime or the slot's timestamp differs, moved if the same
content lies in other sectors, or equal. A chunk whose entities or points of
interest differ is modified; the counts of the three kinds stand beside. What was
only compressed anew is not modified.

Of a modified chunk come the NBT paths that differ, and its blocks, biomes, block
entities and entities, up to --paths and --blocks of each.

--heatmap draws a map of one dimension: dark is equal, blue touched, yellow to red
modified by the number of blocks, green created, violet deleted, white unreadable.

Exit code 3: something could not be read, or with --exit-code something differs
(moved does not count); 10: no such world or folder.

With --json: created, deleted, modified, touched, moved, equal, unreadable (of
chunks), region, entities, poi (the same, of records), reencoded, dimensions[]
(name and the same), blocks, biomes, objects, block_kinds[] and biome_kinds[] (old,
new, count), paths[] (path, count), players and data_files (counts), files[] (what,
name, dimension, class, changes, paths[], old, new), chunks[] (dimension, x, z,
class and of region, entities and poi: class, changes, paths[] (path, old, new),
blocks, block_kinds[], block_list[], biomes, biome_kinds[], sections[], objects,
object_list[]), chunks_complete, heatmap, failed[].`,
		Example: `  strata world diff backup/world world
  strata world diff a b --ignore 'Entities[].Pos,block_entities[].Items' --exit-code
  strata world diff a/region b/region --heatmap changes.png`,
		Args: exactArgs("OLD", "NEW"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.worldDiff(cmd.Context(), args[0], args[1], &flags)
		},
	}
	flags.register(cmd.Flags())
	return cmd
}

// register adds the flags to set.
func (f *diffFlags) register(set *pflag.FlagSet) {
	set.StringArrayVar(&f.ignore, "ignore", nil, "do not compare what these NBT paths lead to (`PATH,...`, may be repeated)")
	set.BoolVar(&f.timestamps, "ignore-timestamps", false, "do not compare the timestamps of slots")
	set.StringSliceVar(&f.dimensions, "dimension", nil, "compare these dimensions only (`ID`, may be repeated)")
	set.IntVar(&f.workers, "workers", 0, "compare `N` regions at the same time (default one for each processor)")
	set.IntVar(&f.limit, "limit", 1000, "list at most `N` chunks, 0 for all")
	set.IntVar(&f.paths, "paths", diff.DefaultPaths, "list at most `N` paths and objects of a record")
	set.IntVar(&f.blocks, "blocks", diff.DefaultBlocks, "list at most `N` blocks of a chunk")
	set.BoolVar(&f.touched, "touched", false, "list touched chunks as well")
	set.BoolVar(&f.noFiles, "no-files", false, "do not compare players and data files")
	set.BoolVar(&f.exitCode, "exit-code", false, "exit with 3 if something differs")
	set.StringVar(&f.heatmap, "heatmap", "", "draw a map of one dimension, by default the overworld, to `FILE` (PNG)")
	set.IntVar(&f.scale, "heatmap-scale", 0, "make a chunk `N` pixels wide (default by the size of the area)")
}

func (f *diffFlags) options() (diff.Options, error) {
	o := diff.Options{IgnoreTimestamps: f.timestamps, Paths: f.paths, Blocks: f.blocks, Workers: f.workers}
	if f.limit < 0 || f.paths < 0 || f.blocks < 0 || f.workers < 0 || f.scale < 0 || f.scale > 64 {
		return o, ui.Errorf(ui.Usage, "--limit, --paths, --blocks and --workers are 0 or more, --heatmap-scale is 0 to 64")
	}
	// In Options 0 is the default.
	if f.paths == 0 {
		o.Paths = -1
	}
	if f.blocks == 0 {
		o.Blocks = -1
	}
	var paths []string
	for _, list := range f.ignore {
		paths = append(paths, splitPaths(list)...)
	}
	var err error
	if o.Ignore, err = diff.ParseIgnore(paths...); err != nil {
		return o, ui.Errorf(ui.Usage, "--ignore: %w", err)
	}
	return o, nil
}

// splitPaths splits at commas that are not within brackets, braces or quotes.
func splitPaths(list string) (paths []string) {
	depth, quote, start := 0, byte(0), 0
	for i := 0; i < len(list); i++ {
		switch c := list[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		case c == ',' && depth <= 0:
			paths = append(paths, list[start:i])
			start = i + 1
		}
	}
	paths = append(paths, list[start:])
	return slices.DeleteFunc(paths, func(p string) bool { return strings.TrimSpace(p) == "" })
}

// openSide opens a world or a folder of region files.
func openSide(path string, dimensions []string) (*diff.Side, error) {
	w, err := openWorld(path)
	if err == nil {
		return diff.OpenWorld(w, dimensions...), nil
	}
	if !errors.Is(err, anvil.ErrNoWorld) {
		return nil, err
	}
	if info, statErr := os.Stat(path); statErr == nil && !info.IsDir() {
		return nil, ui.Errorf(ui.Usage, "%s is a file; give the world, or the folder of region files", path)
	}
	side, folderErr := diff.OpenFolder(nil, path)
	switch {
	case errors.Is(folderErr, fs.ErrNotExist), errors.Is(folderErr, diff.ErrNothing):
		return nil, ui.Errorf(ui.Missing, "%w", folderErr)
	default:
		return side, folderErr
	}
}

func (a *app) worldDiff(ctx context.Context, oldPath, newPath string, flags *diffFlags) error {
	dimensions := flags.dimensionIDs()
	old, err := openSide(oldPath, dimensions)
	if err != nil {
		return err
	}
	now, err := openSide(newPath, dimensions)
	if err != nil {
		return err
	}
	return a.diffSides(ctx, old, now, flags)
}

func (f *diffFlags) dimensionIDs() (ids []string) {
	for _, id := range f.dimensions {
		ids = append(ids, completeID(id))
	}
	return ids
}

// diffSides compares two sides that were opened for the flags' dimensions.
func (a *app) diffSides(ctx context.Context, old, now *diff.Side, flags *diffFlags) error {
	options, err := flags.options()
	if err != nil {
		return err
	}
	for _, id := range flags.dimensionIDs() {
		if !slices.Contains(old.Dimensions(), id) && !slices.Contains(now.Dimensions(), id) {
			return ui.Errorf(ui.Usage, "--dimension %s: neither side has it", id)
		}
	}
	result, picture, err := a.compareSides(ctx, old, now, options, flags)
	if errors.Is(err, diff.ErrKinds) {
		return ui.Errorf(ui.Usage, "%w", err)
	}
	if err != nil {
		return err
	}
	if flags.heatmap != "" {
		if result.HeatMap, err = writeHeatMap(flags, picture, flags.heatDimension(old)); err != nil {
			return err
		}
	}
	if err := a.console.Result(result, func(w io.Writer) error { return result.writeText(a.console, w) }); err != nil {
		return err
	}
	return result.problems(flags.exitCode)
}

// heatDimension is the dimension that is drawn.
func (f *diffFlags) heatDimension(s *diff.Side) string {
	switch {
	case !s.IsWorld():
		return ""
	case len(f.dimensions) > 0:
		return completeID(f.dimensions[0])
	default:
		return anvil.Overworld
	}
}

func (a *app) compareSides(ctx context.Context, old, now *diff.Side, options diff.Options, flags *diffFlags) (*diffResult, *diff.HeatMap, error) {
	progress := a.console.StartProgress(ui.Work{Label: "compare", Unit: ui.UnitBytes, Total: old.Bytes() + now.Bytes()})
	defer progress.Stop()
	options.Progress = progress.Add
	result := &diffResult{FilesResult: &diff.FilesResult{Files: []diff.File{}}, Chunks: []diff.Chunk{}, Complete: true}
	picture, drawn := &diff.HeatMap{}, flags.heatDimension(old)
	var err error
	result.Result, err = diff.Compare(ctx, old, now, options, func(r *diff.Region) error {
		if flags.heatmap != "" && r.Dimension == drawn {
			picture.Add(r)
		}
		for i := range r.Chunks {
			switch {
			case r.Chunks[i].Class == diff.Touched && !flags.touched:
			case flags.limit > 0 && len(result.Chunks) == flags.limit:
				result.Complete = false
			default:
				result.Chunks = append(result.Chunks, r.Chunks[i])
			}
		}
		return nil
	})
	if err != nil || flags.noFiles {
		return result, picture, err
	}
	if result.FilesResult, err = diff.CompareFiles(ctx, old, now, options); err != nil {
		return result, picture, err
	}
	result.Result.Failed = append(result.Result.Failed, result.FilesResult.Failed...)
	return result, picture, nil
}

// writeHeatMap draws the picture to a new file, or over an old one.
func writeHeatMap(flags *diffFlags, h *diff.HeatMap, dimension string) (_ *heatMapNote, err error) {
	picture, corner, per, err := h.Image(flags.scale)
	if errors.Is(err, diff.ErrNoChunks) {
		return nil, ui.Errorf(ui.Failed, "--heatmap: %w in dimension %q", err, dimension)
	}
	if err != nil {
		return nil, err
	}
	file, err := os.Create(flags.heatmap)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	wide, _ := h.Size()
	note := &heatMapNote{File: flags.heatmap, Dimension: dimension, X: corner.X, Z: corner.Z, Scale: 1, Per: per}
	if per == 1 {
		note.Scale = picture.Bounds().Dx() / wide
	}
	return note, png.Encode(file, picture)
}

// problems is the error that gives the exit code.
func (r *diffResult) problems(exitCode bool) error {
	switch {
	case len(r.Result.Failed) > 0:
		return ui.Errorf(ui.Problems, "could not be read: %s, first %s: %w", countText(len(r.Result.Failed), "file"), r.Result.Failed[0].Path, r.Result.Failed[0].Err)
	case r.Region.Unreadable+r.Entities.Unreadable+r.POI.Unreadable > 0:
		return ui.Errorf(ui.Problems, "could not be compared: %s", countText(int(r.Region.Unreadable+r.Entities.Unreadable+r.POI.Unreadable), "record"))
	case r.Players.Unreadable+r.Data.Unreadable > 0:
		return ui.Errorf(ui.Problems, "could not be compared: %s", countText(int(r.Players.Unreadable+r.Data.Unreadable), "file"))
	case exitCode && (r.Result.Differ() || r.FilesResult.Differ()):
		return ui.Errorf(ui.Problems, "they differ")
	default:
		return nil
	}
}
