package pregen

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"golang.org/x/sync/errgroup"

	"strata/anvil/chunk"
	"strata/anvil/store"
	"strata/pregen/plan"
	"strata/pregen/spool"
	"strata/region"
)

// kindsInOrder is the order in which the files of a region are written: when
// the chunks are there, what belongs to them is too, even after a crash between
// them.
var kindsInOrder = [...]struct {
	store store.Kind
	spool spool.Kind
}{
	{store.POI, spool.POI},
	{store.Entities, spool.Entities},
	{store.Chunks, spool.Chunk},
}

// install puts the finished chunks of the region into the world's files, and
// removes the spool. After a crash at any point it comes to the same files.
func (j *job) install(ctx context.Context) error {
	if err := j.spool.Flush(); err != nil {
		return err
	}
	v, err := j.spool.View()
	if err != nil {
		return err
	}
	err = j.installFrom(ctx, v)
	if cerr := v.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("region %v of %s: %w", j.pos, j.d.target.Dimension, err)
	}
	return j.spool.Remove()
}

func (j *job) installFrom(ctx context.Context, v *spool.View) error {
	if j.spool.Chunks() == 0 {
		return nil
	}
	ours, err := j.ours(v)
	if err != nil {
		return err
	}
	if err := j.keepOriginals(ours); err != nil {
		return err
	}
	var parts []part
	for _, k := range kindsInOrder {
		if slots := j.having(k.spool, ours); !slots.Empty() {
			parts = append(parts, part{k.store, k.spool, slots, j.defects(k.store)})
		}
	}
	return j.installParts(ctx, v, parts)
}

// part is what one of the region's files gets.
type part struct {
	kind  store.Kind
	from  spool.Kind
	slots plan.Mask
	// defects is why a file that is there must not be rewritten, nil if it may
	// be.
	defects error
}

// keepOriginals puts down what the run has continued, before it is replaced.
func (j *job) keepOriginals(ours plan.Mask) error {
	var slots plan.Mask
	base := make(map[region.Slot]uint64)
	existed := j.d.existed[j.pos]
	had := both(ours, existed)
	had.Slots(func(s region.Slot) {
		if _, made, of := j.spool.Has(s); made && of != 0 {
			slots.Set(s)
			base[s] = of
		}
	})
	if slots.Empty() {
		return nil
	}
	return j.d.originals.keep(j.pos, slots, base)
}

// having is the slots that the spool has a record of a kind for.
func (j *job) having(k spool.Kind, of plan.Mask) (m plan.Mask) {
	of.Slots(func(s region.Slot) {
		if j.spool.HasKind(s, k) {
			m.Set(s)
		}
	})
	return m
}

// ours returns the slots whose chunk is the spool's: those where the world has
// nothing, what the chunk was continued from, or that very chunk. Anything else
// another program has put there, and it stays.
func (j *job) ours(v *spool.View) (m plan.Mask, err error) {
	b := readings.Get().(*reading)
	defer b.free()
	for s := range region.Slot(region.Slots) {
		_, made, base := j.spool.Has(s)
		if !made {
			continue
		}
		rec, err := j.d.raw[store.Chunks].Read(j.pos.Chunk(s), b.record)
		if errors.Is(err, store.ErrAbsent) {
			m.Set(s)
			continue
		}
		if err != nil {
			j.loses(s)
			continue // what cannot be read is not overwritten
		}
		b.record = rec.Buffer()
		digest := spool.Digest(rec.Scheme, rec.Data)
		if digest != base {
			r, err := v.Read(s, spool.Chunk)
			if err != nil {
				return m, err
			}
			if digest != spool.Digest(r.Scheme, r.Data) {
				j.loses(s)
				continue
			}
		}
		m.Set(s)
	}
	return m, nil
}

func (j *job) loses(s region.Slot) {
	j.d.r.opts.Events(Event{Kind: SpoolDropped, Dimension: j.d.target.Dimension, Region: j.pos, Pos: j.pos.Chunk(s)})
}

// installParts writes the files anew, as one for snapshots. Where that may not be
// each is for itself.
func (j *job) installParts(ctx context.Context, v *spool.View, parts []part) error {
	whole := !slices.ContainsFunc(parts, func(p part) bool { return p.defects != nil })
	if whole {
		err := j.installWhole(ctx, v, parts...)
		if !inUse(err) {
			return err
		}
	}
	for _, p := range parts {
		if err := j.installPart(ctx, v, p); err != nil {
			return err
		}
	}
	return nil
}

// installPart writes one file: anew, or slot by slot where it must not be
// rewritten.
func (j *job) installPart(ctx context.Context, v *spool.View, p part) error {
	reason := p.defects
	if reason == nil {
		if reason = j.installWhole(ctx, v, p); !inUse(reason) {
			return reason
		}
	}
	if p.kind == store.Chunks {
		j.d.r.committed(j, reason)
	}
	return j.commit(ctx, v, j.d.raw[p.kind], p.from, p.slots)
}

// inUse reports whether a file could not be exchanged since it is in use.
func inUse(err error) bool {
	return errors.Is(err, store.ErrHeld) || errors.Is(err, region.ErrPinned)
}

