package journal

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"

	"strata/region/vfs"
)

// Root is a folder of the world. A record names it by Name, so that a world
// that was moved is still replayed.
type Root struct {
	// Name tells the roots of a world apart: up to 255 bytes, the same at
	// every opening. The main folder's may be empty.
	Name string
	// Dir is the folder.
	Dir string
}

const (
	maxRoots    = 64
	maxRootName = 255
	maxPath     = 1024 // bytes of a path below its root
)

// place is a file as a record names it.
type place struct {
	root string // the root's name
	path string // below the root, with slashes
}

func (p place) base() string { return p.path[strings.LastIndexByte(p.path, '/')+1:] }

// beside is the place of another file in the same folder.
func (p place) beside(base string) place {
	return place{p.root, p.path[:len(p.path)-len(p.base())] + base}
}

// roots are the folders of a world; the first is the main one.
type roots struct {
	fs   vfs.FS
	list []Root

	mu    sync.Mutex
	plain map[string]bool // folders that were found to be no links; guarded by mu
}

func newRoots(fsys vfs.FS, list []Root) (*roots, error) {
	if len(list) == 0 || len(list) > maxRoots {
		return nil, fmt.Errorf("journal: %d roots are not 1 to %d", len(list), maxRoots)
	}
	seen := map[string]bool{}
	for _, r := range list {
		if r.Dir == "" || len(r.Name) > maxRootName || seen[r.Name] {
			return nil, fmt.Errorf("journal: root %q in %q has no folder, a long name or one that is taken", r.Name, r.Dir)
		}
		seen[r.Name] = true
	}
	return &roots{fs: fsys, list: list, plain: map[string]bool{}}, nil
}

// main is the name of the main folder's root.
func (r *roots) main() string { return r.list[0].Name }

// journalDir is the folder of the world that holds our own files.
const journalDir = "strata"

// place finds the innermost root that path lies in.
func (r *roots) place(path string) (place, error) {
	best, length := place{}, -1
	for _, root := range r.list {
		rel, err := filepath.Rel(root.Dir, path)
		if err == nil && filepath.IsLocal(rel) && len(filepath.Clean(root.Dir)) > length {
			best, length = place{root.Name, filepath.ToSlash(rel)}, len(filepath.Clean(root.Dir))
		}
	}
	if length < 0 {
		return best, fmt.Errorf("%s: %w", path, ErrPath)
	}
	if !best.valid(r.main()) {
		return best, fmt.Errorf("%s: %w", path, ErrPath)
	}
	return best, nil
}

// valid reports whether a record may name the place: a file below its root
// that is neither ours nor the lock.
func (p place) valid(main string) bool {
	if len(p.path) > maxPath || !fs.ValidPath(p.path) || p.path == "." || strings.ContainsFunc(p.path, forbidden) {
		return false
	}
	first, _, _ := strings.Cut(p.path, "/")
	if p.root == main && strings.EqualFold(strings.TrimRight(first, ". "), journalDir) {
		return false
	}
	return !strings.EqualFold(p.base(), "session.lock")
}

// forbidden characters are separators or have a meaning of their own on some
// system.
func forbidden(c rune) bool { return c < ' ' || c == '\\' || c == ':' }

// path is where the place is on this machine; ok is false if there is no such
// root.
func (r *roots) path(p place) (path string, ok bool) {
	for _, root := range r.list {
		if root.Name == p.root {
			return filepath.Join(root.Dir, filepath.FromSlash(p.path)), true
		}
	}
	return "", false
}

// checkLinks returns ErrSymlink if a folder between the root and the place is
// a symbolic link. Folders that are absent are no links.
func (r *roots) checkLinks(p place) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, c := range p.path {
		if c != '/' {
			continue
		}
		dir, ok := r.path(place{p.root, p.path[:i]})
		if !ok || r.plain[dir] {
			continue
		}
		info, err := r.fs.Lstat(dir)
		if isAbsent(err) {
			return nil
		}
		if err != nil {
			return err
		}
		if info.Mode&fs.ModeSymlink != 0 {
			return fmt.Errorf("%s: %w", dir, ErrSymlink)
		}
		r.plain[dir] = true
	}
	return nil
}
