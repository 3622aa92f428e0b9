package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"strata/anvil/session"
	"strata/region"
	"strata/region/vfs"
)

// Snapshot is a pinned epoch: the world as one epoch left it, while writers go
// on. It is safe for concurrent use. Region folders are pinned as package
// region does it; data files are kept before the store first replaces them.
// Files that others write into the world are as they are.
type Snapshot struct {
	s     *Store
	epoch uint64
	pins  []*region.FolderPin // by folder; nil for one that did not exist

	mu    sync.Mutex        // guards the rest
	kept  map[string]string // data files that were replaced since: copies, "" for absent ones
	count int
	done  bool
}

// Snapshot makes all changes durable as an epoch and pins it. The store stays
// open until the snapshot is released. Writers are not held up, but for the
// copying of 8 KiB a region file that is open. With ByTick it waits for a Tick,
// as Barrier does.
func (s *Store) Snapshot(ctx context.Context) (*Snapshot, error) {
	if s.readOnly {
		return nil, ErrReadOnly
	}
	if err := s.Barrier(ctx); err != nil {
		return nil, fmt.Errorf("begin snapshot: %w", err)
	}
	if err := s.retain(); err != nil {
		return nil, fmt.Errorf("begin snapshot: %w", err)
	}
	sn, err := s.pin()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("begin snapshot: %w", err), s.Close())
	}
	return sn, nil
}

// pin pins all folders at a moment when no epoch is being made.
func (s *Store) pin() (*Snapshot, error) {
	s.publish.Lock()
	defer s.publish.Unlock()
	sn := &Snapshot{s: s, pins: make([]*region.FolderPin, len(s.folders)), kept: map[string]string{}}
	for i, f := range s.folders {
		f.swap.RLock()
		d, err := f.region(false)
		if err == nil {
			sn.pins[i], err = d.Pin(s.opts.PinLimit)
		}
		f.swap.RUnlock()
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, errors.Join(err, sn.unpin())
		}
	}
	s.mu.Lock()
	sn.epoch = s.cuts
	s.snapshots[sn] = struct{}{}
	s.mu.Unlock()
	return sn, nil
}

func (sn *Snapshot) unpin() error {
	var errs []error
	for _, p := range sn.pins {
		if p != nil {
			errs = append(errs, p.Release())
		}
	}
	return errors.Join(errs...)
}

// Folder is the pin of one of a dimension's folders, nil if there was none. It
// belongs to the snapshot.
func (sn *Snapshot) Folder(dim Dim, k Kind) *region.FolderPin {
	i := int(dim)*kinds + int(k)
	if k >= kinds || i >= len(sn.pins) {
		return nil
	}
	return sn.pins[i]
}

// Read returns the record of an object as it was. The errors are those of
// package region, and ErrAbsent if there was none.
func (sn *Snapshot) Read(ref Ref, buf []byte) (region.Record, error) {
	p := sn.Folder(ref.Dim, ref.Kind)
	if p == nil {
		return region.Record{}, sn.s.fail("read snapshot", ref, ErrAbsent)
	}
	rec, err := p.Read(ref.Pos, buf)
	if errors.Is(err, region.ErrAbsent) {
		err = sn.s.fail("read snapshot", ref, ErrAbsent)
	}
	return rec, err
}

// Revoked reports whether the snapshot has held back too much space and was
// given up. What was read since it began must be discarded then.
func (sn *Snapshot) Revoked() bool {
	return slices.ContainsFunc(sn.pins, func(p *region.FolderPin) bool { return p != nil && p.Revoked() })
}

// Release ends the snapshot, and its use of the store: the error may be that
// of Store.Close. Calling it again does nothing.
func (sn *Snapshot) Release() error {
	ended, err := sn.end()
	if !ended {
		return nil
	}
	return errors.Join(err, sn.s.Close())
}

