package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

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
	// The folder may lie on another file system, so that a rename will not do.
	temporary := filepath.Join(dir, vfs.TempPrefix+"aside")
	if err := fsys.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if _, err := vfs.CopyFile(fsys, temporary, from); err != nil {
		return "", err
	}
	if err := syncFile(fsys, temporary); err != nil {
		return "", errors.Join(err, fsys.Remove(temporary))
	}
	if err := fsys.Rename(temporary, to); err != nil {
		return "", errors.Join(err, fsys.Remove(temporary))
	}
	if err := fsys.SyncDir(dir); err != nil {
		return "", err
	}
	if err := fsys.Remove(from); err != nil {
		return "", err
	}
	return to, fsys.SyncDir(r.f.dir)
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