// installWhole writes files anew, all of them or, if the error says that they are
// in use, none.
func (j *job) installWhole(ctx context.Context, v *spool.View, parts ...part) error {
	files := make([]store.NewFile, len(parts))
	for i, p := range parts {
		raw := j.d.raw[p.kind]
		files[i] = store.NewFile{Raw: raw, Fill: func(w *region.Writer) error { return j.fill(w, v, raw, p.from, p.slots) }}
	}
	if err := j.d.r.store.Install(ctx, j.pos, files...); err != nil {
		return err
	}
	if slices.ContainsFunc(parts, func(p part) bool { return p.kind == store.Chunks }) {
		j.d.r.opts.Events(Event{Kind: RegionInstalled, Dimension: j.d.target.Dimension, Region: j.pos})
	}
	return nil
}

// defects returns why a file that is there must not be rewritten, nil if it
// may be. What the game itself leaves behind is no reason.
func (j *job) defects(k store.Kind) error {
	path := filepath.Join(j.d.folder(k), j.pos.Name())
	opts := region.CheckOptions{FS: j.d.r.fs}
	if k == store.Chunks {
		opts.Inspect = inspect
	}
	report, err := region.Check(path, opts)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, f := range report.Findings {
		if f.Severity >= region.SeverityWarning {
			return errors.New(f.String())
		}
	}
	return nil
}

func inspect(_ region.ChunkPos, data []byte) (region.Inspection, error) {
	h, err := chunk.ReadHeader(data)
	return region.Inspection{Position: h.Pos, HasPosition: h.HasPos, LastUpdate: h.LastUpdate}, err
}

// fill writes the canonical file: records in the order of slots, the world's
// own byte for byte and with their timestamps.
func (j *job) fill(w *region.Writer, v *spool.View, raw *store.Raw, k spool.Kind, slots plan.Mask) error {
	h, err := raw.Header(j.pos)
	if errors.Is(err, fs.ErrNotExist) {
		h, err = new(region.Header), nil
	}
	if err != nil {
		return err
	}
	var buf []byte
	for s := range region.Slot(region.Slots) {
		old := h.Entry(s)
		var rec region.Record
		if !old.Empty() {
			if rec, err = raw.Read(j.pos.Chunk(s), buf); err != nil {
				return err
			}
			buf = rec.Buffer()
		}
		if slots.Has(s) {
			rec, err = j.merge(v, k, s, rec)
			if err != nil {
				return err
			}
		}
		switch {
		case rec.Scheme != 0:
			err = w.Put(s, rec)
		case old.Timestamp != 0:
			w.SetTimestamp(s, old.Timestamp)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// merge decides between what the world has in a slot of ours and the spool.
// A chunk that was continued gets a new timestamp, so that a header never
// comes back with other content. Entities and points of interest that are there
// already stay: no chunk of ours can have made them.
func (j *job) merge(v *spool.View, k spool.Kind, s region.Slot, is region.Record) (region.Record, error) {
	r, err := v.Read(s, k)
	if err != nil {
		return region.Record{}, err
	}
	made := region.Record{Scheme: r.Scheme, Data: r.Data}
	made.Entry.Timestamp = j.d.r.opts.Timestamp
	if is.Entry.Empty() {
		return made, nil
	}
	digest := spool.Digest(is.Scheme, is.Data)
	if k != spool.Chunk || digest != r.Base || digest == spool.Digest(r.Scheme, r.Data) {
		return is, nil
	}
	made.Entry.Timestamp = max(made.Entry.Timestamp, is.Entry.Timestamp+1)
	return made, nil
}

// commits is how many chunks are committed at a time, so that they share
// flushes.
const commits = 64

// commit adds the records one by one, to a file that is not rewritten.
func (j *job) commit(ctx context.Context, v *spool.View, raw *store.Raw, k spool.Kind, slots plan.Mask) error {
	h, err := raw.Header(j.pos)
	if errors.Is(err, fs.ErrNotExist) {
		h, err = new(region.Header), nil
	}
	if err != nil {
		return err
	}
	var g errgroup.Group
	g.SetLimit(commits)
	for s := range region.Slot(region.Slots) {
		if !slots.Has(s) || ctx.Err() != nil {
			continue
		}
		entry := h.Entry(s)
		is := region.Record{}
		if !entry.Empty() {
			if is, err = raw.Read(j.pos.Chunk(s), nil); err != nil {
				continue // what cannot be read is not overwritten
			}
		}
		rec, err := j.merge(v, k, s, is)
		if err != nil {
			return errors.Join(err, g.Wait())
		}
		if !entry.Empty() && spool.Digest(rec.Scheme, rec.Data) == spool.Digest(is.Scheme, is.Data) {
			continue
		}
		rec.Data = append([]byte(nil), rec.Data...) // the view's is good until the next read
		g.Go(func() error {
			return raw.Replace(ctx, j.pos.Chunk(s), store.RawWrite{Old: entry, Record: rec})
		})
	}
	return errors.Join(g.Wait(), ctx.Err())
}
