package store

import (
	"context"
	"sync"

	"strata/anvil/chunk"
	"strata/region"
)

// Hold keeps a chunk in memory. It is safe for concurrent use; Release ends
// it.
type Hold struct {
	s    *Store
	o    *object
	once sync.Once
}

// Load returns a hold on the chunk, from memory or from the disk. Loads of one
// chunk that run at the same time are one. Among loads that wait, higher
// priorities go first.
//
// The error is an *Error that wraps ErrAbsent, ErrUnreadable, ErrTooNew,
// ErrTooOld or ErrWrongPosition, ErrClosed or ErrRange, or it is that of ctx.
func (s *Store) Load(ctx context.Context, dim Dim, pos region.ChunkPos, prio Priority) (*Hold, error) {
	ref := Ref{dim, Chunks, pos}
	o, err := s.hold(ctx, ref, prio)
	if err != nil {
		return nil, s.fail("load", ref, err)
	}
	h := &Hold{s: s, o: o}
	if !h.there() {
		h.Release()
		return nil, s.fail("load", ref, ErrAbsent)
	}
	return h, nil
}

// Peek returns a hold on the chunk if it is in memory, and does not load it.
// It waits for nothing but, at most, a look at the region file's header.
func (s *Store) Peek(dim Dim, pos region.ChunkPos) (*Hold, bool) {
	o := s.peek(Ref{dim, Chunks, pos})
	if o == nil {
		return nil, false
	}
	h := &Hold{s: s, o: o}
	if !h.there() {
		h.Release()
		return nil, false
	}
	return h, true
}

// PeekDocument returns the NBT of the entities or points of interest of a chunk
// if it is in memory, as Peek does. It must not be changed.
func (s *Store) PeekDocument(ref Ref) ([]byte, bool) {
	if ref.Kind == Chunks {
		return nil, false
	}
	o := s.peek(ref)
	if o == nil {
		return nil, false
	}
	defer s.release(o)
	o.edit.Lock()
	defer o.edit.Unlock()
	d, ok := o.value.(document)
	return d.data, ok
}

// peek returns an object with one more hold on it, nil if it is not in memory.
func (s *Store) peek(ref Ref) *object {
	if !s.valid(ref) {
		return nil
	}
	s.mu.Lock()
	o := s.objects[ref.key()]
	switch {
	case s.closing || o != nil && o.load != nil:
		s.mu.Unlock()
		return nil
	case o != nil:
		o.holds++
		s.mu.Unlock()
		return o
	}
	o = s.newObject(ref, Normal)
	s.mu.Unlock()
	if !s.beginCached(o) {
		return nil
	}
	return o
}

// beginCached loads an object from the cache. If it is not there the object
// is given up, unless somebody waits for it by now: then it is loaded.
func (s *Store) beginCached(o *object) bool {
	l := o.load
	if c := s.cache.take(o.key); c != nil {
		if now, err := s.folderOf(o.ref).present(o.ref.Pos); err == nil && now == c.tag {
			s.m.hits.Add(1)
			s.loaded(l, c, nil)
			return true
		}
		s.m.stale.Add(1)
	}
	s.mu.Lock()
	o.holds--
	if o.holds > 0 {
		s.enqueue(l)
	} else {
		s.forget(o)
	}
	s.mu.Unlock()
	return false
}

func (h *Hold) there() bool {
	h.o.edit.Lock()
	defer h.o.edit.Unlock()
	return h.o.value != nil
}

// Ref names what is held.
func (h *Hold) Ref() Ref { return h.o.ref }

// Release ends the hold. A changed chunk stays in memory until it is saved, and
// a clean one as long as there is room. Calling it again does nothing.
func (h *Hold) Release() { h.once.Do(func() { h.s.release(h.o) }) }

// Read calls f with the chunk, which f must not change nor keep. Nobody else
// reads or changes it meanwhile; f must not use holds of the same chunk.
// It does not wait for the disk. ErrAbsent if the chunk was deleted.
func (h *Hold) Read(f func(*chunk.Chunk)) error {
	h.o.edit.Lock()
	defer h.o.edit.Unlock()
	c, ok := h.o.value.(chunkContent)
	if !ok {
		return h.s.fail("read", h.o.ref, ErrAbsent)
	}
	f(c.Chunk)
	return nil
}

// Snapshot returns a copy of the chunk that is the caller's. It is cheap: the
// copy shares the arrays of sections until one of the two is edited. ErrAbsent
// if the chunk was deleted.
func (h *Hold) Snapshot() (*chunk.Chunk, error) {
	var c *chunk.Chunk
	err := h.Read(func(held *chunk.Chunk) { c = held.Clone() })
	return c, err
}

// LoadDocument returns the NBT of the entities or points of interest of a
// chunk, uncompressed. It must not be changed. The errors are those of Load,
// and ErrKind for a chunk.
func (s *Store) LoadDocument(ctx context.Context, ref Ref, prio Priority) ([]byte, error) {
	if ref.Kind == Chunks {
		return nil, s.fail("load", ref, ErrKind)
	}
	o, err := s.hold(ctx, ref, prio)
	if err != nil {
		return nil, s.fail("load", ref, err)
	}
	defer s.release(o)
	o.edit.Lock()
	d, ok := o.value.(document)
	o.edit.Unlock()
	if !ok {
		return nil, s.fail("load", ref, ErrAbsent)
	}
	return d.data, nil
}
