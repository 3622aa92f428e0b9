package main

import (
	"bufio"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"strata/anvil"
	"strata/anvil/query"
	"strata/anvil/worldmap"
	"strata/cmd/internal/ui"
	"strata/region"
)

// mapFlags are the flags of strata world map.
type mapFlags struct {
	chunkPicker
	output  string
	area    string
	scale   string
	maxY    int
	cut     bool
	overlay string
	older   string
}

// mapPixels is the largest side of a picture if no scale is asked for.
const mapPixels = 16384

// newWorldMapCmd draws one dimension, so that of the flags that pick chunks
// --dimension is another.
func newWorldMapCmd(a *app) *cobra.Command {
	var flags mapFlags
	cmd := &cobra.Command{
		Use:   "map WORLD -o FILE.png|DIR",
		Short: "Draw a map of a world",
		Long: `Draw a dimension of a world from above, in the colors of the game's maps, with
shading by height, the ground under shallow water, and the tints of biomes.

With -o FILE.png it is one picture. With -o DIR it is a folder of tiles,
SCALE/r.X.Z.png, on ever coarser scales, and index.html: a page to move and zoom
in with mouse, touch or keyboard, which needs no network.

What is not a finished chunk is hatched: in the color of its status if its
generation has not come to its end, gray if it is from before 1.13, red if it
cannot be read. Columns without blocks are nearly black, absent chunks
transparent.

--scale 1:N makes a pixel of N by N blocks: 1:1, 1:2, 1:4 and so on; 1:16 is a
pixel for each chunk, 1:512 one for each region. The default is 1:1, for one
picture the finest at which no side has more than 16,384 pixels.

--y-max Y draws nothing above Y; where Y is inside of the ground the view begins
at the highest air below. The nether is drawn so at 100; 200 shows its roof.

--overlay colors the chunks by inhabited (time that players were near),
data-version, status, scheme (of compression) or waste (padding in their
sectors), --diff OLD by how they differ from another world or backup of it:
created, modified, touched, moved; chunks that only OLD has are not there to be
drawn. Without --dimension the overworld is drawn. Nothing in the world is
written, and a running server does not mind.

Exit code 3: chunks or files could not be read, are from before 1.13, or the
expression failed on some.

With --json: output, dimension, scale, chunks, half_generated, too_old,
unreadable, min_x, min_z, max_x, max_z (blocks), width, height (of a picture, in
pixels), levels[] (of tiles: scale, tiles), files, bytes, overlay, legend[]
(label, color, chunks), chunks_per_s, duration_ns, failed[] (path, error).`,
		Example: `  strata world map world -o world.png
  strata world map world -o nether.png --dimension the_nether --scale 1:2
  strata world map /srv/world -o map --overlay inhabited
  strata world map /srv/world -o map --diff /backup/world`,
		Args: exactArgs("WORLD"),
		RunE: func(cmd *cobra.Command, args []string) error {
			flags.cut = cmd.Flags().Changed("y-max")
			return a.worldMap(cmd.Context(), args[0], &flags)
		},
	}
	flags.register(cmd)
	f := cmd.Flags()
	f.Lookup("dimension").Usage = "draw dimension `ID` (default the overworld)"
	f.StringVarP(&flags.output, "output", "o", "", "write the picture to `FILE.png`, or tiles to a folder")
	f.StringVar(&flags.area, "area", "", "draw the chunks with the blocks `X1,Z1,X2,Z2` and those between")
	f.StringVar(&flags.scale, "scale", "", "draw at `1:N`: a pixel is N by N blocks (default as fine as fits)")
	f.IntVar(&flags.maxY, "y-max", 0, "draw nothing above `Y`")
	f.StringVar(&flags.overlay, "overlay", "", "color the chunks by `WHAT`: "+strings.Join(overlayNames(), ", "))
	f.StringVar(&flags.older, "diff", "", "color the chunks by how they differ from the world `OLD`")
	return cmd
}

func overlayNames() (names []string) {
	for _, o := range worldmap.Overlays() {
		names = append(names, o.Name)
	}
	return names
}

