package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"strata/region"
)

// RemoveEmpty removes a region's file in which nothing is left: neither an
// entry in its header nor a byte behind it. A file that holds anything, also
// what no entry names, stays, as does one that is a symbolic link. External
// bodies are not touched: those of deleted records have gone with them.
//
// ErrHeld if an object of the region is in use, region.ErrPinned while there
// are snapshots, ErrFrozen, ErrReadOnly.
func (r *Raw) RemoveEmpty(ctx context.Context, p region.Pos) (removed bool, err error) {
	if removed, err = r.removeEmpty(ctx, p); err != nil {
		return removed, fmt.Errorf("remove %s of %v: %w", p.Name(), r.f.kind, err)
	}
	return removed, nil
}

func (r *Raw) removeEmpty(ctx context.Context, p region.Pos) (bool, error) {
	s := r.s
	switch {
	case s.readOnly:
		return false, ErrReadOnly
	case r.f.isFrozen(p):
		return false, ErrFrozen
	case ctx.Err() != nil:
		return false, ctx.Err()
	}
	s.publish.Lock()
	defer s.publish.Unlock()
	r.f.swap.Lock()
	defer r.f.swap.Unlock()
	if err := r.mayExchange(p); err != nil {
		return false, err
	}
	// Closing cuts the free tail off.
	if err := r.f.close(); err != nil {
		return false, err
	}
	empty, err := r.isEmpty(p)
	if err != nil || !empty {
		return false, err
	}
	r.f.mu.Lock()
	r.f.files[p]++
	r.f.mu.Unlock()
	if err := s.fs.Remove(r.f.path(p)); err != nil {
		return false, err
	}
	return true, s.fs.SyncDir(r.f.dir)
}

func (r *Raw) isEmpty(p region.Pos) (bool, error) {
	info, err := r.s.fs.Lstat(r.f.path(p))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil || !info.Mode.IsRegular() || info.Size > region.HeaderBytes {
		return false, err
	}
	file, err := region.Open(r.f.path(p), region.Options{FS: r.s.fs, ReadOnly: true})
	if err != nil {
		return false, err
	}
	header := file.Header()
	if err := file.Close(); err != nil {
		return false, err
	}
	for slot := range region.Slot(region.Slots) {
		if !header.Entry(slot).Empty() {
			return false, nil
		}
	}
	return true, nil
}

// RemoveOrphan removes the external body of a record that is absent, or that
// does not lie in a file of its own: a kill between a write and the removal of
// the body before it leaves such ones. A body whose record cannot be read stays.
// ErrFrozen, ErrReadOnly, region.ErrPinned while there are snapshots.
func (r *Raw) RemoveOrphan(ctx context.Context, pos region.ChunkPos) (removed bool, err error) {
	if removed, err = r.removeOrphan(ctx, pos); err != nil {
		return removed, r.s.fail("remove the orphan of", r.ref(pos), err)
	}
	return removed, nil
}

func (r *Raw) removeOrphan(ctx context.Context, pos region.ChunkPos) (bool, error) {
	s := r.s
	_, err := s.fs.Lstat(r.f.body(pos))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case s.readOnly:
		return false, ErrReadOnly
	case r.f.isFrozen(pos.Region()):
		return false, ErrFrozen
	case ctx.Err() != nil:
		return false, ctx.Err()
	}
	// To itself: no write may be about to name it.
	s.publish.Lock()
	defer s.publish.Unlock()
	s.mu.Lock()
	pinned := len(s.snapshots) > 0
	s.mu.Unlock()
	if pinned {
		return false, region.ErrPinned
	}
	rec, err := r.Read(pos, nil)
	if err == nil && rec.External || err != nil && !errors.Is(err, ErrAbsent) {
		return false, nil // it may be all that there is of the record
	}
	if err := s.fs.Remove(r.f.body(pos)); err != nil {
		return false, err
	}
	return true, s.fs.SyncDir(r.f.dir)
}
