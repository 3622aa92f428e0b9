package diff

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"strata/anvil"
	"strata/anvil/level"
	"strata/anvil/player"
	"strata/nbt"
	"strata/region/vfs"
)

// maxFile is the largest player or data file that is read.
const maxFile = 256 << 20

// File is how a file of a player, or a data file, differs.
type File struct {
	// What is level, player, stats, advancements or data.
	What string `json:"what"`
	// Name is that of a data file since 26.1, or a player's UUID, or name before
	// 1.7.6.
	Name      string `json:"name"`
	Dimension string `json:"dimension,omitempty"`
	Class     Class  `json:"class"`
	// Error is why it is unreadable.
	Error string `json:"error,omitempty"`
	*Document
	Old string `json:"old,omitempty"` // path
	New string `json:"new,omitempty"`
}

// FilesResult is what came out for the players and data files of two worlds.
type FilesResult struct {
	Players Counts `json:"players"`
	Data    Counts `json:"data_files"` // with level.dat
	// Files are those that are not equal.
	Files  []File         `json:"files"`
	Failed []anvil.Failed `json:"-"`
}

// Differ reports whether any file differs.
func (r *FilesResult) Differ() bool {
	return r.Players.Differ() || r.Data.Differ() || len(r.Failed) > 0
}

// fileKey is what files of two worlds are matched by.
type fileKey struct{ what, dimension, name string }

// CompareFiles compares level.dat, the files of players and the data files of two
// worlds. Files of NBT are equal if their documents are, however they are
// compressed, others if their bytes are. Of sides that are folders there is
// nothing to compare. The error is ctx's.
func CompareFiles(ctx context.Context, a, b *Side, o Options) (*FilesResult, error) {
	r := &FilesResult{Files: []File{}}
	if a.world == nil || b.world == nil {
		return r, nil
	}
	o = o.withDefaults()
	old, failed := filesOf(a.world)
	r.Failed = append(r.Failed, failed...)
	now, failed := filesOf(b.world)
	r.Failed = append(r.Failed, failed...)
	keys := make([]fileKey, 0, len(old)+len(now))
	for _, side := range []map[fileKey]string{old, now} {
		for key := range side {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b fileKey) int {
		return cmp.Or(cmp.Compare(fileOrder[a.what], fileOrder[b.what]), cmp.Compare(a.dimension, b.dimension), cmp.Compare(a.name, b.name))
	})
	for _, key := range slices.Compact(keys) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f := File{What: key.what, Name: key.name, Dimension: key.dimension, Old: old[key], New: now[key]}
		f.compare(a.fs, b.fs, &o)
		if key.what == "level" || key.what == "data" {
			r.Data.Add(f.Class, 1)
		} else {
			r.Players.Add(f.Class, 1)
		}
		if f.Class != Equal {
			r.Files = append(r.Files, f)
		}
	}
	return r, nil
}

var fileOrder = map[string]int{"level": 0, "data": 1, "player": 2, "stats": 3, "advancements": 4}

func (f *File) compare(oldFS, newFS vfs.FS, o *Options) {
	switch {
	case f.Old == "":
		f.Class = Created
		return
	case f.New == "":
		f.Class = Deleted
		return
	}
	old, errOld := vfs.ReadFile(oldFS, f.Old, maxFile)
	now, errNew := vfs.ReadFile(newFS, f.New, maxFile)
	switch {
	case errOld != nil || errNew != nil:
		f.Class, f.Error = Unreadable, errors.Join(errOld, errNew).Error()
	case bytes.Equal(old, now):
		f.Class = Equal
	case strings.HasSuffix(f.Old, ".dat"):
		f.documents(old, now, o)
	default:
		f.Class = Modified
	}
}

func (f *File) documents(old, now []byte, o *Options) {
	limits := nbt.Limits{Bytes: maxFile}
	a, _, errA := nbt.Unpack(old, limits)
	b, _, errB := nbt.Unpack(now, limits)
	if err := errors.Join(errA, errB); err != nil {
		f.Class, f.Error = Unreadable, err.Error()
		return
	}
	d, err := Documents(a, b, *o)
	switch {
	case err != nil:
		f.Class, f.Error = Unreadable, err.Error()
	case d.Changes == 0:
		f.Class = Equal
	default:
		f.Class, f.Document = Modified, d
	}
}

// filesOf lists a world's files by what they are.
func filesOf(w *anvil.World) (map[fileKey]string, []anvil.Failed) {
	all := map[fileKey]string{{what: "level", name: level.FileName}: filepath.Join(w.Path(), level.FileName)}
	var failed []anvil.Failed
	players, err := player.List(w.FS(), w.Players())
	if err != nil {
		failed = append(failed, anvil.Failed{Path: w.Players().Data, Err: err})
	}
	for _, p := range players {
		name := p.Name
		if name == "" {
			name = p.ID.String()
		}
		for what, path := range map[string]string{"player": p.Data, "stats": p.Stats, "advancements": p.Advancements} {
			if path != "" {
				all[fileKey{what: what, name: name}] = path
			}
		}
	}
	list := dataLister{w: w, all: all}
	if w.Layout() == anvil.NewLayout {
		list.folder(filepath.Join(w.Path(), "data"), "", "", 0)
	}
	for _, d := range w.Dimensions() {
		list.folder(d.Data, d.ID, "", 0)
	}
	return all, append(failed, list.failed...)
}

// dataLister lists data files.
type dataLister struct {
	w      *anvil.World
	all    map[fileKey]string
	failed []anvil.Failed
}

// maxFolders is how deep folders of data files are looked into.
const maxFolders = 8

func (l *dataLister) folder(dir, dimension, prefix string, depth int) {
	if dir == "" || depth > maxFolders {
		return
	}
	entries, err := l.w.FS().ReadDir(dir)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			l.failed = append(l.failed, anvil.Failed{Path: dir, Err: err})
		}
		return
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if e.IsDir() {
			l.folder(path, dimension, prefix+e.Name()+"/", depth+1)
			continue
		}
		if stem, ok := strings.CutSuffix(e.Name(), ".dat"); ok {
			l.all[l.key(prefix+stem, dimension)] = path
		}
	}
}

// key is the name that a file has since 26.1, and the dimension if each has one.
func (l *dataLister) key(name, dimension string) fileKey {
	if l.w.Layout() == anvil.NewLayout {
		namespace, base, found := strings.Cut(name, "/")
		if !found {
			namespace, base = "", name
		}
		return fileKey{"data", dimension, namespace + ":" + base}
	}
	switch {
	case name == "raids_end" && dimension == anvil.End:
		name = "raids"
	case name == "idcounts":
		name = "maps/last_id"
	case name == "chunks":
		name = "chunk_tickets"
	case strings.HasPrefix(name, "map_"):
		name = "maps/" + strings.TrimPrefix(name, "map_")
	}
	// The overworld's folder is that of the world too.
	if dimension == anvil.Overworld && !ofDimension[name] {
		dimension = ""
	}
	return fileKey{"data", dimension, "minecraft:" + name}
}

// ofDimension are the data files that each dimension has.
var ofDimension = map[string]bool{"raids": true, "chunk_tickets": true, "ender_dragon_fight": true, "world_border": true}
