package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"strata/region"
	"strata/region/vfs"
)

// Repair mends a region's file as region.Repair does, while nobody else has
// it: the folder is closed, and opens again with the repaired file. The raw copy
// goes to a folder of this dimension and kind in the world's rescue folder,
// whatever o says. With o.DryRun nothing is changed, and a store that is open
// for reading will do. fs.ErrNotExist if the region has no file.
//
// ErrHeld if an object of the region is in use, region.ErrPinned while there
// are snapshots, ErrFrozen, ErrReadOnly.
func (r *Raw) Repair(ctx context.Context, p region.Pos, o region.RepairOptions) (*region.RepairReport, error) {
	o.FS, o.MaxStream, o.KeepDir, o.Position = r.s.fs, maxStream, r.asideDir(), nil
	// Those lie beside the file and are SetAside's.
	o.RemoveOrphans, o.RemoveLeftovers = false, false
	report, err := r.repair(ctx, p, o)
	if err != nil {
		return nil, fmt.Errorf("repair %s of %v: %w", p.Name(), r.f.kind, err)
	}
	return report, nil
}

func (r *Raw) repair(ctx context.Context, p region.Pos, o region.RepairOptions) (*region.RepairReport, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if r.f.dir == "" {
		return nil, fs.ErrNotExist
	}
	if o.DryRun {
		return region.Repair(r.f.path(p), o)
	}
	var report *region.RepairReport
	err := r.alone(p, func() (err error) {
		report, err = region.Repair(r.f.path(p), o)
		return err
	})
	return report, err
}

// alone calls f with the folder closed and to itself; what the cache has of the
// region counts no more.
func (r *Raw) alone(p region.Pos, f func() error) error {
	s := r.s
	switch {
	case s.readOnly:
		return ErrReadOnly
	case r.f.isFrozen(p):
		return ErrFrozen
	}
	if err := errors.Join(s.plainFolder(s.rescueDir()), s.plainFolder(r.asideDir())); err != nil {
		return err
	}
	s.publish.Lock()
	defer s.publish.Unlock()
	r.f.swap.Lock()
	defer r.f.swap.Unlock()
	if err := r.mayExchange(p); err != nil {
		return err
	}
	if err := r.f.close(); err != nil {
		return err
	}
	r.f.mu.Lock()
	r.f.files[p]++
	r.f.mu.Unlock()
	return f()
}

// SetAside moves a file out of the folder and into the world's rescue folder,
// byte for byte, and returns its path there: an external file that no record
// stands for, a temporary file, or the file of a region that is none. Which of
// them it is, the caller knows. ErrPath if it is anything but a plain file of
// the folder; otherwise the errors are those of Repair.
func (r *Raw) SetAside(ctx context.Context, name string) (path string, err error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	p, _ := region.ParseName(name)
	if c, ok := region.ParseExternalName(name); ok {
		p = c.Region()
	}
	err = r.alone(p, func() error {
		path, err = r.setAside(name)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("set %s of %v aside: %w", name, r.f.kind, err)
	}
	return path, nil
}

func (r *Raw) setAside(name string) (string, error) {
	fsys, from := r.s.fs, filepath.Join(r.f.dir, name)
	if name != filepath.Base(name) || r.f.dir == "" {
		return "", ErrPath
	}
	info, err := fsys.Lstat(from)
	if err != nil {
		return "", err
	}
	if !info.Mode.IsRegular() {
		return "", ErrPath
	}
	dir := r.asideDir()
	if err := vfs.MkdirAllSync(fsys, dir, 0o755); err != nil {
		return "", err
	}
	to, err := freeName(fsys, filepath.Join(dir, name))
	if err != nil {
		return "", err
	}
	if err := moveFile(fsys, from, to); err != nil {
		return "", err
	}
	return to, fsys.SyncDir(r.f.dir)
}

// Asides lists the paths of what SetAside has taken from the folder under a
// name, whatever has been added to it for there being several.
func (r *Raw) Asides(name string) ([]string, error) {
	entries, err := r.s.fs.ReadDir(r.asideDir())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look for %s of %v: %w", name, r.f.kind, err)
	}
	var paths []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), name) && e.Type().IsRegular() {
			paths = append(paths, filepath.Join(r.asideDir(), e.Name()))
		}
	}
	return paths, nil
}

