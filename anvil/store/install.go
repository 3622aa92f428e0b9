package store

import (
	"context"
	"errors"
	"fmt"

	"strata/region"
)

// NewFile is a region file that Store.Install puts in its place.
type NewFile struct {
	// Raw is the folder that it is for.
	Raw *Raw
	// Fill writes it.
	Fill func(*region.Writer) error
}

// Install puts whole files of one region, each of another folder, in the place
// of those there, or where there are none: they are filled and flushed under
// temporary names; then, file by file in the order given, external bodies and
// the file itself are renamed, and what the old file's slots had in external
// files goes. A snapshot has all of the files or none. After a crash each is
// the one or the other file, and later ones are new only if all before them are.
//
// ErrHeld if an object in one of the files is in use, region.ErrPinned while
// there are snapshots, ErrFrozen, ErrReadOnly: then none is exchanged.
func (s *Store) Install(ctx context.Context, p region.Pos, files ...NewFile) error {
	if s.readOnly {
		return fmt.Errorf("install region %v: %w", p, ErrReadOnly)
	}
	ready := make([]exchange, 0, len(files))
	defer func() {
		for _, x := range ready {
			x.w.Abort()
		}
	}()
	for _, f := range files {
		x, err := f.prepare(p)
		if err != nil {
			return f.Raw.installing(p, err)
		}
		ready = append(ready, x)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.exchangeAll(p, ready)
}

// Install is Store.Install for a file of this folder alone.
func (r *Raw) Install(ctx context.Context, p region.Pos, fill func(*region.Writer) error) error {
	return r.s.Install(ctx, p, NewFile{r, fill})
}

func (r *Raw) installing(p region.Pos, err error) error {
	return fmt.Errorf("install %s of %v: %w", p.Name(), r.f.kind, err)
}

// exchange is a file that only has to be renamed.
type exchange struct {
	r *Raw
	w *region.Writer
}

// prepare fills and flushes a file, unless it is plain that it may not be put
// in its place.
func (f *NewFile) prepare(p region.Pos) (exchange, error) {
	r := f.Raw
	if r.f.isFrozen(p) {
		return exchange{}, ErrFrozen
	}
	if err := r.mayExchange(p); err != nil {
		return exchange{}, err
	}
	if err := r.makeFolder(); err != nil {
		return exchange{}, err
	}
	w, err := region.Create(r.f.path(p), region.Options{FS: r.s.fs, MaxStream: maxStream})
	if err != nil {
		return exchange{}, err
	}
	if err = f.Fill(w); err == nil {
		err = w.Flush()
	}
	if err != nil {
		w.Abort()
	}
	return exchange{r, w}, err
}

// exchangeAll renames the files while nobody publishes or begins a snapshot.
func (s *Store) exchangeAll(p region.Pos, files []exchange) error {
	s.publish.Lock()
	defer s.publish.Unlock()
	if err := renameAll(p, files); err != nil {
		return err
	}
	for _, x := range files {
		if err := x.r.removeOrphans(p); err != nil {
			return x.r.installing(p, err)
		}
	}
	return nil
}

// renameAll has all the folders to itself before it looks whether the files may
// be exchanged. Who has one folder shared never waits for another but under
// Store.publish, which is ours.
func renameAll(p region.Pos, files []exchange) error {
	for _, x := range files {
		x.r.f.swap.Lock()
		defer x.r.f.swap.Unlock()
	}
	for _, x := range files {
		if err := x.r.mayExchange(p); err != nil {
			return x.r.installing(p, err)
		}
	}
	for _, x := range files {
		if err := x.exchange(p); err != nil {
			return x.r.installing(p, err)
		}
	}
	return nil
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
func (x *exchange) exchange(p region.Pos) error {
	f := x.r.f
	if err := f.close(); err != nil {
		return err
	}
	f.mu.Lock()
	f.files[p]++
	f.mu.Unlock()
	return x.w.Finish()
}

// mayExchange reports whether the region's file may be replaced or removed as
// a whole. That holds as long as the folder is the caller's alone.
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
