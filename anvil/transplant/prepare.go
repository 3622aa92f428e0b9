package transplant

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"
	"sync"

	"strata/anvil"
	"strata/anvil/edit"
	"strata/anvil/store"
	"strata/nbt"
	"strata/region"
	"strata/region/codec"
)

// order gives the chunks in the order in which they are copied. Within a
// dimension of one world it is from the end that they move towards: then what a
// chunk is copied onto has been copied before.
func (c *copier) order(p *edit.Picked) iter.Seq[store.Ref] {
	all := p.Refs(store.Chunks)
	if !c.o.Same {
		return all
	}
	refs := slices.Collect(all)
	ahead := func(r store.Ref) int64 {
		if route := c.routes[r.Dim]; route.dim != r.Dim {
			return 0
		}
		return int64(r.Pos.X)*int64(c.o.X) + int64(r.Pos.Z)*int64(c.o.Z)
	}
	slices.SortStableFunc(refs, func(a, b store.Ref) int {
		return cmp.Or(cmp.Compare(a.Dim, b.Dim), cmp.Compare(ahead(b), ahead(a)))
	})
	return slices.Values(refs)
}

// worker is what one goroutine needs to work on chunks.
type worker struct {
	c        *copier
	mover    Mover
	tape     nbt.Tape
	dec      codec.Decoder
	doc      []byte
	encoders map[codec.Scheme]*codec.Encoder
}

// job is what becomes of a chunk.
type job struct {
	there  bool // something is where it goes
	writes []write
	err    error
}

// write is a record to be written, or removed if it has no data.
type write struct {
	ref store.Ref
	old region.Entry
	rec region.Record
}

// prepare rewrites a chunk with its entities and points of interest.
func (w *worker) prepare(r *route, ref store.Ref) (j job) {
	to := store.Ref{Dim: r.dim}
	if to.Pos, j.err = r.move.Pos(ref.Pos); j.err != nil {
		return j
	}
	var old [len(kinds)]region.Entry
	for i, k := range kinds {
		if old[i], j.err = entry(w.c.to, store.Ref{Dim: to.Dim, Kind: k, Pos: to.Pos}); j.err != nil {
			return j
		}
		j.there = j.there || !old[i].Empty()
	}
	if j.there && !w.c.o.Overwrite {
		return j
	}
	w.mover.Move, w.mover.IDs = r.move, r.ids
	for i, k := range kinds {
		ref.Kind, to.Kind = k, k
		rec, err := w.record(ref, to, old[i])
		if err != nil {
			return job{there: j.there, err: fmt.Errorf("%v: %w", k, err)}
		}
		if rec.Data != nil || !old[i].Empty() {
			j.writes = append(j.writes, write{to, old[i], rec})
		}
	}
	return j
}

// entry is a record's entry, an empty one if there is none.
func entry(s *store.Store, ref store.Ref) (region.Entry, error) {
	raw, err := s.Raw(ref.Dim, ref.Kind)
	if err != nil {
		return region.Entry{}, err
	}
	header, err := raw.Header(ref.Pos.Region())
	if errors.Is(err, fs.ErrNotExist) {
		return region.Entry{}, nil
	}
	if err != nil {
		return region.Entry{}, err
	}
	return header.Entry(ref.Pos.Slot()), nil
}

// maxInline is the longest stream that a region file holds: 255 sectors with
// length and scheme.
const maxInline = 255*region.SectorBytes - region.RecordHeaderBytes

// record makes the record of one kind; without data if the source has none.
func (w *worker) record(ref, to store.Ref, old region.Entry) (region.Record, error) {
	rec, err := w.moved(ref, to, old)
	if err == nil && len(rec.Data) > maxInline && !anvil.ExternalChunks.Has(w.c.to.Version()) {
		err = fmt.Errorf("%d bytes: %w", len(rec.Data), ErrExternal)
	}
	return rec, err
}

func (w *worker) moved(ref, to store.Ref, old region.Entry) (region.Record, error) {
	rec, err := w.read(ref)
	if err != nil || rec.Data == nil {
		return rec, err
	}
	moved, err := w.mover.Document(ref.Kind, ref.Pos, w.doc)
	if err != nil {
		return rec, err
	}
	if err := anvil.CheckEdit(w.c.to.Version(), moved.DataVersion); err != nil {
		return rec, err
	}
	scheme, err := w.scheme(to, old, rec.Scheme)
	if err != nil {
		return rec, err
	}
	if scheme == rec.Scheme && len(moved.Data) == len(w.doc) && &moved.Data[0] == &w.doc[0] {
		return region.Record{Scheme: scheme, Data: rec.Data}, nil // as it is
	}
	data, err := w.encode(scheme, moved.Data)
	return region.Record{Scheme: scheme, Data: data}, err
}

// read reads a record and its document into w.doc. A chunk must be there.
func (w *worker) read(ref store.Ref) (rec region.Record, err error) {
	raw, err := w.c.from.Raw(ref.Dim, ref.Kind)
	if err != nil {
		return rec, err
	}
	rec, err = raw.Read(ref.Pos, nil)
	if errors.Is(err, store.ErrAbsent) && ref.Kind != store.Chunks {
		return region.Record{}, nil
	}
	if err != nil {
		return rec, err
	}
	w.doc, err = rec.AppendDecoded(&w.dec, w.doc[:0], maxDocument)
	return rec, err
}

// scheme is how a record is compressed: as the source is, but what replaces an
// external body keeps that one's scheme, which its stub names.
func (w *worker) scheme(to store.Ref, old region.Entry, scheme codec.Scheme) (codec.Scheme, error) {
	if old.Empty() {
		return scheme, nil
	}
	raw, err := w.c.to.Raw(to.Dim, to.Kind)
	if err != nil {
		return scheme, err
	}
	if rec, err := raw.Read(to.Pos, nil); err == nil && rec.External && rec.Scheme.Known() {
		return rec.Scheme, nil
	}
	return scheme, nil // one that cannot be read is replaced
}

func (w *worker) encode(scheme codec.Scheme, document []byte) ([]byte, error) {
	e := w.encoders[scheme]
	if e == nil {
		var err error
		if e, err = codec.NewEncoder(scheme, codec.Sector); err != nil {
			return nil, fmt.Errorf("compress with %v: %w", scheme, err)
		}
		w.encoders[scheme] = e
	}
	return e.Append(nil, document)
}

// collect gathers the UUIDs of the entities that are copied.
func (c *copier) collect(ctx context.Context, p *edit.Picked) error {
	var mu sync.Mutex
	refs := make([]store.Ref, 0, batchChunks)
	flush := func() error {
		err := c.parallel(ctx, refs, func(w *worker, i int) {
			rec, err := w.read(refs[i])
			if err != nil || rec.Data == nil {
				return // said when it is to be copied
			}
			w.tape.Limits = nbt.Limits{Bytes: maxDocument}
			if w.tape.Parse(w.doc) != nil {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			c.routes[refs[i].Dim].ids.collect(w.tape.Root())
		})
		refs = refs[:0]
		return err
	}
	for ref := range p.Refs(store.Chunks, store.Entities) {
		if refs = append(refs, ref); len(refs) == batchChunks {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}