// PutBack is the reverse of SetAside: it moves a file of the rescue folder, one
// that Asides lists, back to its name in the folder, byte for byte. fs.ErrExist if there is
// something by that name; otherwise the errors are those of SetAside.
func (r *Raw) PutBack(ctx context.Context, name, path string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	p, _ := region.ParseName(name)
	if c, ok := region.ParseExternalName(name); ok {
		p = c.Region()
	}
	if err := r.alone(p, func() error { return r.putBack(name, path) }); err != nil {
		return fmt.Errorf("put %s of %v back: %w", name, r.f.kind, err)
	}
	return nil
}

func (r *Raw) putBack(name, from string) error {
	fsys, to := r.s.fs, filepath.Join(r.f.dir, name)
	if name != filepath.Base(name) || r.f.dir == "" || filepath.Dir(from) != r.asideDir() {
		return ErrPath
	}
	switch _, err := fsys.Lstat(to); {
	case err == nil:
		return fs.ErrExist
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err := vfs.MkdirAllSync(fsys, r.f.dir, 0o755); err != nil {
		return err
	}
	if err := moveFile(fsys, from, to); err != nil {
		return err
	}
	return fsys.SyncDir(filepath.Dir(from))
}

// moveFile copies a file to a free name, durably, and only then removes it: the
// two may lie on file systems of their own, so that a rename will not do.
func moveFile(fsys vfs.FS, from, to string) error {
	dir := filepath.Dir(to)
	temporary := filepath.Join(dir, vfs.TempPrefix+"aside")
	if err := fsys.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, err := vfs.CopyFile(fsys, temporary, from); err != nil {
		return err
	}
	if err := syncFile(fsys, temporary); err != nil {
		return errors.Join(err, fsys.Remove(temporary))
	}
	if err := fsys.Rename(temporary, to); err != nil {
		return errors.Join(err, fsys.Remove(temporary))
	}
	if err := fsys.SyncDir(dir); err != nil {
		return err
	}
	return fsys.Remove(from)
}

func syncFile(fsys vfs.FS, name string) error {
	file, err := fsys.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

// asideDir is where originals of the folder's files are kept.
func (r *Raw) asideDir() string {
	return filepath.Join(r.s.rescueDir(), escape(r.s.world.Dimensions[r.f.dim].Name), r.f.kind.String())
}

// returnedFolder is where rescued objects go that are in their places again.
const returnedFolder = "returned"

// Return moves what was rescued to the folder of what has been taken back, so
// that it is listed no more: the caller has put it in its place, durably.
func (s *Store) Return(r Rescued) error {
	if err := s.returned(r); err != nil {
		return fmt.Errorf("note that %s was taken back: %w", filepath.Base(r.Path), err)
	}
	return nil
}

func (s *Store) returned(r Rescued) error {
	if s.readOnly {
		return ErrReadOnly
	}
	if filepath.Dir(r.Path) != s.rescueDir() {
		return ErrPath
	}
	dir := filepath.Join(s.rescueDir(), returnedFolder)
	if err := s.plainFolder(dir); err != nil {
		return err
	}
	if err := vfs.MkdirAllSync(s.fs, dir, 0o755); err != nil {
		return err
	}
	to, err := freeName(s.fs, filepath.Join(dir, filepath.Base(r.Path)))
	if err != nil {
		return err
	}
	if err := s.fs.Rename(r.Path, to); err != nil {
		return err
	}
	return errors.Join(s.fs.SyncDir(dir), s.fs.SyncDir(s.rescueDir()))
}
