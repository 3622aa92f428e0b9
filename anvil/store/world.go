package store

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"strata/anvil"
	"strata/anvil/store/journal"
)

// WorldOf says where the parts of a world lie that was opened for reading: the
// store takes the lock itself, so whoever has w open for writing closes it
// first. Dimensions are in w's order, and after them those of more that w does
// not list, such as ones that only a data pack names.
func WorldOf(w *anvil.World, more ...string) (World, error) {
	r := World{FS: w.FS()}
	for i, dir := range w.Folders() {
		name := ""
		if i > 0 {
			name = filepath.Base(dir)
		}
		r.Roots = append(r.Roots, journal.Root{Name: name, Dir: dir})
	}
	dimensions := w.Dimensions()
	for _, id := range more {
		if slices.ContainsFunc(dimensions, func(d anvil.Dimension) bool { return d.ID == id }) {
			continue
		}
		d, err := w.Dimension(id)
		if err != nil {
			return r, err
		}
		dimensions = append(dimensions, d)
	}
	for _, d := range dimensions {
		r.Dimensions = append(r.Dimensions, Dimension{Name: d.ID, Region: d.Region, Entities: d.Entities, POI: d.POI})
		for _, dir := range []string{d.Region, d.Entities, d.POI, d.Data} {
			if err := r.addLinks(dir); err != nil {
				return r, err
			}
		}
	}
	players := w.Players()
	for _, dir := range []string{players.Data, players.Stats, players.Advancements} {
		if err := r.addLinks(dir); err != nil {
			return r, err
		}
	}
	return r, nil
}

// addLinks adds the folders on the way from a root to dir that are symbolic
// links.
func (w *World) addLinks(dir string) error {
	for _, root := range w.Roots {
		rel, err := filepath.Rel(root.Dir, dir)
		if err != nil || !filepath.IsLocal(rel) || rel == "." {
			continue
		}
		at := root.Dir
		for name := range strings.SplitSeq(filepath.ToSlash(rel), "/") {
			at = filepath.Join(at, name)
			if err := w.addLink(root, at); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *World) addLink(root journal.Root, dir string) error {
	info, err := w.FS.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil || info.Mode&fs.ModeSymlink == 0 {
		return err
	}
	for _, l := range w.Links {
		if l.Dir == dir {
			return nil
		}
	}
	rel, err := filepath.Rel(root.Dir, dir)
	if err != nil {
		return err
	}
	// No root is called like this: their names are those of folders.
	name := root.Name + "/" + filepath.ToSlash(rel)
	w.Links = append(w.Links, journal.Root{Name: name, Dir: dir})
	return nil
}
