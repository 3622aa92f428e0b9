package store

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"strata/anvil/level"
	"strata/anvil/store/journal"
	"strata/region"
	"strata/region/vfs"
)

// FileOptions say how a data file is replaced.
type FileOptions struct {
	// KeepOld copies the present file to its name with "_old" behind it, as
	// the game keeps level.dat and player files. A damaged one is kept as
	// "_damaged" instead, and a sound "_old" stays.
	KeepOld bool
	// Perm is the mode of a new file, default 0644.
	Perm fs.FileMode
}

// fileChange is a data file that the next epoch replaces, or removes.
type fileChange struct {
	path   string
	data   []byte
	remove bool
	opts   FileOptions

	// The keeper's, while the change is part of an epoch.
	fails   int
	err     error
	rescued bool
}

// StageFile makes the next epoch put data in the place of the data file at
// path: a player's, level.dat and so on. It is durable when that epoch is; see
// Barrier. The store keeps data, which must not change. A later call for the
// path replaces an earlier one. Level.dat has to be readable, and its
// DataVersion counts for chunks from that epoch on.
//
// ErrPath for what is not a file below one of the world's folders, or is the
// store's own or a region file; level.ErrSymlink for a symbolic link.
func (s *Store) StageFile(path string, data []byte, opts FileOptions) error {
	return s.Together(func(t Together) error { return t.StageFile(path, data, opts) })
}

// StageFile is [Store.StageFile] as part of the change.
func (t Together) StageFile(path string, data []byte, opts FileOptions) error {
	s := t.s
	err := s.checkPath(path)
	if err == nil && s.isLevel(path) {
		_, err = level.Parse(data)
	}
	if err != nil {
		return fmt.Errorf("stage %s: %w", path, err)
	}
	if opts.Perm == 0 {
		opts.Perm = 0o644
	}
	s.stage(&fileChange{path: filepath.Clean(path), data: data, opts: opts})
	return nil
}

// RemoveFile makes the next epoch remove the data file at path, with
// StageFile's rules. Level.dat is never removed.
func (s *Store) RemoveFile(path string) error {
	return s.Together(func(t Together) error { return t.RemoveFile(path) })
}

// RemoveFile is [Store.RemoveFile] as part of the change.
func (t Together) RemoveFile(path string) error {
	err := t.s.checkPath(path)
	if err == nil && t.s.isLevel(path) {
		err = ErrPath
	}
	if err != nil {
		return fmt.Errorf("remove %s: %w", path, err)
	}
	t.s.stage(&fileChange{path: filepath.Clean(path), remove: true})
	return nil
}

// ReadFile returns what the data file at path holds, or will when what was
// staged is durable; at most limit bytes. fs.ErrNotExist if there is none.
func (s *Store) ReadFile(path string, limit int64) ([]byte, error) {
	path = filepath.Clean(path)
	s.mu.Lock()
	c := s.files[path]
	if c == nil {
		c = s.flyingFiles[path]
	}
	s.mu.Unlock()
	switch {
	case c == nil:
		return vfs.ReadFile(s.fs, path, limit)
	case c.remove:
		return nil, fmt.Errorf("read %s: %w", path, fs.ErrNotExist)
	case int64(len(c.data)) > limit:
		return nil, fmt.Errorf("read %s: %w", path, vfs.ErrTooLarge)
	}
	return append([]byte(nil), c.data...), nil
}

func (s *Store) isLevel(path string) bool {
	return filepath.Clean(path) == filepath.Join(s.world.Roots[0].Dir, level.FileName)
}

// ownFolder holds what is ours in a world; the game ignores it.
const ownFolder = "strata"

func (s *Store) checkPath(path string) error {
	rel, ok := "", false
	for _, r := range s.world.Roots {
		if p, err := filepath.Rel(r.Dir, path); err == nil && filepath.IsLocal(p) {
			rel, ok = filepath.ToSlash(p), true
			if first, _, _ := strings.Cut(rel, "/"); strings.EqualFold(first, ownFolder) {
				return ErrPath
			}
		}
	}
	base := filepath.Base(path)
	_, isRegion := region.ParseName(base)
	_, isBody := region.ParseExternalName(base)
	if !ok || rel == "." || isRegion || isBody || base == "session.lock" || strings.HasPrefix(base, vfs.TempPrefix) {
		return ErrPath
	}
	if err := s.checkLinks(filepath.Dir(path)); err != nil {
		return err
	}
	info, err := s.fs.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode&fs.ModeSymlink != 0:
		return level.ErrSymlink
	case !info.Mode.IsRegular():
		return ErrPath
	}
	return nil
}

// checkLinks refuses folders that are reached through a symbolic link which is
// neither a root nor one of World.Links: the journal would refuse them later.
func (s *Store) checkLinks(dir string) error {
	for dir = filepath.Clean(dir); ; dir = filepath.Dir(dir) {
		for _, r := range slices.Concat(s.world.Links, s.world.Roots) {
			if filepath.Clean(r.Dir) == dir {
				return nil
			}
		}
		info, err := s.fs.Lstat(dir)
		if err == nil && info.Mode&fs.ModeSymlink != 0 {
			return level.ErrSymlink
		}
		if dir == filepath.Dir(dir) {
			return ErrPath
		}
	}
}

// stage is called within gate.
func (s *Store) stage(c *fileChange) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.files) == 0 {
		s.filesSince = time.Now()
		s.kick()
	}
	if before := s.files[c.path]; before != nil {
		s.dirtyBytes -= int64(len(before.data))
	}
	s.files[c.path] = c
	s.dirtyBytes += int64(len(c.data))
}

// keepFile makes the file at path, which the epoch replaces, its "_old" if it
// can be read, and keeps it as "_damaged" if not: a damaged file must not
// replace the sound one that it had before, nor be lost.
func (s *Store) keepFile(ep *journal.Epoch, path string) error {
	data, err := vfs.ReadFile(s.fs, path, level.MaxFile)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(data) == 0 { // left by a full disk
		return nil
	}
	if err == nil && soundFile(path, data) {
		if err := s.keepForSnapshots(path + level.OldSuffix); err != nil {
			return err
		}
		return ep.KeepOld(path)
	}
	if err != nil {
		return err
	}
	to, err := level.DamagedName(s.fs, path)
	if err != nil {
		return err
	}
	return ep.Write(to, data, 0o644)
}

// soundFile reports whether a data file can be read. In the place of level.dat
// another document is not what a reader takes.
func soundFile(path string, data []byte) bool {
	if filepath.Base(path) == level.FileName {
		_, err := level.Parse(data)
		return err == nil
	}
	_, err := level.ParseDocument(data)
	return err == nil
}
