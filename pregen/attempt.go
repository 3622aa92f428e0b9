package pregen

import (
	"context"
	"fmt"

	"strata/pregen/plan"
	"strata/pregen/spool"
	"strata/region"
	"strata/region/codec"
)

// attempt is one call of a generator.
type attempt struct {
	w         *worker
	j         *job
	todo, rim plan.Mask
	failures  map[region.Slot]error
	fatal     error // ends the run
}

// done takes a chunk that was made.
func (a *attempt) done(ctx context.Context, m *Made) error {
	s := m.Pos.Slot()
	if m.Pos.Region() != a.j.pos || !a.todo.Has(s) {
		return fmt.Errorf("%w: chunk %v came, which was not asked for", ErrGenerator, m.Pos)
	}
	a.todo.Clear(s)
	err := m.Err
	if err == nil || m.Chunk != nil {
		err = a.check(m)
	}
	var records []spool.Record
	if err == nil {
		records, err = a.w.records(m, a.j.base[s])
	}
	if err != nil {
		a.failures[s] = err
		return nil //nolint:nilerr // it is the failure of this chunk, not of the batch
	}
	if a.fatal = a.save(ctx, m, records); a.fatal != nil {
		return a.fatal
	}
	return nil
}

// check looks at whether a chunk is what was asked for.
func (a *attempt) check(m *Made) error {
	c, rim := m.Chunk, a.rim.Has(m.Pos.Slot())
	switch {
	case c == nil && rim:
		return nil
	case c == nil:
		return fmt.Errorf("%w: nothing was made", ErrGenerator)
	case c.Pos() != m.Pos:
		return fmt.Errorf("%w: it says that it is chunk %v", ErrGenerator, c.Pos())
	case c.DataVersion() > a.w.r.store.Version():
		return fmt.Errorf("%w: it is of version %d, the world of %d", ErrGenerator, c.DataVersion(), a.w.r.store.Version())
	case !rim && !m.LeftToGame && m.Err == nil && c.Status() != a.w.r.opts.Until:
		return fmt.Errorf("%w: its status is %s", ErrGenerator, c.StatusName())
	}
	return nil
}

// records are what is saved of a chunk, its own last.
func (w *worker) records(m *Made, base uint64) ([]spool.Record, error) {
	s := m.Pos.Slot()
	if m.Chunk == nil {
		return []spool.Record{{Kind: spool.Settled, Slot: s}}, nil
	}
	var all []spool.Record
	for _, part := range []struct {
		kind spool.Kind
		data []byte
	}{{spool.POI, m.POI}, {spool.Entities, m.Entities}} {
		if part.data == nil {
			continue
		}
		r, err := w.compress(part.kind, s, part.data)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	var err error
	if w.nbt, err = w.encode.Encode(w.nbt[:0], m.Chunk); err != nil {
		return nil, err
	}
	r, err := w.compress(spool.Chunk, s, w.nbt)
	r.Base = base
	return append(all, r), err
}

func (w *worker) compress(k spool.Kind, s region.Slot, data []byte) (spool.Record, error) {
	out, err := w.deflate.Append(w.streams[k][:0], data)
	if err != nil {
		return spool.Record{}, err
	}
	if len(out) > spool.MaxPayload {
		return spool.Record{}, fmt.Errorf("%d bytes: %w", len(out), spool.ErrTooLarge)
	}
	w.streams[k] = out
	return spool.Record{Kind: k, Slot: s, Scheme: codec.Zlib, Data: out}, nil
}

// save puts a chunk into the spool. The error ends the run.
func (a *attempt) save(ctx context.Context, m *Made, records []spool.Record) error {
	w, s := a.w, m.Pos.Slot()
	bytes, err := a.j.append(records)
	if err != nil {
		return err
	}
	sectors := int64(0)
	for i := range records {
		if records[i].Kind != spool.Settled {
			sectors += fileBytes(len(records[i].Data))
		}
	}
	state := New
	switch {
	case a.j.kept.Has(s):
		state = Existing
	case a.rim.Has(s) && m.Chunk == nil:
		state = Planned
	case a.rim.Has(s):
		state = Rim
	case m.LeftToGame:
		state = Left
	}
	if m.Err != nil {
		w.r.failed(w.d, m.Pos, m.Err) // it is saved as far as it came
	} else {
		w.r.count(w.d, m.Pos, state, sectors)
	}
	w.r.leftOut(m.StructuresLeftOut)
	a.j.settle(s)
	// Workers wait here, and not before the chunk is safe.
	if err := w.r.saver.appended(ctx, bytes); err != nil {
		return err
	}
	return w.r.pace.wait(ctx, 1)
}

// fileBytes is what a stream takes in a region file, or beside it.
func fileBytes(n int) int64 {
	size := int64(region.RecordSectors(n)) * region.SectorBytes
	if n > int(size) {
		size += int64(n) // a body of its own
	}
	return size
}
