package edit

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"strata/anvil"
	"strata/anvil/store"
	"strata/anvil/undo"
	"strata/region"
	"strata/region/codec"
)

// Result counts what was, or would be, changed.
type Result struct {
	// Changed and Unchanged are chunks. A chunk is changed if its record is, or
	// that of its entities or points of interest.
	Changed   int64 `json:"changed"`
	Unchanged int64 `json:"unchanged"`
	// Chunks, Entities and POI are records that were written, Removed those of
	// them that were removed.
	Chunks   int64 `json:"chunks"`
	Entities int64 `json:"entity_chunks"`
	POI      int64 `json:"poi"`
	Removed  int64 `json:"removed"`
	// Before and After are the sizes of these records, compressed.
	Before int64 `json:"bytes_before"`
	After  int64 `json:"bytes_after"`
	// Skipped counts chunks that were left as they are, by reason.
	Skipped map[string]int64 `json:"skipped"`
	// Dimensions are those of which chunks are changed.
	Dimensions []ChangedDimension `json:"dimensions"`
	failures
}

// ChangedDimension is the part of a dimension.
type ChangedDimension struct {
	Name    string `json:"name"`
	Changed int64  `json:"changed"`
	Before  int64  `json:"bytes_before"`
	After   int64  `json:"bytes_after"`
}

// NewResult is that of nothing.
func NewResult() *Result {
	return &Result{Skipped: map[string]int64{}, Dimensions: []ChangedDimension{}, failures: failures{List: []Failure{}}}
}

// dimension is the part of a dimension, which is added if it is not there.
func (r *Result) dimension(name string) *ChangedDimension {
	for i := range r.Dimensions {
		if r.Dimensions[i].Name == name {
			return &r.Dimensions[i]
		}
	}
	r.Dimensions = append(r.Dimensions, ChangedDimension{Name: name})
	return &r.Dimensions[len(r.Dimensions)-1]
}

// ChangeOptions say how chunks are changed.
type ChangeOptions struct {
	// Change keeps what is changed. nil: nothing is written, and only counted.
	Change *undo.Change
	// Workers is how many chunks are worked on at a time, default GOMAXPROCS.
	Workers int
	// Progress is called with the number of chunks that are through.
	Progress func(n int64)
}

// Change makes changes to the chunks of a set. A chunk that a field cannot be
// applied to is skipped as a whole, and one that cannot be read or written is
// counted as failed; the rest goes on. A full disk and the end of ctx end it.
// o.Change is committed for each few chunks before they are written, and left for
// the caller to finish.
func Change(ctx context.Context, s *store.Store, p *Picked, f *Fields, o ChangeOptions) (*Result, error) {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	c := &changer{s: s, f: f, o: o, r: NewResult()}
	var chunks []store.Ref
	for ref := range p.Refs(store.Chunks) {
		if chunks = append(chunks, ref); len(chunks) < batchChunks {
			continue
		}
		if err := c.batch(ctx, chunks); err != nil {
			return c.r, err
		}
		chunks = chunks[:0]
	}
	return c.r, c.batch(ctx, chunks)
}

// Chunks are worked on in batches, and their records written as soon as there
// are enough of them to share flushes, or enough bytes.
const (
	batchChunks = 32
	writeCount  = 512
	writeBytes  = 64 << 20
)

type changer struct {
	s       *store.Store
	f       *Fields
	o       ChangeOptions
	workers sync.Pool // of *worker

	// pending are records to be written, with bytes of them.
	pending []outcome
	bytes   int

	mu sync.Mutex // guards r while records are written
	r  *Result
}

// outcome is what becomes of a record.
type outcome struct {
	ref    store.Ref
	old    region.Record // entry and scheme; Data only if it is written again
	size   int           // of the old stream
	data   []byte        // the new stream, nil to remove
	scheme codec.Scheme
	stamp  *uint32
	same   bool // the same document
}

// result is what becomes of a chunk.
type result struct {
	records []outcome
	skip    error // why it is left as it is
	fail    error // or could not be read
	failed  store.Ref
}