func (a *app) worldMap(ctx context.Context, path string, flags *mapFlags) error {
	options, scale, err := flags.options()
	if err != nil {
		return err
	}
	w, err := openWorld(path)
	if err != nil {
		return err
	}
	selected, err := a.pickForMap(ctx, w, flags, &options)
	if err != nil {
		return err
	}
	result := &mapResult{Output: flags.output, Dimension: options.Dimension, query: selected}
	if flags.older != "" {
		if result.compared, err = a.diffOverlay(ctx, w, flags.older, &options); err != nil {
			return err
		}
	}
	if options.Overlay != nil {
		result.Overlay = options.Overlay.Name
	}
	if err := a.drawMap(ctx, w, options, result, scale); err != nil {
		return mapError(err)
	}
	if err := a.console.Result(result, result.writeText); err != nil {
		return err
	}
	return result.problems()
}

// options reads the flags that need no world; a scale of 0 is for us to choose.
func (flags *mapFlags) options() (o worldmap.Options, scale int, err error) {
	o = worldmap.Options{Dimension: anvil.Overworld, Workers: flags.workers}
	if flags.output == "" {
		return o, 0, ui.Errorf(ui.Usage, "-o FILE.png or -o DIR is missing")
	}
	switch len(flags.dimensions) {
	case 0:
	case 1:
		o.Dimension = completeID(flags.dimensions[0])
	default:
		return o, 0, ui.Errorf(ui.Usage, "a map is of one --dimension")
	}
	if flags.cut {
		o.MaxY = &flags.maxY
	}
	if flags.overlay != "" && flags.older != "" {
		return o, 0, ui.Errorf(ui.Usage, "--overlay and --diff do not go together")
	}
	if flags.overlay != "" {
		for _, overlay := range worldmap.Overlays() {
			if overlay.Name == flags.overlay {
				o.Overlay = &overlay
			}
		}
		if o.Overlay == nil {
			return o, 0, ui.Errorf(ui.Usage, "--overlay %s is none of %s", flags.overlay, strings.Join(overlayNames(), ", "))
		}
	}
	if flags.area != "" {
		if o.Area, err = parseArea(flags.area); err != nil {
			return o, 0, err
		}
	}
	if flags.scale != "" {
		text, ok := strings.CutPrefix(flags.scale, "1:")
		scale, err = strconv.Atoi(text)
		if !ok || err != nil || scale < 1 || scale > worldmap.MaxScale || scale&(scale-1) != 0 {
			return o, 0, ui.Errorf(ui.Usage, "--scale %s is none of 1:1, 1:2, 1:4, ... 1:%d", flags.scale, worldmap.MaxScale)
		}
	}
	return o, scale, nil
}

// parseArea reads the blocks of two corners.
func parseArea(text string) (*worldmap.Area, error) {
	fields := strings.Split(text, ",")
	var n [4]int32
	for i, field := range fields {
		v, err := strconv.ParseInt(strings.TrimSpace(field), 10, 32)
		if err != nil || len(fields) != len(n) {
			return nil, ui.Errorf(ui.Usage, "--area %s is not X1,Z1,X2,Z2", text)
		}
		n[i] = int32(v) >> 4
	}
	if len(fields) != len(n) {
		return nil, ui.Errorf(ui.Usage, "--area %s is not X1,Z1,X2,Z2", text)
	}
	return &worldmap.Area{
		Min: region.ChunkPos{X: min(n[0], n[2]), Z: min(n[1], n[3])}, Max: region.ChunkPos{X: max(n[0], n[2]), Z: max(n[1], n[3])},
	}, nil
}

// pickForMap sets which chunks are drawn. An expression is asked beforehand,
// for then the picture is only as large as what it picks.
func (a *app) pickForMap(ctx context.Context, w *anvil.World, flags *mapFlags, o *worldmap.Options) (*query.Result, error) {
	if flags.where == "" && flags.selection == "" {
		return nil, nil
	}
	flags.dimensions = []string{o.Dimension}
	q, options, err := flags.compile(w)
	if err != nil {
		return nil, err
	}
	if flags.where == "" {
		o.Pick = options.Selection.Has
		return nil, nil
	}
	progress := a.console.StartProgress(ui.Work{Label: "pick", Unit: ui.UnitBytes})
	defer progress.Stop()
	options.Progress = progress.Add
	picked := &query.Selection{}
	o.Pick = picked.Has
	return query.Select(ctx, w, q, options, func(row *query.Row) error {
		picked.Add(row.Pos())
		return nil
	})
}

