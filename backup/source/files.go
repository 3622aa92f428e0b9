package source

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"strata/anvil/session"
	"strata/anvil/session/control"
	"strata/anvil/store"
	"strata/region"
	"strata/region/vfs"
)

// Kind is what a file is.
type Kind uint8

// The kinds.
const (
	Data Kind = iota + 1
	Folder
	RegionFile
	External // .mcc
)

// File is a file or folder of a world.
type File struct {
	Path string // with slashes, the name of a root first
	Abs  string
	Kind Kind
	Info vfs.FileInfo
	// Dimension and Record are of region files and external files in one of the
	// world's dimensions, "" for others.
	Dimension string
	Record    store.Kind
	Pos       region.Pos      // of a region file
	Chunk     region.ChunkPos // of an external file
}

// Skipped is a file that could not be read.
type Skipped struct {
	Path string
	Err  error
}

// OwnFolder is the folder of a world that Strata keeps its things in.
const OwnFolder = control.Folder

// RestoreFolder is the folder in OwnFolder that restores in place stage files in.
const RestoreFolder = "restore"

const maxDepth = 32

// Files lists the world, sorted by paths. What cannot be looked at is skipped.
func (w *World) Files(ctx context.Context) ([]File, []Skipped, error) {
	k := &walker{w: w, folders: map[string]place{}}
	for _, d := range w.Dimensions {
		for kind, dir := range d.Folders {
			k.folders[dir] = place{d.ID, store.Kind(kind)}
		}
	}
	for _, r := range w.Roots {
		if err := k.dir(ctx, r, r.Dir, "", 0); err != nil {
			return nil, nil, err
		}
	}
	slices.SortFunc(k.files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return k.files, k.skipped, nil
}

type place struct {
	dimension string
	kind      store.Kind
}

type walker struct {
	w       *World
	folders map[string]place
	files   []File
	skipped []Skipped
	way     []vfs.FileInfo // folders from the root to here
}

// dir lists a folder, rel below the root, which exists.
func (k *walker) dir(ctx context.Context, r Root, dir, rel string, depth int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	entries, err := k.w.fs.ReadDir(dir)
	if err != nil {
		if rel == "" && !(errors.Is(err, fs.ErrNotExist) && k.w.pin != nil) {
			return err
		}
		k.skip(r, rel, err)
		return nil
	}
	for _, e := range entries {
		name := path.Join(rel, e.Name())
		if k.leftOut(rel, name, e.Name()) {
			continue
		}
		abs := filepath.Join(dir, e.Name())
		info, err := k.w.fs.Stat(abs)
		switch {
		case errors.Is(err, fs.ErrNotExist) && e.Type()&fs.ModeSymlink == 0:
			continue // gone since
		case err != nil:
			k.skip(r, name, err)
		case info.IsDir() && vfs.SameFile(info, k.w.leave):
			continue
		case info.IsDir():
			if depth == maxDepth || k.onTheWay(info) {
				k.skip(r, name, errors.New("folders are too deep, or lead back"))
				continue
			}
			k.files = append(k.files, File{Path: path.Join(r.Name, name), Abs: abs, Kind: Folder, Info: info})
			k.way = append(k.way, info)
			if err := k.dir(ctx, r, abs, name, depth+1); err != nil {
				return err
			}
			k.way = k.way[:len(k.way)-1]
		case info.Mode.IsRegular():
			k.files = append(k.files, k.file(r, dir, name, abs, info))
		default:
			k.skip(r, name, errors.New("neither a file nor a folder"))
		}
	}
	return nil
}

func (k *walker) skip(r Root, name string, err error) {
	k.skipped = append(k.skipped, Skipped{path.Join(r.Name, name), err})
}

func (k *walker) onTheWay(info vfs.FileInfo) bool {
	return slices.ContainsFunc(k.way, func(x vfs.FileInfo) bool { return vfs.SameFile(x, info) })
}

// leftOut reports whether a file is no part of snapshots.
func (k *walker) leftOut(dir, name, base string) bool {
	if base == session.FileName || strings.HasPrefix(base, vfs.TempPrefix) {
		return true
	}
	if dir == OwnFolder && (base == control.FileName || base == RestoreFolder) {
		return true
	}
	if strings.HasPrefix(name, OwnFolder+"/") && strings.HasSuffix(base, ".spool") {
		return true
	}
	for _, p := range k.w.exclude {
		for _, text := range []string{name, base} {
			if ok, err := path.Match(p, text); ok && err == nil {
				return true
			}
		}
	}
	return false
}

// file says what a file is.
func (k *walker) file(r Root, dir, name, abs string, info vfs.FileInfo) File {
	f := File{Path: path.Join(r.Name, name), Abs: abs, Kind: Data, Info: info}
	base := path.Base(name)
	if pos, ok := region.ParseName(base); ok {
		f.Kind, f.Pos = RegionFile, pos
	} else if c, ok := region.ParseExternalName(base); ok {
		f.Kind, f.Chunk = External, c
	} else {
		return f
	}
	if at, ok := k.folders[dir]; ok {
		f.Dimension, f.Record = at.dimension, at.kind
	}
	return f
}
