package transplant

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"strata/anvil/edit"
	"strata/anvil/store"
	"strata/anvil/undo"
	"strata/region/codec"
	"strata/region/vfs"
)

// Options say how chunks are copied.
type Options struct {
	// X and Z are added to the positions of chunks.
	X, Z int32
	// To is the dimension that chunks go to, "" for that of the same id.
	To string
	// Overwrite replaces chunks that are there, with entities and points of
	// interest; without it they stay and the copy lacks them.
	Overwrite bool
	// NewIDs gives copied entities new UUIDs.
	NewIDs bool
	// Same says that both stores are of one world: chunks are then copied in an
	// order in which none is overwritten before it was read.
	Same bool
	// Change keeps what is overwritten. nil: nothing is written, and only counted.
	Change *undo.Change
	// Workers is how many chunks are worked on at a time, default GOMAXPROCS.
	Workers int
	// Progress is called with the number of chunks that are through.
	Progress func(n int64)
}

// Result counts what was, or would be, copied.
type Result struct {
	// Created are chunks that were not there, Replaced those that were, Existing
	// those that were there and stay.
	Created  int64 `json:"created"`
	Replaced int64 `json:"replaced"`
	Existing int64 `json:"existing"`
	// Chunks, Entities and POI are records that were written; Removed are
	// entities and points of interest that were there and that the source does
	// not have.
	Chunks   int64 `json:"chunks"`
	Entities int64 `json:"entity_chunks"`
	POI      int64 `json:"poi"`
	Removed  int64 `json:"removed"`
	// Bytes is the size of the written records, compressed.
	Bytes  int64          `json:"bytes"`
	Failed int64          `json:"failed"`
	List   []edit.Failure `json:"failed_list"`
}

func (r *Result) fail(s *store.Store, ref store.Ref, err error) {
	r.Failed++
	if len(r.List) < edit.MaxListed {
		name := s.World().Dimensions[ref.Dim].Name
		r.List = append(r.List, edit.Failure{Dimension: name, Kind: ref.Kind.String(), Pos: ref.Pos, Err: err, Text: err.Error()})
	}
}

var kinds = [...]store.Kind{store.Chunks, store.Entities, store.POI}

// Copy copies the chunks of a set with their entities and points of interest. A
// chunk that cannot be copied as a whole is counted as failed, and the rest goes
// on; a full disk and the end of ctx end it. o.Change is committed for each few
// chunks before they are written, and left for the caller to finish. The error
// may wrap ErrDimension.
func Copy(ctx context.Context, from, to *store.Store, p *edit.Picked, o Options) (*Result, error) {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	c := &copier{from: from, to: to, o: o, routes: map[store.Dim]*route{}, r: &Result{List: []edit.Failure{}}}
	if err := c.plan(p); err != nil {
		return c.r, err
	}
	if o.NewIDs {
		if err := c.collect(ctx, p); err != nil {
			return c.r, err
		}
	}
	batch := make([]store.Ref, 0, batchChunks)
	for ref := range c.order(p) {
		if batch = append(batch, ref); len(batch) < batchChunks {
			continue
		}
		if err := c.batch(ctx, batch); err != nil {
			return c.r, err
		}
		batch = batch[:0]
	}
	return c.r, c.batch(ctx, batch)
}

// batchChunks are read and rewritten before the first of them is written, and
// share the flushes of what is kept for undo.
const batchChunks = 128

type copier struct {
	from, to *store.Store
	o        Options
	routes   map[store.Dim]*route
	workers  sync.Pool // of *worker

	mu sync.Mutex // guards r while records are written
	r  *Result
}

// route is where the chunks of a dimension go.
type route struct {
	move Move
	dim  store.Dim
	ids  *IDs
}