// drawMap draws the map and fills in the result.
func (a *app) drawMap(ctx context.Context, w *anvil.World, o worldmap.Options, result *mapResult, scale int) error {
	progress := a.console.StartProgress(ui.Work{Label: "draw", Unit: ui.UnitBytes})
	defer progress.Stop()
	o.Progress = progress.Add
	plan, err := worldmap.NewPlan(w, o)
	if err != nil {
		return err
	}
	progress.SetTotal(plan.Bytes)
	result.MinX, result.MinZ = int(plan.Bounds.Min.X)*16, int(plan.Bounds.Min.Z)*16
	result.MaxX, result.MaxZ = int(plan.Bounds.Max.X)*16+15, int(plan.Bounds.Max.Z)*16+15
	var drawn *worldmap.Result
	if strings.EqualFold(filepath.Ext(result.Output), ".png") {
		if scale == 0 {
			scale = plan.FitScale(mapPixels)
		}
		drawn, err = drawPicture(ctx, plan, result, scale)
	} else {
		scale = max(1, scale)
		drawn, err = drawTiles(ctx, plan, result, w.Level().Name(), scale)
	}
	if err != nil {
		return err
	}
	result.Scale = scale
	result.Chunks, result.Half, result.TooOld, result.Unreadable = drawn.Chunks, drawn.Half, drawn.TooOld, drawn.Unreadable
	result.first, result.Failed, result.Duration = drawn.First, append(result.compared, drawn.Failed...), drawn.Duration
	if s := drawn.Duration.Seconds(); s > 0 {
		result.Rate = math.Round(float64(drawn.Chunks) / s)
	}
	for _, entry := range drawn.Legend {
		result.Legend = append(result.Legend, mapMark{entry.Label, entry.CSSColor(), entry.Chunks})
	}
	return nil
}

// drawPicture writes one picture, which takes its name when it is whole.
func drawPicture(ctx context.Context, plan *worldmap.Plan, result *mapResult, scale int) (drawn *worldmap.Result, err error) {
	frame, err := plan.Frame(scale)
	if err != nil {
		return nil, err
	}
	result.Width, result.Height = frame.Width, frame.Height
	file, err := os.CreateTemp(filepath.Dir(result.Output), ".strata-*")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	out := bufio.NewWriterSize(file, 64<<10)
	drawn, err = plan.WritePNG(ctx, out, scale)
	if err == nil {
		err = out.Flush()
	}
	stat, statErr := file.Stat()
	if err = errors.Join(err, statErr, file.Chmod(0o644), file.Close()); err != nil {
		return drawn, err
	}
	result.Files, result.Bytes = 1, stat.Size()
	return drawn, os.Rename(file.Name(), result.Output)
}

func drawTiles(ctx context.Context, plan *worldmap.Plan, result *mapResult, name string, scale int) (*worldmap.Result, error) {
	drawn, tiles, err := plan.WriteTiles(ctx, result.Output, name, scale)
	if err != nil {
		return drawn, err
	}
	result.Files, result.Bytes = tiles.Files, tiles.Bytes
	for _, level := range tiles.Levels {
		result.Levels = append(result.Levels, mapLevel{level.Scale, len(level.Tiles)})
	}
	return drawn, nil
}

// mapError gives an error its exit code.
func mapError(err error) error {
	switch {
	case errors.Is(err, anvil.ErrNoDimension), errors.Is(err, worldmap.ErrArea):
		return ui.Errorf(ui.Usage, "%w", err)
	case errors.Is(err, worldmap.ErrTooLarge):
		return ui.WithHint(ui.Errorf(ui.Usage, "%w", err), "A coarser --scale or an --area makes it smaller; with -o DIR there is no limit.")
	case errors.Is(err, worldmap.ErrNotMap):
		return ui.WithHint(ui.Errorf(ui.Usage, "%w", err), "Nothing was changed. Name a new folder, or FILE.png for one picture.")
	}
	return err
}
