package edit

import (
	"errors"
	"fmt"

	"strata/anvil"
	"strata/anvil/store"
	"strata/region/codec"
)

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
