package store

import (
	"context"
	"errors"
	"fmt"

	"strata/anvil/chunk"
	"strata/region"
)

// Change says what a change is about, and so when it has to be durable.
type Change uint8

const (
	// Structural, the default: blocks, block entities, items, an entity added,
	// removed or moved to another chunk. Due at the next epoch.
	Structural Change = iota
	// Drift: motion of entities, delays of ticks. Due at autosave, or when the
	// object is released.
	Drift
)

// Together is a change of several objects that no cut divides: it is in one
// epoch as a whole. It is good within the function it is given to.
type Together struct{ s *Store }

// Together runs f so that no cut falls into it. f holds what it changes
// already, since a cut waits for f: it must not load, wait, or use the
// store's own Update, Put and the like. The error is f's.
func (s *Store) Together(f func(Together) error) error {
	if s.readOnly {
		return ErrReadOnly
	}
	s.gate.RLock()
	defer s.gate.RUnlock()
	if s.shut {
		return ErrClosed
	}
	return f(Together{s})
}

// Update changes the held chunk with f, as [Hold.Update] does.
func (t Together) Update(h *Hold, change Change, f func(*chunk.Chunk) error) error {
	return t.s.update(h.o, func() (dueness, error) { return t.s.edit(h.o, change, f) })
}

// Update calls f with the chunk, which f may change and must not keep. Nobody
// else reads or changes it meanwhile; f must not use holds of the same chunk.
// What f changed before it returned an error stays changed. A change of
// InhabitedTime alone counts as Drift, one of LastUpdate as none.
//
// Update never waits for the disk or for room, so that a tick goroutine can
// call it: whoever may wait asks [Store.WaitForRoom]. The errors are f's,
// ErrAbsent, ErrFrozen, ErrReadOnly, and a *VersionError for a chunk older
// than we write, or one that f has raised above the world's version, which is
// then as it was.
func (h *Hold) Update(change Change, f func(*chunk.Chunk) error) error {
	return h.s.Together(func(t Together) error { return t.Update(h, change, f) })
}

// Update loads a chunk, changes it as [Hold.Update] does, and lets go of it.
// It waits while there are more changes than DirtyLimit.
func (s *Store) Update(ctx context.Context, dim Dim, pos region.ChunkPos, change Change, f func(*chunk.Chunk) error) error {
	if err := s.writable(ctx); err != nil {
		return s.fail("update", Ref{dim, Chunks, pos}, err)
	}
	h, err := s.Load(ctx, dim, pos, Normal)
	if err != nil {
		return err
	}
	defer h.Release()
	return h.Update(change, f)
}

// Put puts a whole chunk in the place of what is there, which may be nothing,
// but must not be something that cannot be read, is too new or belongs
// elsewhere. The store takes the chunk over. It waits while there are more
// changes than DirtyLimit.
func (s *Store) Put(ctx context.Context, dim Dim, c *chunk.Chunk) error {
	ref := Ref{dim, Chunks, c.Pos()}
	return s.put(ctx, "put", ref, chunkContent{c}, newChunkSize)
}

// PutDocument is Put for entities or points of interest: data is uncompressed
// NBT, which the store keeps and nobody changes any more.
func (s *Store) PutDocument(ctx context.Context, ref Ref, data []byte) error {
	d, err := s.document(ref, data)
	if err != nil {
		return s.fail("put", ref, err)
	}
	return s.put(ctx, "put", ref, d, int64(len(data)))
}

// Delete removes an object from the world. It is no error if there is none.
// What cannot be read is not deleted here: see [Raw].
func (s *Store) Delete(ctx context.Context, ref Ref) error {
	return s.put(ctx, "delete", ref, nil, minObject)
}

func (s *Store) put(ctx context.Context, op string, ref Ref, value content, size int64) error {
	err := s.writable(ctx)
	var o *object
	if err == nil {
		o, err = s.hold(ctx, ref, Normal)
	}
	if err != nil {
		return s.fail(op, ref, err)
	}
	defer s.release(o)
	return s.Together(func(Together) error {
		return s.update(o, func() (dueness, error) { return s.replace(o, value, size) })
	})
}

// UpdateDocument puts what f makes of the NBT of entities or points of
// interest in its place: nil if there is none, and nil to remove it. f must
// not change what it gets, and is called as Update calls it.
func (s *Store) UpdateDocument(ctx context.Context, ref Ref, change Change, f func([]byte) ([]byte, error)) error {
	if ref.Kind == Chunks {
		return s.fail("update", ref, ErrKind)
	}
	err := s.writable(ctx)
	var o *object
	if err == nil {
		o, err = s.hold(ctx, ref, Normal)
	}
	if err != nil {
		return s.fail("update", ref, err)
	}
	defer s.release(o)
	return s.Together(func(Together) error {
		return s.update(o, func() (dueness, error) { return s.editDocument(o, change, f) })
	})
}