func (c *changer) batch(ctx context.Context, chunks []store.Ref) error {
	results := make([]result, len(chunks))
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(c.o.Workers)
	for i, ref := range chunks {
		group.Go(func() error {
			w, _ := c.workers.Get().(*worker)
			if w == nil {
				w = &worker{c: c, encoders: map[codec.Scheme]*codec.Encoder{}}
			}
			results[i] = w.chunk(ref)
			c.workers.Put(w)
			return inner.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for i := range results {
		c.take(&results[i])
	}
	if len(c.pending) >= writeCount || c.bytes >= writeBytes || len(chunks) < batchChunks {
		if err := c.write(ctx); err != nil {
			return err
		}
	}
	if c.o.Progress != nil {
		c.o.Progress(int64(len(chunks)))
	}
	return nil
}

// take counts a chunk and has its records written.
func (c *changer) take(r *result) {
	switch {
	case r.fail != nil:
		c.r.add(c.s, r.failed, r.fail)
	case r.skip != nil:
		c.r.Skipped[c.reason(r.skip)]++
	case len(r.records) == 0:
		c.r.Unchanged++
	default:
		c.r.Changed++
		c.r.dimension(c.s.World().Dimensions[r.records[0].ref.Dim].Name).Changed++
		c.pending = append(c.pending, r.records...)
		for _, x := range r.records {
			c.bytes += len(x.data)
		}
	}
}

// maxReasons is how many reasons are counted apart.
const maxReasons = 100

func (c *changer) reason(err error) string {
	text := err.Error()
	if c.r.Skipped[text] == 0 && len(c.r.Skipped) >= maxReasons {
		return "other reasons"
	}
	return text
}

// write writes what is pending.
func (c *changer) write(ctx context.Context) error {
	pending := c.pending
	c.pending, c.bytes = nil, 0
	if c.o.Change == nil {
		for _, x := range pending {
			c.wrote(x)
		}
		return nil
	}
	for _, x := range pending {
		if err := c.o.Change.Keep(c.s.World().Dimensions[x.ref.Dim].Name, x.ref.Kind, x.ref.Pos); err != nil {
			return err
		}
	}
	if err := c.o.Change.Commit(); err != nil {
		return err
	}
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(maxWrites)
	for _, x := range pending {
		group.Go(func() error {
			err := c.writeOne(inner, x)
			if endsAll(err) {
				return err
			}
			c.mu.Lock()
			defer c.mu.Unlock()
			if err != nil {
				c.r.add(c.s, x.ref, err)
			} else {
				c.wrote(x)
			}
			return nil
		})
	}
	return group.Wait()
}

func (c *changer) writeOne(ctx context.Context, x outcome) error {
	raw, err := c.s.Raw(x.ref.Dim, x.ref.Kind)
	if err != nil {
		return err
	}
	if x.data == nil {
		return raw.Delete(ctx, x.ref.Pos, x.old.Entry)
	}
	return raw.Replace(ctx, x.ref.Pos, store.RawWrite{
		Old: x.old.Entry, Record: region.Record{Scheme: x.scheme, Data: x.data}, SameContent: x.same, Timestamp: x.stamp,
	})
}

// wrote counts a record that was written.
func (c *changer) wrote(x outcome) {
	switch x.ref.Kind {
	case store.Entities:
		c.r.Entities++
	case store.POI:
		c.r.POI++
	default:
		c.r.Chunks++
	}
	if x.data == nil {
		c.r.Removed++
	}
	c.r.Before += int64(x.size)
	c.r.After += int64(len(x.data))
	d := c.r.dimension(c.s.World().Dimensions[x.ref.Dim].Name)
	d.Before += int64(x.size)
	d.After += int64(len(x.data))
}

// worker is what one goroutine needs to work on chunks.
type worker struct {
	c        *changer
	dec      codec.Decoder
	encoders map[codec.Scheme]*codec.Encoder
}

// chunk works on a chunk, its entities and its points of interest. Where a field
// cannot be applied to one of them nothing of the chunk is changed.
func (w *worker) chunk(ref store.Ref) result {
	var r result
	blocks := false
	for _, k := range kinds {
		ref.Kind = k
		if !w.c.f.has(k) && !(k == store.POI && blocks) {
			continue
		}
		rec, err := w.read(ref)
		switch {
		case err != nil:
			return result{fail: err, failed: ref}
		case rec == nil && k == store.Chunks:
			return result{fail: ErrAbsent, failed: ref}
		case rec == nil:
			continue
		}
		before := placeOf(rec)
		if k == store.POI && blocks {
			err = invalidatePOI(rec)
		}
		if err == nil {
			err = w.c.f.apply(rec)
		}
		if err == nil {
			err = before.check(rec)
		}
		if err == nil && rec.rec.External && rec.scheme != rec.rec.Scheme {
			err = ErrExternal
		}
		if err != nil {
			return result{skip: err}
		}
		blocks = blocks || rec.blocks && rec.changed
		out, changed, err := w.outcome(rec)
		if err != nil {
			return result{fail: err, failed: ref}
		}
		if changed {
			r.records = append(r.records, out)
		}
	}
	return r
}

// read reads a record's document; nil if there is none. One that is newer than
// the world is an error.
func (w *worker) read(ref store.Ref) (*record, error) {
	raw, err := w.c.s.Raw(ref.Dim, ref.Kind)
	if err != nil {
		return nil, err
	}
	r := &record{ref: ref, dimension: w.c.s.World().Dimensions[ref.Dim].Name}
	r.rec, err = raw.Read(ref.Pos, nil)
	if errors.Is(err, store.ErrAbsent) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	data, err := r.rec.AppendDecoded(&w.dec, nil, maxDocument)
	if err != nil {
		return nil, err
	}
	if err := r.parse(data); err != nil {
		return nil, err
	}
	if err := anvil.CheckEdit(w.c.s.Version(), r.version); err != nil {
		return nil, err
	}
	r.scheme = r.rec.Scheme
	return r, nil
}

// outcome encodes a record that has changed.
func (w *worker) outcome(r *record) (out outcome, changed bool, err error) {
	out = outcome{ref: r.ref, old: r.rec, size: len(r.rec.Data), scheme: r.scheme, stamp: r.stamp, same: !r.changed}
	out.old.Data = nil
	stamped := r.stamp != nil && *r.stamp != r.rec.Entry.Timestamp
	switch {
	case r.remove:
		return out, true, nil
	case !r.changed && r.scheme == r.rec.Scheme && !stamped:
		return out, false, nil
	case !r.changed && r.scheme == r.rec.Scheme:
		out.data = r.rec.Data
		return out, true, nil
	}
	e := w.encoders[r.scheme]
	if e == nil {
		if e, err = codec.NewEncoder(r.scheme, codec.Sector); err != nil {
			return out, false, fmt.Errorf("compress with %v: %w", r.scheme, err)
		}
		w.encoders[r.scheme] = e
	}
	out.data, err = e.Append(nil, r.data)
	return out, err == nil, err
}
