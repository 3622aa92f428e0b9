package store

import (
	"context"
	"errors"
	"fmt"

	"strata/region"
)

// Install puts a whole region file in the place of the one there, or where
// there is none: fill writes it, with flushes, under a temporary name; then
// external bodies and the file itself are renamed, and what the old file's
// slots had in external files goes. After a crash there is the one or the
// other file.
//
// ErrHeld if an object of the region is in use, region.ErrPinned while there
// are snapshots, ErrFrozen, ErrReadOnly.
func (r *Raw) Install(ctx context.Context, p region.Pos, fill func(*region.Writer) error) error {
	if err := r.install(ctx, p, fill); err != nil {
		return fmt.Errorf("install %s of %v: %w", p.Name(), r.f.kind, err)
	}
	return nil
}

func (r *Raw) install(ctx context.Context, p region.Pos, fill func(*region.Writer) error) error {
	s := r.s
	if s.readOnly {
		return ErrReadOnly
	}
	if r.f.isFrozen(p) {
		return ErrFrozen
	}
	if err := r.makeFolder(); err != nil {
		return err
	}
	w, err := region.Create(r.f.path(p), region.Options{FS: s.fs, MaxStream: maxStream})
	if err != nil {
		return err
	}
	defer w.Abort()
	if err := fill(w); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	s.publish.Lock()
	defer s.publish.Unlock()
	r.f.swap.Lock()
	err = r.exchange(p, w)
	r.f.swap.Unlock()
	if err != nil {
		return err
	}
	return r.removeOrphans(p)
}

// makeFolder opens, and so makes, the folder.
func (r *Raw) makeFolder() error {
	r.f.swap.RLock()
	defer r.f.swap.RUnlock()
	_, err := r.f.region(true)
	return err
}

// exchange is called with the folder to itself. Loads that begin now wait, and
// find that what the cache has is of another file.
func (r *Raw) exchange(p region.Pos, w *region.Writer) error {
	if err := r.mayExchange(p); err != nil {
		return err
	}
	if err := r.f.close(); err != nil {
		return err
	}
	r.f.mu.Lock()
	r.f.files[p]++
	r.f.mu.Unlock()
	return w.Finish()
}

// mayExchange reports whether the region's file may be replaced or removed as
// a whole. It is called with the folder to itself.
func (r *Raw) mayExchange(p region.Pos) error {
	s := r.s
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closing:
		return ErrClosed
	case len(s.snapshots) > 0:
		return region.ErrPinned
	case r.anyHeld(p):
		return ErrHeld
	}
	return nil
}

// anyHeld is called under mu.
func (r *Raw) anyHeld(p region.Pos) bool {
	for _, o := range r.s.objects {
		if o.ref.Dim == r.f.dim && o.ref.Kind == r.f.kind && o.ref.Pos.Region() == p {
			return true
		}
	}
	return false
}

// removeOrphans removes external bodies that the new file does not name.
func (r *Raw) removeOrphans(p region.Pos) error {
	entries, err := r.s.fs.ReadDir(r.f.dir)
	if err != nil {
		return err
	}
	removed := false
	for _, e := range entries {
		c, ok := region.ParseExternalName(e.Name())
		if !ok || c.Region() != p {
			continue
		}
		rec, err := r.Read(c, nil)
		if err == nil && rec.External || err != nil && !errors.Is(err, ErrAbsent) {
			continue
		}
		if err := r.s.fs.Remove(r.f.body(c)); err != nil {
			return err
		}
		removed = true
	}
	if removed {
		return r.s.fs.SyncDir(r.f.dir)
	}
	return nil
}
