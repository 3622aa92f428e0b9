package store

import (
	"path/filepath"
	"slices"
	"strings"

	"strata/region/vfs"
)

// Bounds of the walk over a world that looks for temporaries. Worlds have some
// hundred folders, at most seven deep.
const (
	sweepDepth   = 16
	sweepFolders = 20000
)

// sweep removes the temporaries that a process that was killed has left
// anywhere in the world. The caller holds the world's lock, so that nobody else
// has any; the journal is replayed, so that no record names them; and nothing
// of the world is open. Links are not followed, but for those of World.Links
// and of dimensions. What cannot be removed does no harm.
func (s *Store) sweep() {
	w := sweeper{fs: s.fs, left: sweepFolders}
	for _, r := range slices.Concat(s.world.Roots, s.world.Links) {
		w.folder(r.Dir, 0)
	}
	for _, f := range s.folders { // they may lie elsewhere
		if f.dir != "" {
			removeTemporaries(s.fs, f.dir)
		}
	}
}

type sweeper struct {
	fs   vfs.FS
	left int // folders that may still be looked into
}

func (w *sweeper) folder(dir string, depth int) {
	if depth > sweepDepth || w.left == 0 {
		return
	}
	w.left--
	for _, name := range removeTemporaries(w.fs, dir) {
		w.folder(filepath.Join(dir, name), depth+1)
	}
}

// removeTemporaries removes those of one folder, and returns its folders.
func removeTemporaries(fsys vfs.FS, dir string) (folders []string) {
	entries, err := fsys.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		switch {
		case e.IsDir():
			folders = append(folders, e.Name())
		case strings.HasPrefix(e.Name(), vfs.TempPrefix):
			fsys.Remove(filepath.Join(dir, e.Name())) //nolint:errcheck // as sweep says
		}
	}
	return folders
}
