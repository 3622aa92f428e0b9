package edit

import (
	"context"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"strata/anvil/store"
	"strata/anvil/undo"
	"strata/region"
	"strata/region/codec"
)

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
