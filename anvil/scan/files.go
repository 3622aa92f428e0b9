package scan

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"strata/anvil"
	"strata/anvil/store"
	"strata/region"
)

// File is one region file of a world.
type File struct {
	Dimension string // id
	Kind      store.Kind
	Path      string
	Pos       region.Pos
	Bytes     int64 // of the file
}

// Listing is the region files of a world.
type Listing struct {
	Files []File
	// External are the files of large records (.mcc), by dimension and kind.
	External []External
	// Failed are folders and files that could not be looked at.
	Failed []anvil.Failed
}

// External is what files of large records a folder has.
type External struct {
	Dimension string
	Kind      store.Kind
	Files     int
	Bytes     int64
}

// Files lists the region files of a world, by dimension as World.Dimensions
// has them, kind and position. With dimensions given only theirs are listed.
func Files(w *anvil.World, dimensions ...string) Listing {
	var l Listing
	for _, d := range w.Dimensions() {
		if len(dimensions) > 0 && !slices.Contains(dimensions, d.ID) {
			continue
		}
		for kind, dir := range map[store.Kind]string{store.Chunks: d.Region, store.Entities: d.Entities, store.POI: d.POI} {
			l.addFolder(w, d.ID, kind, dir)
		}
	}
	order := make(map[string]int)
	for i, d := range w.Dimensions() {
		order[d.ID] = i
	}
	slices.SortFunc(l.Files, func(a, b File) int {
		return cmp.Or(cmp.Compare(order[a.Dimension], order[b.Dimension]), cmp.Compare(a.Kind, b.Kind),
			cmp.Compare(a.Pos.Z, b.Pos.Z), cmp.Compare(a.Pos.X, b.Pos.X))
	})
	return l
}

func (l *Listing) addFolder(w *anvil.World, dimension string, kind store.Kind, dir string) {
	entries, err := w.FS().ReadDir(dir)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			l.Failed = append(l.Failed, anvil.Failed{Path: dir, Err: err})
		}
		return
	}
	external := External{Dimension: dimension, Kind: kind}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		pos, isRegion := region.ParseName(e.Name())
		_, isExternal := region.ParseExternalName(e.Name())
		if !isRegion && !isExternal {
			continue
		}
		stat, err := w.FS().Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist): // gone since it was listed
		case err != nil:
			l.Failed = append(l.Failed, anvil.Failed{Path: path, Err: err})
		case isRegion:
			l.Files = append(l.Files, File{dimension, kind, path, pos, stat.Size})
		default:
			external.Files++
			external.Bytes += stat.Size
		}
	}
	if external.Files > 0 {
		l.External = append(l.External, external)
	}
}
