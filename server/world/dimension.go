package world

import (
	"errors"
	"fmt"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/anvil/light"
	"strata/anvil/store"
	"strata/region"
	"strata/server/entity"
	"strata/server/source"
	"strata/server/stream"
)

// Source has the chunks of a dimension.
type Source interface {
	Want(requests []source.Request)
	Take(dst []source.Result, n int) []source.Result
	Close() error
}

// Options of a Dimension.
type Options struct {
	// ID such as minecraft:the_nether.
	ID string
	// Shape is the sections of its chunks.
	Shape stream.Shape
	// Sky says that there is sky light, Hot that water evaporates.
	Sky, Hot bool
	// Foreign names the facts of states that the native table lacks.
	Foreign *block.States
	// Source has its chunks. Close closes it.
	Source Source
	// Together is that of the store of the chunks.
	Together func(func(store.Together) error) error
	// Version is the data version of entities' documents that are made.
	Version int32
	// IDs gives entities their numbers, nil for numbers of its own.
	IDs *entity.IDs
	// Unloaded is told of chunks that are let go of; nil for nobody.
	Unloaded func(pos region.ChunkPos)
	// Failed is told of chunks that cannot be had, or that what is scheduled in
	// them cannot be put into; nil for nobody.
	Failed func(pos region.ChunkPos, err error)
}

// Dimension is the loaded chunks of one dimension.
type Dimension struct {
	options Options
	columns map[region.ChunkPos]*store.Hold
	files   map[region.ChunkPos]*store.DocumentHold // of entities; absent if they cannot be kept
	failed  map[region.ChunkPos]bool
	views   []stream.View
	results []source.Result

	changes changes
	engine  *light.Engine
	ticks   schedule
	now     int64 // how often RunTicks was called
	problem error // of RunTicks

	entities *entity.Set
}

// takenATick is how many results of the source a tick takes.
const takenATick = 64

// NewDimension returns a dimension without chunks.
func NewDimension(o Options) *Dimension {
	if o.Failed == nil {
		o.Failed = func(region.ChunkPos, error) {}
	}
	if o.Unloaded == nil {
		o.Unloaded = func(region.ChunkPos) {}
	}
	if o.IDs == nil {
		o.IDs = &entity.IDs{}
	}
	return &Dimension{
		files: map[region.ChunkPos]*store.DocumentHold{}, entities: entity.NewSet(o.IDs),
		options: o, columns: map[region.ChunkPos]*store.Hold{}, failed: map[region.ChunkPos]bool{}, engine: new(light.Engine),
		ticks: schedule{chunks: map[region.ChunkPos]*chunkTicks{}, changed: map[region.ChunkPos]*chunkTicks{}},
	}
}

// ID returns the dimension's id.
func (d *Dimension) ID() string { return d.options.ID }

// Shape returns the sections of its chunks.
func (d *Dimension) Shape() stream.Shape { return d.options.Shape }

// Loaded is how many chunks are in memory.
func (d *Dimension) Loaded() int { return len(d.columns) }

// SetViews says what is viewed from now on: chunks in none of the views are
// let go of, chunks that are not there are asked for, the nearest first.
func (d *Dimension) SetViews(views []stream.View) {
	d.views = append(d.views[:0], views...)
	for pos, hold := range d.columns {
		if !d.viewed(pos) {
			if err := d.letGo(pos, hold); err != nil {
				d.options.Failed(pos, err)
			}
			d.options.Unloaded(pos)
		}
	}
	for pos := range d.failed {
		if !d.viewed(pos) {
			delete(d.failed, pos)
		}
	}
	d.options.Source.Want(d.lacking())
}

// lacking lists the chunks that are viewed and neither here nor failed. Each
// has the rank of the view that it is nearest in.
func (d *Dimension) lacking() []source.Request {
	var requests []source.Request
	index := map[region.ChunkPos]int{}
	var places []region.ChunkPos
	for _, v := range d.views {
		places = v.Append(places[:0])
		for rank, pos := range places {
			if d.columns[pos] != nil || d.failed[pos] {
				continue
			}
			if i, ok := index[pos]; ok {
				requests[i].Rank = min(requests[i].Rank, int32(rank))
				continue
			}
			index[pos] = len(requests)
			requests = append(requests, source.Request{Pos: pos, Rank: int32(rank)})
		}
	}
	return requests
}

func (d *Dimension) viewed(pos region.ChunkPos) bool {
	for _, v := range d.views {
		if v.Contains(pos) {
			return true
		}
	}
	return false
}

// Tick takes what the source has. Its errors are those of new light and of
// scheduled ticks.
func (d *Dimension) Tick() error {
	d.results = d.options.Source.Take(d.results[:0], takenATick)
	errs := []error{d.problem}
	d.problem = nil
	for i := range d.results {
		if err := d.take(&d.results[i]); err != nil {
			errs = append(errs, fmt.Errorf("%s, chunk %d %d: %w", d.options.ID, d.results[i].Pos.X, d.results[i].Pos.Z, err))
		}
	}
	clear(d.results)
	return errors.Join(errs...)
}

func (d *Dimension) take(r *source.Result) error {
	switch {
	case r.Relit:
		defer r.Release()
		_, err := r.ApplyLight()
		return err
	case r.Err != nil:
		d.failed[r.Pos] = true
		d.options.Failed(r.Pos, r.Err)
	case !d.viewed(r.Pos) || d.columns[r.Pos] != nil:
		r.Release()
	default:
		d.columns[r.Pos] = r.Hold
		return errors.Join(d.loadTicks(r.Pos), d.loadEntities(r.Pos, r.Entities))
	}
	return nil
}

// letGo puts what is scheduled into a chunk, and lets go of it.
func (d *Dimension) letGo(pos region.ChunkPos, hold *store.Hold) error {
	err := errors.Join(d.dropTicks(pos), d.dropEntities(pos))
	hold.Release()
	delete(d.columns, pos)
	return err
}

// Unavailable reports whether a chunk that is viewed cannot be had.
func (d *Dimension) Unavailable(pos region.ChunkPos) bool { return d.failed[pos] }

// Read calls f with a chunk, which f must not keep or change, and reports
// whether the chunk is there.
func (d *Dimension) Read(pos region.ChunkPos, f func(*chunk.Chunk)) bool {
	hold := d.columns[pos]
	return hold != nil && hold.Read(f) == nil
}

// Block returns the block at a place; false if its chunk is not there.
func (d *Dimension) Block(pos chunk.BlockPos) (s block.State, loaded bool) {
	loaded = d.Read(pos.Chunk(), func(c *chunk.Chunk) {
		s = c.Block(int(pos.X), int(pos.Y), int(pos.Z))
	})
	return s, loaded
}

// Close lets go of all chunks and closes the source.
func (d *Dimension) Close() error {
	var errs []error
	for pos, hold := range d.columns {
		errs = append(errs, d.letGo(pos, hold))
	}
	return errors.Join(append(errs, d.options.Source.Close())...)
}
