package worldmap

import (
	"errors"
	"fmt"
	"io/fs"

	"strata/anvil"
	"strata/anvil/level"
	"strata/anvil/scan"
	"strata/anvil/store"
	"strata/nbt"
	"strata/region"
)

const (
	// MaxScale is how many blocks a pixel may be wide: a region is one then.
	MaxScale = 512
	// MaxSide is how many pixels a picture may be wide or high.
	MaxSide = 1 << 16
	// MaxChunk is how far from the origin chunks of an area may be.
	MaxChunk = 1 << 21
	// NetherMaxY is where the nether is cut by default.
	NetherMaxY = 100
)

// Options are what to draw. The zero value draws all of the overworld.
type Options struct {
	// Dimension is its id.
	Dimension string
	// Pick tells which chunks are drawn, by default all. It is called
	// concurrently.
	Pick func(region.ChunkPos) bool
	// Area is the part of the world that pictures show, by default all that
	// there is to draw.
	Area *Area
	// MaxY is the highest y that is drawn. By default there is no limit, but
	// for dimensions of the nether's type NetherMaxY.
	MaxY *int
	// Overlay colors the chunks, if it is set.
	Overlay *Overlay
	// Workers is how many files are read at the same time, by default one for
	// each processor.
	Workers int
	// Progress is called with the size of every file that has been drawn.
	Progress func(bytes int64)
}

// Area is a rectangle of chunks, both corners included.
type Area struct{ Min, Max region.ChunkPos }

// Has reports whether a chunk is in the area.
func (a Area) Has(pos region.ChunkPos) bool {
	return pos.X >= a.Min.X && pos.X <= a.Max.X && pos.Z >= a.Min.Z && pos.Z <= a.Max.Z
}

// with is the smallest area with another chunk in it.
func (a Area) with(pos region.ChunkPos) Area {
	return Area{
		region.ChunkPos{X: min(a.Min.X, pos.X), Z: min(a.Min.Z, pos.Z)},
		region.ChunkPos{X: max(a.Max.X, pos.X), Z: max(a.Max.Z, pos.Z)},
	}
}

func (a Area) check() error {
	within := func(n int32) bool { return n >= -MaxChunk && n <= MaxChunk }
	if a.Max.X < a.Min.X || a.Max.Z < a.Min.Z || !within(a.Min.X) || !within(a.Min.Z) || !within(a.Max.X) || !within(a.Max.Z) {
		return fmt.Errorf("chunks %v to %v: %w", a.Min, a.Max, ErrArea)
	}
	return nil
}

// Plan is what is to be drawn.
type Plan struct {
	// Bounds is Options.Area, or the smallest area with all Chunks.
	Bounds Area
	Chunks int64
	Bytes  int64 // of the region files with them
	// Failed are the files that could not be looked at.
	Failed []anvil.Failed

	world   *anvil.World
	options Options
	maxY    *int
	files   []scan.File
}

// NewPlan reads the headers of a dimension's region files. The error wraps
// anvil.ErrNoDimension, ErrArea, or ErrEmpty if there is nothing to draw.
func NewPlan(w *anvil.World, o Options) (*Plan, error) {
	if o.Dimension == "" {
		o.Dimension = anvil.Overworld
	}
	dimension, err := w.Dimension(o.Dimension)
	if err != nil {
		return nil, err
	}
	if o.Area != nil {
		if err := o.Area.check(); err != nil {
			return nil, err
		}
	}
	listing := scan.Files(w, dimension.ID)
	p := &Plan{world: w, options: o, maxY: o.MaxY, Failed: append([]anvil.Failed{}, listing.Failed...)}
	if settings, _ := w.Settings(); p.maxY == nil && hasCeiling(settings, dimension.ID) {
		y := NetherMaxY
		p.maxY = &y
	}
	var reader scan.Reader
	for _, f := range listing.Files {
		if f.Kind == store.Chunks {
			p.add(&reader, f)
		}
	}
	if p.Chunks == 0 {
		return nil, fmt.Errorf("dimension %s: %w", dimension.ID, errors.Join(append([]error{ErrEmpty}, causes(p.Failed)...)...))
	}
	if o.Area != nil {
		p.Bounds = *o.Area
	}
	return p, nil
}

func causes(failed []anvil.Failed) (errs []error) {
	for _, f := range failed {
		errs = append(errs, f.Err)
	}
	return errs
}

// add adds a file if there are chunks in it to draw.
func (p *Plan) add(reader *scan.Reader, f scan.File) {
	header, err := reader.Header(p.world.FS(), f)
	if errors.Is(err, fs.ErrNotExist) {
		return // gone since it was listed
	}
	if err != nil {
		p.Failed = append(p.Failed, anvil.Failed{Path: f.Path, Err: err})
		return
	}
	before := p.Chunks
	for slot := range region.Slot(region.Slots) {
		pos := f.Pos.Chunk(slot)
		if header.Entry(slot).Empty() || !p.picks(pos) {
			continue
		}
		if p.Chunks == 0 {
			p.Bounds = Area{pos, pos}
		}
		p.Bounds = p.Bounds.with(pos)
		p.Chunks++
	}
	if p.Chunks > before {
		p.files = append(p.files, f)
		p.Bytes += f.Bytes
	}
}

// picks reports whether a chunk is drawn, if it is there.
func (p *Plan) picks(pos region.ChunkPos) bool {
	return (p.options.Area == nil || p.options.Area.Has(pos)) && (p.options.Pick == nil || p.options.Pick(pos))
}

// hasCeiling reports whether a dimension is of a type with a ceiling.
func hasCeiling(settings level.GenSettings, id string) bool {
	kind := id
	if d, ok := settings.Dimensions[id]; ok {
		if d.Type.Type == nbt.TypeCompound {
			var inline struct {
				Ceiling bool `nbt:"has_ceiling"`
			}
			return d.Type.Decode(&inline) == nil && inline.Ceiling
		}
		kind = d.TypeID()
	}
	return kind == anvil.Nether || kind == "minecraft:overworld_caves"
}