// end ends the snapshot, unless that was done before, and leaves the store be.
func (sn *Snapshot) end() (ended bool, err error) {
	sn.mu.Lock()
	done := sn.done
	sn.done = true
	sn.mu.Unlock()
	if done {
		return false, nil
	}
	sn.s.mu.Lock()
	delete(sn.s.snapshots, sn)
	sn.s.mu.Unlock()
	err = sn.unpin()
	sn.mu.Lock()
	for _, path := range sn.kept {
		if path != "" {
			err = errors.Join(err, sn.s.fs.Remove(path))
		}
	}
	sn.kept = nil
	sn.mu.Unlock()
	return true, err
}

// keepForSnapshots keeps a data file that an epoch is about to replace, for
// every snapshot that does not have it yet. Called by the keeper.
func (s *Store) keepForSnapshots(path string) error {
	s.mu.Lock()
	var all []*Snapshot
	for sn := range s.snapshots {
		all = append(all, sn)
	}
	s.mu.Unlock()
	for _, sn := range all {
		if err := sn.keep(filepath.Clean(path)); err != nil {
			return fmt.Errorf("keep %s for a snapshot: %w", path, err)
		}
	}
	return nil
}

func (sn *Snapshot) keep(path string) error {
	sn.mu.Lock()
	defer sn.mu.Unlock()
	if _, has := sn.kept[path]; has || sn.done {
		return nil
	}
	s := sn.s
	if _, err := s.fs.Stat(path); errors.Is(err, fs.ErrNotExist) {
		sn.kept[path] = ""
		return nil
	}
	dir := s.temporaryFolder()
	if err := s.plainFolder(dir); err != nil {
		return err
	}
	if err := vfs.MkdirAll(s.fs, dir, 0o755); err != nil {
		return err
	}
	sn.count++
	aside := filepath.Join(dir, fmt.Sprintf("%s%d.%p", vfs.TempPrefix, sn.count, sn))
	if _, err := vfs.CopyFile(s.fs, aside, path); err != nil {
		return err
	}
	sn.kept[path] = aside
	return nil
}

// ReadFile returns a data file as it was, at most limit bytes.
// fs.ErrNotExist if there was none.
func (sn *Snapshot) ReadFile(path string, limit int64) ([]byte, error) {
	path = filepath.Clean(path)
	// While this is held the keeper does not come to replace the file.
	sn.mu.Lock()
	defer sn.mu.Unlock()
	if sn.done {
		return nil, ErrClosed
	}
	switch aside, has := sn.kept[path]; {
	case has && aside == "":
		return nil, fmt.Errorf("read snapshot of %s: %w", path, fs.ErrNotExist)
	case has:
		return vfs.ReadFile(sn.s.fs, aside, limit)
	}
	return vfs.ReadFile(sn.s.fs, path, limit)
}

// Files lists the world's data files as they were, in the order of their
// paths: all files but those of region folders, session.lock, temporary files
// and what is ours.
func (sn *Snapshot) Files() ([]string, error) {
	sn.mu.Lock()
	defer sn.mu.Unlock()
	var files []string
	for _, r := range sn.s.world.Roots {
		if err := sn.s.walk(r.Dir, r.Dir, &files); err != nil {
			return nil, err
		}
	}
	files = slices.DeleteFunc(files, func(path string) bool { _, has := sn.kept[path]; return has })
	for path, aside := range sn.kept {
		if aside != "" {
			files = append(files, path)
		}
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

func (s *Store) walk(root, dir string, files *[]string) error {
	for _, f := range s.folders {
		if f.dir != "" && filepath.Clean(f.dir) == filepath.Clean(dir) {
			return nil
		}
	}
	entries, err := s.fs.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), vfs.TempPrefix) || e.Name() == session.FileName:
		case e.IsDir() && dir == root && e.Name() == ownFolder:
		case e.IsDir():
			err = s.walk(root, path, files)
		case e.Type().IsRegular():
			*files = append(*files, path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
