package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/anvil/level"
	"strata/cmd/internal/ui"
	"strata/pregen"
	"strata/pregen/plan"
	"strata/region"
	"strata/region/codec"
	"strata/server/admin"
)

// pregenJob is what the flags of strata pregen ask for.
type pregenJob struct {
	dimensions []string
	centre     plan.Block
	areas      []*plan.Area // by dimension; nil for existing chunks
	options    pregen.Options
	request    pregen.Request
}

// job reads the flags, which w, the world as it is or will be, and its
// generators are asked about. Nothing is changed.
func (f *pregenFlags) job(w *anvil.World, gens func() (pregenGenerators, error)) (*pregenJob, error) {
	j := new(pregenJob)
	for _, id := range f.dimensions {
		id = completeID(strings.TrimSpace(id))
		if !level.ValidID(id) {
			return nil, ui.Errorf(ui.Usage, "--dimension %q is no id", id)
		}
		j.dimensions = append(j.dimensions, id)
	}
	if err := f.readOptions(&j.options); err != nil {
		return nil, err
	}
	var err error
	if j.centre, err = f.readCenter(w, gens); err != nil {
		return nil, err
	}
	for _, id := range j.dimensions {
		area, err := f.area(w, id, j.centre)
		if err != nil {
			return nil, err
		}
		j.areas = append(j.areas, area)
	}
	j.request = f.request(j.centre)
	return j, nil
}

// readOptions reads the flags that go on to the run as they are.
func (f *pregenFlags) readOptions(o *pregen.Options) error {
	var err error
	if o.Order, err = plan.ParseOrder(f.order); err != nil {
		return ui.Errorf(ui.Usage, "--order: %w", err)
	}
	if o.Level, err = codec.ParseLevel(f.level); err != nil {
		return ui.Errorf(ui.Usage, "--level %q: want 1 to 12 or sector", f.level)
	}
	if o.Until = chunk.ParseStatus(f.until); o.Until == chunk.StatusUnknown || o.Until > chunk.StatusFull {
		return ui.Errorf(ui.Usage, "--until %q is no status, such as noise, surface, carvers or full", f.until)
	}
	o.Profile = pregen.Profile(f.profile)
	if o.Profile != pregen.Low && o.Profile != pregen.Throughput {
		return ui.Errorf(ui.Usage, "--memory-profile %q is not low or throughput", f.profile)
	}
	if o.MemoryLimit, err = admin.ParseSize(f.memoryLimit); err != nil {
		return ui.Errorf(ui.Usage, "--memory-limit: %w", err)
	}
	if f.workers < 0 || !(f.rate >= 0) || math.IsInf(f.rate, 0) || !(f.maxLoad >= 0 && f.maxLoad <= 100) {
		return ui.Errorf(ui.Usage, "--workers, --rate and --max-load must not be below 0, nor --max-load above 100")
	}
	o.Workers, o.Rate, o.MaxLoad = f.workers, f.rate, f.maxLoad/100*float64(processors())
	o.Timestamp, o.NoBlending, o.Restart = f.timestamp, f.noBlending, f.restart
	return nil
}

// readCenter returns the center in blocks.
func (f *pregenFlags) readCenter(w *anvil.World, gens func() (pregenGenerators, error)) (plan.Block, error) {
	if f.center == "spawn" {
		if spawn, ok := w.Level().Spawn(); ok {
			return plan.Block{X: spawn.X, Z: spawn.Z}, nil
		}
		g, err := gens()
		if err != nil {
			return plan.Block{}, err
		}
		x, z, err := g.Spawn()
		return plan.Block{X: x, Z: z}, err
	}
	at, err := plan.ReadPolygon(strings.NewReader(f.center))
	if err != nil || len(at) != 1 {
		return plan.Block{}, ui.Errorf(ui.Usage, "--center %q is not X,Z in blocks, nor spawn", f.center)
	}
	return at[0], nil
}

