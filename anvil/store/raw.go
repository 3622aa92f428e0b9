package store

import (
	"context"
	"errors"
	"io/fs"

	"strata/region"
)

// Raw is access to the records of one of a dimension's folders as bytes, for
// what works on payloads: recompressing, compacting, pruning, copying. It is
// ordered with the store's saves, and sees what they have made durable, not
// what is changed in memory. It neither uses nor fills the cache.
type Raw struct {
	s *Store
	f *folder
}

// Raw returns raw access. ErrRange if there is no such folder.
func (s *Store) Raw(dim Dim, k Kind) (*Raw, error) {
	if int(dim) >= len(s.world.Dimensions) || k >= kinds {
		return nil, s.fail("raw access", Ref{Dim: dim, Kind: k}, ErrRange)
	}
	return &Raw{s, s.folders[int(dim)*kinds+int(k)]}, nil
}

func (r *Raw) ref(pos region.ChunkPos) Ref { return Ref{r.f.dim, r.f.kind, pos} }

// Regions lists the regions that have a file.
func (r *Raw) Regions() ([]region.Pos, error) {
	r.f.swap.RLock()
	defer r.f.swap.RUnlock()
	d, err := r.f.region(false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return d.Regions()
}

// Header is the header of a region's file as it was last published;
// fs.ErrNotExist if there is none.
func (r *Raw) Header(p region.Pos) (*region.Header, error) {
	file, release, err := r.f.acquire(p, false)
	if err != nil {
		return nil, err
	}
	defer release()
	return file.Header(), nil
}

// Read returns a record, in buf if it has room. The errors are those of
// region.File.Read, and ErrAbsent if there is none.
func (r *Raw) Read(pos region.ChunkPos, buf []byte) (region.Record, error) {
	file, release, err := r.f.acquire(pos.Region(), false)
	if errors.Is(err, fs.ErrNotExist) {
		return region.Record{}, r.s.fail("read", r.ref(pos), ErrAbsent)
	}
	if err != nil {
		return region.Record{}, err
	}
	defer release()
	rec, err := file.Read(pos.Slot(), buf)
	if errors.Is(err, region.ErrAbsent) {
		err = r.s.fail("read", r.ref(pos), ErrAbsent)
	}
	return rec, err
}

// Each calls f with every record of the folder, region by region in the order
// of names, slots in their order; a record that cannot be read comes with its
// error. Data is good until f returns. An error of f ends it and is returned.
func (r *Raw) Each(ctx context.Context, f func(region.ChunkPos, region.Record, error) error) error {
	regions, err := r.Regions()
	if err != nil {
		return err
	}
	var buf []byte
	for _, p := range regions {
		h, err := r.Header(p)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		for s := range region.Slot(region.Slots) {
			if h.Entry(s).Empty() {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			rec, err := r.Read(p.Chunk(s), buf)
			if errors.Is(err, ErrAbsent) {
				continue // deleted since
			}
			if err := f(p.Chunk(s), rec, err); err != nil {
				return err
			}
			buf = kept(rec.Buffer(), buf)
		}
	}
	return nil
}

// RawWrite is a change of one record.
type RawWrite struct {
	// Old is the entry that the record must have; region.ErrChanged if it has
	// another one.
	Old region.Entry
	// Record is the new one, of which Scheme and Data count.
	Record region.Record
	// SameContent says that the new record decodes to what the old one did:
	// only then may it be replaced while the object is in use.
	SameContent bool
	// Overwrite allows replacing what cannot be read.
	Overwrite bool
	// KeepTimestamp stores the old timestamp again instead of a higher one,
	// for commands that set it themselves. The slot's location changes.
	KeepTimestamp bool
	// Timestamp is stored as it is, if it is not nil, with the same purpose:
	// seconds since 1970.
	Timestamp *uint32
}

// Replace replaces a record, or makes one, and returns when it is durable.
// ErrHeld if the object is in use and its content would change, ErrFrozen,
// ErrReadOnly, region.ErrChanged, and the errors of region.File.Write.
func (r *Raw) Replace(ctx context.Context, pos region.ChunkPos, w RawWrite) error {
	old := w.Old
	stamp := old.Timestamp
	if w.Timestamp != nil {
		stamp = *w.Timestamp
	}
	err := r.write(ctx, pos, w.SameContent, region.Write{
		Slot: pos.Slot(), Scheme: w.Record.Scheme, Data: w.Record.Data, If: &old, Overwrite: w.Overwrite,
		SetTimestamp: w.KeepTimestamp || w.Timestamp != nil, Timestamp: stamp,
	})
	if err != nil {
		return r.s.fail("replace", r.ref(pos), err)
	}
	return nil
}

// Delete removes a record, also one that cannot be read, if its entry is old.
// The errors are those of Replace.
func (r *Raw) Delete(ctx context.Context, pos region.ChunkPos, old region.Entry) error {
	err := r.write(ctx, pos, false, region.Write{Slot: pos.Slot(), Delete: true, If: &old, Overwrite: true})
	if err != nil {
		return r.s.fail("delete", r.ref(pos), err)
	}
	return nil
}

func (r *Raw) write(ctx context.Context, pos region.ChunkPos, same bool, w region.Write) error {
	s := r.s
	switch {
	case s.readOnly:
		return ErrReadOnly
	case !s.valid(r.ref(pos)):
		return ErrRange
	case r.f.isFrozen(pos.Region()):
		return ErrFrozen
	case ctx.Err() != nil:
		return ctx.Err()
	}
	s.publish.RLock()
	defer s.publish.RUnlock()
	o, err := r.claim(pos, same)
	if err != nil {
		return err
	}
	now, err := r.publish(pos, w)
	r.unclaim(o, *w.If, now, err)
	return err
}

// claim makes loads of the object wait until unclaim. If the object is there
// already its content must not change, and nothing is claimed.
func (r *Raw) claim(pos region.ChunkPos, same bool) (*object, error) {
	s, ref := r.s, r.ref(pos)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return nil, ErrClosed
	}
	if o := s.objects[ref.key()]; o != nil {
		if !same {
			return nil, ErrHeld
		}
		o.holds++
		return o, nil
	}
	o := s.newObject(ref, Normal)
	o.load.claimed = true
	return o, nil
}

// unclaim ends a claim.
func (r *Raw) unclaim(o *object, old region.Entry, now tag, err error) {
	s := r.s
	s.mu.Lock()
	if o.load != nil && o.load.claimed {
		o.load.claimed = false
		if o.holds--; o.holds > 0 {
			s.enqueue(o.load) // somebody has come to wait for it
		} else {
			s.forget(o)
		}
		s.mu.Unlock()
		return
	}
	// What is held goes on to be what the disk has, in another record.
	if err == nil && o.tag.entry == old {
		o.tag = now
	}
	s.mu.Unlock()
	s.release(o)
}

func (r *Raw) publish(pos region.ChunkPos, w region.Write) (tag, error) {
	file, release, err := r.f.acquire(pos.Region(), !w.Delete)
	if errors.Is(err, fs.ErrNotExist) && *w.If == (region.Entry{}) {
		return tag{}, nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		return tag{}, region.ErrChanged
	}
	if err != nil {
		return tag{}, err
	}
	defer release()
	// Not to be given up half way: the file is ours until it is through.
	err = file.Write(context.Background(), w)
	return tag{file.Entry(pos.Slot()), r.f.exchanges(pos.Region())}, err
}

// Compact rewrites a region's file densely; see region.File.Compact.
func (r *Raw) Compact(p region.Pos) error {
	if r.s.readOnly {
		return ErrReadOnly
	}
	r.s.publish.RLock()
	defer r.s.publish.RUnlock()
	file, release, err := r.f.acquire(p, false)
	if err != nil {
		return err
	}
	defer release()
	return file.Compact()
}
