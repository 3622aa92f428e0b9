package edit

import (
	"context"
	"errors"
	"sync"

	"golang.org/x/sync/errgroup"

	"strata/anvil/store"
	"strata/anvil/undo"
	"strata/region"
	"strata/region/vfs"
)

// kinds are the kinds of records of a chunk.
var kinds = []store.Kind{store.Chunks, store.Entities, store.POI}

// Deleted counts what was, or would be, removed.
type Deleted struct {
	Chunks   int64 `json:"chunks"`
	Entities int64 `json:"entity_chunks"`
	POI      int64 `json:"poi"`
	// Bytes is the size of their sectors. External bodies come on top.
	Bytes int64 `json:"bytes"`
	// Regions are region files of all kinds of which nothing is left.
	Regions    int64              `json:"regions_removed"`
	Dimensions []DeletedDimension `json:"dimensions"`
	failures
}

// DeletedDimension is the part of a dimension.
type DeletedDimension struct {
	Name     string `json:"name"`
	Chunks   int64  `json:"chunks"`
	Entities int64  `json:"entity_chunks"`
	POI      int64  `json:"poi"`
	Bytes    int64  `json:"bytes"`
	Regions  int64  `json:"regions_removed"`
}

// of is the count of a kind.
func (d *DeletedDimension) of(k store.Kind) *int64 {
	switch k {
	case store.Entities:
		return &d.Entities
	case store.POI:
		return &d.POI
	default:
		return &d.Chunks
	}
}

// DeleteOptions say how chunks are removed.
type DeleteOptions struct {
	// Change keeps what is removed. nil: nothing is removed, and only counted.
	Change *undo.Change
	// Progress is called with the number of chunks that are through.
	Progress func(n int64)
}

// Delete removes the chunks of a set with their entities and points of interest,
// and the region files that this empties. What cannot be removed is counted and
// the rest goes on; a full disk and the end of ctx end it. Change is committed
// for each region before that is written, and left for the caller to finish.
func Delete(ctx context.Context, s *store.Store, p *Picked, o DeleteOptions) (*Deleted, error) {
	d := &deleter{s: s, o: o, r: &Deleted{Dimensions: []DeletedDimension{}, failures: failures{List: []Failure{}}}}
	for _, at := range p.Regions() {
		if err := ctx.Err(); err != nil {
			return d.r, err
		}
		if err := d.region(ctx, at, p.In(at)); err != nil {
			return d.r, err
		}
		if o.Progress != nil {
			o.Progress(int64(len(p.In(at))))
		}
	}
	return d.r, nil
}

type deleter struct {
	s *store.Store
	o DeleteOptions

	mu sync.Mutex // guards r while records are removed
	r  *Deleted
}

// doomed is a record that is to be removed.
type doomed struct {
	ref   store.Ref
	entry region.Entry
}

func (d *deleter) dimension(dim store.Dim) *DeletedDimension {
	name := d.s.World().Dimensions[dim].Name
	for i := range d.r.Dimensions {
		if d.r.Dimensions[i].Name == name {
			return &d.r.Dimensions[i]
		}
	}
	d.r.Dimensions = append(d.r.Dimensions, DeletedDimension{Name: name})
	return &d.r.Dimensions[len(d.r.Dimensions)-1]
}

// region removes the chunks of one region.
func (d *deleter) region(ctx context.Context, at store.RegionRef, chunks []region.ChunkPos) error {
	var all []doomed
	empties := map[store.Kind]bool{}
	for _, k := range kinds {
		raw, err := d.s.Raw(at.Dim, k)
		if err != nil {
			return err
		}
		header, err := headerOf(raw, at.Pos)
		if endsAll(err) {
			return err
		}
		if err != nil { // the file cannot be opened to write to it
			for _, pos := range chunks {
				d.r.add(d.s, store.Ref{Dim: at.Dim, Kind: k, Pos: pos}, err)
			}
			continue
		}
		some := false
		for _, pos := range chunks {
			if entry := header.Entry(pos.Slot()); !entry.Empty() {
				all = append(all, doomed{store.Ref{Dim: at.Dim, Kind: k, Pos: pos}, entry})
				header.Set(pos.Slot(), region.Entry{})
				some = true
			}
		}
		empties[k] = some && isEmpty(header)
	}
	if d.o.Change == nil {
		d.count(at.Dim, all, empties)
		return nil
	}
	if err := d.keep(all); err != nil {
		return err
	}
	if err := d.remove(ctx, all); err != nil {
		return err
	}
	return d.removeFiles(ctx, at, empties)
}

func isEmpty(h *region.Header) bool {
	for slot := range region.Slot(region.Slots) {
		if !h.Entry(slot).Empty() {
			return false
		}
	}
	return true
}

// count counts what would be removed.
func (d *deleter) count(dim store.Dim, all []doomed, empties map[store.Kind]bool) {
	for _, x := range all {
		d.removed(x)
	}
	for _, empty := range empties {
		if empty {
			d.r.Regions++
			d.dimension(dim).Regions++
		}
	}
}

func (d *deleter) removed(x doomed) {
	dim := d.dimension(x.ref.Dim)
	*dim.of(x.ref.Kind)++
	bytes := int64(x.entry.Location.Count()) * region.SectorBytes
	dim.Bytes += bytes
	d.r.Bytes += bytes
	switch x.ref.Kind {
	case store.Entities:
		d.r.Entities++
	case store.POI:
		d.r.POI++
	default:
		d.r.Chunks++
	}
}

// keep keeps records before they are written.
func (d *deleter) keep(all []doomed) error {
	for _, x := range all {
		if err := d.o.Change.Keep(d.s.World().Dimensions[x.ref.Dim].Name, x.ref.Kind, x.ref.Pos); err != nil {
			return err
		}
	}
	return d.o.Change.Commit()
}

// maxWrites is how many records are written at a time: they share the flushes of
// their region file.
const maxWrites = 64

func (d *deleter) remove(ctx context.Context, all []doomed) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(maxWrites)
	for _, x := range all {
		group.Go(func() error {
			raw, err := d.s.Raw(x.ref.Dim, x.ref.Kind)
			if err == nil {
				err = raw.Delete(ctx, x.ref.Pos, x.entry)
			}
			if endsAll(err) {
				return err
			}
			d.mu.Lock()
			defer d.mu.Unlock()
			if err != nil {
				d.r.add(d.s, x.ref, err)
			} else {
				d.removed(x)
			}
			return nil
		})
	}
	return group.Wait()
}

// endsAll reports whether an error is not about one record alone.
func endsAll(err error) bool {
	return errors.Is(err, vfs.ErrNoSpace) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) ||
		errors.Is(err, store.ErrClosed) || errors.Is(err, store.ErrReadOnly)
}

func (d *deleter) removeFiles(ctx context.Context, at store.RegionRef, empties map[store.Kind]bool) error {
	for _, k := range kinds {
		if !empties[k] {
			continue
		}
		raw, err := d.s.Raw(at.Dim, k)
		if err != nil {
			return err
		}
		removed, err := raw.RemoveEmpty(ctx, at.Pos)
		if endsAll(err) {
			return err
		}
		if err != nil {
			d.r.add(d.s, store.Ref{Dim: at.Dim, Kind: k, Pos: at.Pos.Chunk(0)}, err)
		}
		if removed {
			d.r.Regions++
			d.dimension(at.Dim).Regions++
		}
	}
	return nil
}