// area makes the area of one dimension.
func (f *pregenFlags) area(w *anvil.World, id string, centre plan.Block) (*plan.Area, error) {
	shape, err := plan.ParseShape(f.shape)
	if err != nil {
		return nil, ui.Errorf(ui.Usage, "--shape: %w", err)
	}
	switch {
	case f.upgrade || shape == plan.Existing:
		if f.radius != "" || f.polygon != "" {
			return nil, ui.Errorf(ui.Usage, "--radius and --polygon do not go with existing chunks, which are all of the dimension's")
		}
		return nil, nil
	case f.polygon != "" || shape == plan.Polygon:
		return f.readPolygon()
	case f.radius == "":
		return nil, ui.WithHint(ui.Errorf(ui.Usage, "how much?"), "Say it with --radius, --polygon, --shape existing or --upgrade.")
	case f.radius == "worldborder":
		if shape != plan.Square && shape != plan.Rectangle {
			return nil, ui.Errorf(ui.Usage, "the world border is a square, not a %s", shape)
		}
		return worldBorder(w, id)
	}
	radius, err := plan.ParseRadius(f.radius)
	if err == nil {
		if shape == plan.Square && radius.X != radius.Z {
			shape = plan.Rectangle
		}
		var area *plan.Area
		if area, err = plan.NewArea(shape, centre, radius); err == nil {
			return area, nil
		}
	}
	return nil, ui.Errorf(ui.Usage, "--radius: %w", err)
}

func (f *pregenFlags) readPolygon() (*plan.Area, error) {
	if f.polygon == "" || f.radius != "" {
		return nil, ui.Errorf(ui.Usage, "a polygon has corners, given with --polygon, and no --radius")
	}
	file, err := os.Open(f.polygon)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ui.Errorf(ui.Usage, "--polygon: %w", err)
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	corners, err := plan.ReadPolygon(file)
	if err != nil {
		return nil, ui.Errorf(ui.Usage, "--polygon %s: %w", f.polygon, err)
	}
	area, err := plan.NewPolygon(corners)
	if err != nil {
		return nil, ui.Errorf(ui.Usage, "--polygon %s: %w", f.polygon, err)
	}
	return area, nil
}

// worldBorder is the area within the border of a dimension.
func worldBorder(w *anvil.World, id string) (*plan.Area, error) {
	var border level.WorldBorder
	doc, err := w.ReadData("world_border", id)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, ui.Errorf(ui.Usage, "%s has no world border", id)
	case err != nil:
		return nil, err
	}
	if err := doc.Decode(&border); err != nil {
		return nil, fmt.Errorf("world border of %s: %w", id, err)
	}
	half := border.Size / 2
	low := func(center float64) int32 { return int32(max(math.Floor(center-half), -plan.MaxBlock)) }
	high := func(center float64) int32 { return int32(min(math.Ceil(center+half)-1, plan.MaxBlock)) }
	if !(half >= 1) || !(math.Abs(border.CenterX) <= plan.MaxBlock) || !(math.Abs(border.CenterZ) <= plan.MaxBlock) {
		return nil, ui.Errorf(ui.Usage, "the world border of %s is %g blocks around %g,%g", id, border.Size, border.CenterX, border.CenterZ)
	}
	area, err := plan.NewBox(
		plan.Block{X: low(border.CenterX), Z: low(border.CenterZ)},
		plan.Block{X: high(border.CenterX), Z: high(border.CenterZ)})
	if err != nil {
		return nil, ui.WithHint(ui.Errorf(ui.Usage, "the world border of %s: %w", id, err), "Set a smaller border in the game, or give --radius.")
	}
	return area, nil
}

// request is the settings as flags, for the run to go on without them.
func (f *pregenFlags) request(centre plan.Block) pregen.Request {
	r := pregen.Request{
		"dimension": strings.Join(f.dimensions, ","), "center": fmt.Sprintf("%d,%d", centre.X, centre.Z),
		"radius": f.radius, "shape": f.shape, "order": f.order, "until": f.until, "level": f.level,
		"timestamp": strconv.FormatUint(uint64(f.timestamp), 10), "upgrade": strconv.FormatBool(f.upgrade),
		"no-blending": strconv.FormatBool(f.noBlending), "ignore-packs": strconv.FormatBool(f.ignorePacks),
		"no-template-structures": strconv.FormatBool(f.noTemplates),
	}
	if f.polygon != "" {
		r["polygon"] = f.polygon
		if full, err := filepath.Abs(f.polygon); err == nil {
			r["polygon"] = full
		}
	}
	return r
}

// centreChunk is where the work begins.
func (j *pregenJob) centreChunk() region.ChunkPos {
	return region.ChunkPos{X: j.centre.X >> 4, Z: j.centre.Z >> 4}
}