// plan finds the dimensions.
func (c *copier) plan(p *edit.Picked) error {
	dims := map[string]store.Dim{}
	for i, d := range c.to.World().Dimensions {
		dims[d.Name] = store.Dim(i)
	}
	for _, at := range p.Regions() {
		if c.routes[at.Dim] != nil {
			continue
		}
		r := &route{move: Move{From: c.from.World().Dimensions[at.Dim].Name, To: c.o.To, X: c.o.X, Z: c.o.Z}}
		if r.move.To == "" {
			r.move.To = r.move.From
		}
		var ok bool
		if r.dim, ok = dims[r.move.To]; !ok {
			return fmt.Errorf("%s: %w", r.move.To, ErrDimension)
		}
		if c.o.NewIDs {
			r.ids = NewIDs(r.move)
		}
		c.routes[at.Dim] = r
	}
	return nil
}

// batch copies some chunks.
func (c *copier) batch(ctx context.Context, refs []store.Ref) error {
	jobs := make([]job, len(refs))
	err := c.parallel(ctx, refs, func(w *worker, i int) { jobs[i] = w.prepare(c.routes[refs[i].Dim], refs[i]) })
	if err != nil {
		return err
	}
	var writes []write
	for i := range jobs {
		writes = append(writes, c.take(refs[i], &jobs[i])...)
	}
	if err := c.write(ctx, writes); err != nil {
		return err
	}
	if c.o.Progress != nil {
		c.o.Progress(int64(len(refs)))
	}
	return nil
}

// parallel calls f for each of some chunks, in several goroutines.
func (c *copier) parallel(ctx context.Context, refs []store.Ref, f func(w *worker, i int)) error {
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(c.o.Workers)
	for i := range refs {
		group.Go(func() error {
			w, _ := c.workers.Get().(*worker)
			if w == nil {
				w = &worker{c: c, encoders: map[codec.Scheme]*codec.Encoder{}}
			}
			f(w, i)
			c.workers.Put(w)
			return inner.Err()
		})
	}
	return group.Wait()
}

// take counts a chunk and returns what is to be written of it.
func (c *copier) take(ref store.Ref, j *job) []write {
	switch {
	case j.err != nil:
		c.r.fail(c.from, ref, j.err)
		return nil
	case j.there && !c.o.Overwrite:
		c.r.Existing++
		return nil
	case j.there:
		c.r.Replaced++
	default:
		c.r.Created++
	}
	return j.writes
}

// maxWrites is how many records are written at a time: they share the flushes of
// their region file.
const maxWrites = 64

func (c *copier) write(ctx context.Context, writes []write) error {
	if c.o.Change == nil {
		for _, w := range writes {
			c.wrote(w)
		}
		return nil
	}
	for _, w := range writes {
		if err := c.o.Change.Keep(c.to.World().Dimensions[w.ref.Dim].Name, w.ref.Kind, w.ref.Pos); err != nil {
			return err
		}
	}
	if err := c.o.Change.Commit(); err != nil {
		return err
	}
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(maxWrites)
	for _, w := range writes {
		group.Go(func() error {
			err := c.writeOne(inner, w)
			if endsAll(err) {
				return err
			}
			c.mu.Lock()
			defer c.mu.Unlock()
			if err != nil {
				c.r.fail(c.to, w.ref, err)
			} else {
				c.wrote(w)
			}
			return nil
		})
	}
	return group.Wait()
}

func (c *copier) writeOne(ctx context.Context, w write) error {
	raw, err := c.to.Raw(w.ref.Dim, w.ref.Kind)
	if err != nil {
		return err
	}
	if w.rec.Data == nil {
		return raw.Delete(ctx, w.ref.Pos, w.old)
	}
	return raw.Replace(ctx, w.ref.Pos, store.RawWrite{Old: w.old, Record: w.rec, Overwrite: true})
}

// wrote counts a record that was written.
func (c *copier) wrote(w write) {
	if w.rec.Data == nil {
		c.r.Removed++
		return
	}
	c.r.Bytes += int64(len(w.rec.Data))
	switch w.ref.Kind {
	case store.Entities:
		c.r.Entities++
	case store.POI:
		c.r.POI++
	default:
		c.r.Chunks++
	}
}

// endsAll reports whether an error is not about one record alone.
func endsAll(err error) bool {
	return errors.Is(err, vfs.ErrNoSpace) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) ||
		errors.Is(err, store.ErrClosed) || errors.Is(err, store.ErrReadOnly)
}
