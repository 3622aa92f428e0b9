package diff

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"strata/anvil"
	"strata/anvil/scan"
	"strata/anvil/store"
	"strata/region"
	"strata/region/vfs"
)

// kinds is the number of kinds of records.
const kinds = 3

// Side is one of the two that are compared: a world, or a folder of region files.
type Side struct {
	fs     vfs.FS
	world  *anvil.World // nil for a folder
	kind   store.Kind   // of a folder
	files  map[place]scan.File
	bodies map[place]bool // regions that have files of large records
	failed []anvil.Failed
	order  []string // dimensions
}

// place is where a region file goes.
type place struct {
	dimension string
	kind      store.Kind
	pos       region.Pos
}

// OpenWorld makes a side of a world that is open for reading. Only the dimensions
// with the given ids are compared; without one, all are. What cannot be listed is
// in the Result of Compare.
func OpenWorld(w *anvil.World, dimensions ...string) *Side {
	list := scan.Files(w, dimensions...)
	s := newSide(w.FS())
	s.world, s.failed = w, list.Failed
	for _, f := range list.Files {
		s.files[place{f.Dimension, f.Kind, f.Pos}] = f
	}
	for _, d := range w.Dimensions() {
		if !selected(dimensions, d.ID) {
			continue
		}
		s.order = append(s.order, d.ID)
		for kind, dir := range map[store.Kind]string{store.Chunks: d.Region, store.Entities: d.Entities, store.POI: d.POI} {
			s.addBodies(d.ID, kind, dir)
		}
	}
	return s
}

func selected(all []string, id string) bool { return len(all) == 0 || slices.Contains(all, id) }

func newSide(fsys vfs.FS) *Side {
	return &Side{fs: fsys, files: map[place]scan.File{}, bodies: map[place]bool{}}
}

// OpenFolder makes a side of a folder of region files, whose kind is that of its
// name: entities, poi, or else chunks. The error wraps fs.ErrNotExist, or
// ErrNothing if there is no region file in it.
func OpenFolder(fsys vfs.FS, dir string) (*Side, error) {
	if fsys == nil {
		fsys = vfs.OS()
	}
	s := newSide(fsys)
	switch strings.ToLower(filepath.Base(filepath.Clean(dir))) {
	case store.Entities.String():
		s.kind = store.Entities
	case store.POI.String():
		s.kind = store.POI
	}
	entries, err := fsys.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		pos, ok := region.ParseName(e.Name())
		if !ok {
			continue
		}
		path := filepath.Join(dir, e.Name())
		info, err := fsys.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // gone since it was listed
		}
		if err != nil {
			return nil, err
		}
		s.files[place{"", s.kind, pos}] = scan.File{Kind: s.kind, Path: path, Pos: pos, Bytes: info.Size}
	}
	if len(s.files) == 0 {
		return nil, fmt.Errorf("%s: %w", dir, ErrNothing)
	}
	s.addBodies("", s.kind, dir)
	s.order = []string{""}
	return s, nil
}

// addBodies notes which regions of a folder have files of large records. A folder
// that cannot be listed is among the failed already.
func (s *Side) addBodies(dimension string, kind store.Kind, dir string) {
	entries, err := s.fs.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if pos, ok := region.ParseExternalName(e.Name()); ok {
			s.bodies[place{dimension, kind, pos.Region()}] = true
		}
	}
}

// Dimensions are the ids of the dimensions that are compared, "" for a folder.
func (s *Side) Dimensions() []string { return slices.Clone(s.order) }

// IsWorld reports whether the side is a world.
func (s *Side) IsWorld() bool { return s.world != nil }

// Bytes is the size of the side's region files.
func (s *Side) Bytes() (n int64) {
	for _, f := range s.files {
		n += f.Bytes
	}
	return n
}

// sameKinds returns an error if two sides are of different kinds.
func sameKinds(a, b *Side) error {
	if a.IsWorld() != b.IsWorld() || a.kind != b.kind {
		return ErrKinds
	}
	return nil
}