// DocumentHold keeps the entities or points of interest of a chunk in memory,
// which may be none.
type DocumentHold struct{ h Hold }

// HoldDocument returns a hold, for changes within [Store.Together].
func (s *Store) HoldDocument(ctx context.Context, ref Ref, prio Priority) (*DocumentHold, error) {
	if ref.Kind == Chunks {
		return nil, s.fail("load", ref, ErrKind)
	}
	o, err := s.hold(ctx, ref, prio)
	if err != nil {
		return nil, s.fail("load", ref, err)
	}
	return &DocumentHold{Hold{s: s, o: o}}, nil
}

// Release ends the hold.
func (h *DocumentHold) Release() { h.h.Release() }

// Bytes is the NBT, which must not be changed; nil if there is none.
func (h *DocumentHold) Bytes() []byte {
	h.h.o.edit.Lock()
	defer h.h.o.edit.Unlock()
	d, _ := h.h.o.value.(document)
	return d.data
}

// UpdateDocument changes a held document, as [Store.UpdateDocument] does.
func (t Together) UpdateDocument(h *DocumentHold, change Change, f func([]byte) ([]byte, error)) error {
	o := h.h.o
	return t.s.update(o, func() (dueness, error) { return t.s.editDocument(o, change, f) })
}

// writable waits for room to change something.
func (s *Store) writable(ctx context.Context) error {
	if s.readOnly {
		return ErrReadOnly
	}
	return s.WaitForRoom(ctx)
}

// update changes an object with do, which reports what is due. The content is
// copied first if the cut before has not taken it yet. Called within gate.
func (s *Store) update(o *object, do func() (dueness, error)) error {
	if s.folderOf(o.ref).isFrozen(o.ref.Pos.Region()) {
		return s.fail("update", o.ref, ErrFrozen)
	}
	o.edit.Lock()
	defer o.edit.Unlock()
	s.mu.Lock()
	pending := s.isPending(o)
	s.mu.Unlock()
	if pending && !o.isFrozen {
		o.isFrozen = true
		if o.value != nil {
			o.frozen = o.value.clone()
		}
	}
	due, err := do()
	if due != notDue {
		s.mu.Lock()
		s.setDue(o, due)
		s.mu.Unlock()
	}
	if err != nil {
		return s.fail("update", o.ref, err)
	}
	return nil
}

// edit is update's do for a change in place.
func (s *Store) edit(o *object, change Change, f func(*chunk.Chunk) error) (dueness, error) {
	v, ok := o.value.(chunkContent)
	if !ok {
		return notDue, ErrAbsent
	}
	if err := s.checkVersion(v.DataVersion()); err != nil {
		return notDue, err
	}
	revision, inhabited := v.Revision(), v.InhabitedTime()
	before, err := s.prepare(v.Chunk)
	if err != nil {
		return notDue, err
	}
	err = f(v.Chunk)
	if verr := s.checkVersion(v.DataVersion()); verr != nil {
		o.value = chunkContent{before}
		return notDue, errors.Join(err, verr)
	}
	if v.Pos() != o.ref.Pos {
		err = errors.Join(err, &PositionError{v.Pos()})
		v.SetPos(o.ref.Pos)
	}
	switch {
	case v.Revision() != revision && change == Structural:
		return atNextEpoch, err
	case v.Revision() != revision || v.InhabitedTime() != inhabited:
		return atAutosave, err
	}
	return notDue, err
}

func (s *Store) editDocument(o *object, change Change, f func([]byte) ([]byte, error)) (dueness, error) {
	old, _ := o.value.(document)
	data, err := f(old.data)
	if err != nil {
		return notDue, err
	}
	if data == nil {
		return s.replace(o, nil, minObject)
	}
	d, err := s.document(o.ref, data)
	if err != nil {
		return notDue, err
	}
	due, err := s.replace(o, d, int64(len(data)))
	if due == atNextEpoch && change == Drift {
		due = atAutosave
	}
	return due, err
}

// replace is update's do for a new value.
func (s *Store) replace(o *object, value content, size int64) (dueness, error) {
	if value == nil && o.value == nil {
		return notDue, nil
	}
	if value != nil {
		if err := s.checkVersion(value.dataVersion()); err != nil {
			return notDue, err
		}
	}
	o.value = value
	s.mu.Lock()
	s.resize(o, max(size, minObject))
	s.mu.Unlock()
	return atNextEpoch, nil
}

// document checks NBT that a caller wants saved.
func (s *Store) document(ref Ref, data []byte) (document, error) {
	if ref.Kind == Chunks || ref.Kind >= kinds {
		return document{}, ErrKind
	}
	d, err := parseDocument(ref, data)
	if err != nil && !errors.Is(err, ErrWrongPosition) {
		err = fmt.Errorf("%w: %w", ErrEncode, err)
	}
	return d, err
}
