package backup

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"strata/backup/pack"
	"strata/backup/source"
	"strata/region/vfs"
)

// View implements Repository.
func (r *repo) View(_ context.Context, name string) (*View, error) {
	j, err := r.begin(reading)
	if err != nil {
		return nil, err
	}
	rec, err := r.find(name)
	if err != nil {
		return nil, errors.Join(err, j.end())
	}
	v, err := j.view(rec)
	if err != nil {
		return nil, errors.Join(err, j.end())
	}
	v.close = j.end
	return v, nil
}

// view makes a view that lasts as long as the job.
func (j *job) view(rec *record) (*View, error) {
	_, files, err := j.files(rec)
	if err != nil {
		return nil, err
	}
	f := newRepoFS(j.objects, files)
	root := ""
	if len(rec.Roots) > 0 {
		root = rec.Roots[0]
	}
	for _, r := range rec.Roots {
		f.addDir(r)
	}
	return &View{FS: f, Snapshot: rec.Snapshot, Root: root}, nil
}

// repoFS is a snapshot of a repo as a file system. Names are the paths of the
// snapshot, which begin with the name of one of the world's folders.
type repoFS struct {
	objects
	files map[string]*entry
	dirs  map[string]map[string]bool // entries, true for folders

	mu     sync.Mutex // guards the rest
	opened map[string]*regionImage
}

func newRepoFS(o objects, files map[string]*entry) *repoFS {
	f := &repoFS{objects: o, files: files, dirs: map[string]map[string]bool{"": {}}, opened: map[string]*regionImage{}}
	for name, e := range files {
		if e.kind == source.Folder {
			f.addDir(name)
			continue
		}
		dir, base := path.Split(name)
		f.addDir(path.Clean(dir))
		f.dirs[path.Clean(dir)][base] = false
	}
	return f
}

func (f *repoFS) addDir(name string) {
	if name == "" || name == "." || f.dirs[name] != nil {
		return
	}
	f.dirs[name] = map[string]bool{}
	dir, base := path.Split(name)
	dir = path.Clean(dir)
	if dir == "." {
		dir = ""
	}
	f.addDir(dir)
	f.dirs[dir][base] = true
}

// key is a name as the snapshot has it.
func (f *repoFS) key(name string) string {
	name = path.Clean(filepath.ToSlash(name))
	if name == "." {
		return ""
	}
	return name
}

func notThere(op, name string) error { return &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist} }

func readOnly(op, name string) error { return &fs.PathError{Op: op, Path: name, Err: ErrReadOnly} }

// OpenFile implements vfs.FS, for reading.
func (f *repoFS) OpenFile(name string, flag int, _ fs.FileMode) (vfs.File, error) {
	if flag != os.O_RDONLY {
		return nil, readOnly("open", name)
	}
	e := f.files[f.key(name)]
	if e == nil || e.kind == source.Folder {
		return nil, notThere("open", name)
	}
	info, err := f.Stat(name)
	if err != nil {
		return nil, err
	}
	v := &viewFile{name: name, info: info}
	switch {
	case e.region != nil:
		image, err := f.image(f.key(name), e)
		if err != nil {
			return nil, err
		}
		v.at = image
	case e.kind == source.External && e.data.size == 0 && !e.data.id.IsZero():
		b, err := f.store.Get(e.data.id, nil)
		if err != nil {
			return nil, damaged(err)
		}
		v.at = bytesAt(b[1:])
		v.info.Size = int64(len(b) - 1)
	default:
		r, err := f.reader(e.data)
		if err != nil {
			return nil, err
		}
		v.at = r
	}
	return v, nil
}

// viewDevice marks the files of views. Files of two snapshots that are the same
// object count as one file, which is what they are.
const viewDevice = 0x5374726174610001

// Stat implements vfs.FS.
func (f *repoFS) Stat(name string) (vfs.FileInfo, error) {
	key := f.key(name)
	e := f.files[key]
	if _, isDir := f.dirs[key]; isDir {
		info := vfs.FileInfo{Name: path.Base(key), Mode: fs.ModeDir | 0o555, Allocated: -1}
		if e != nil {
			info.Mode, info.ModTime = e.stat.mode|fs.ModeDir, e.stat.modTime()
		}
		return info, nil
	}
	if e == nil {
		return vfs.FileInfo{}, notThere("stat", name)
	}
	info := vfs.FileInfo{Name: path.Base(key), Size: e.stat.size, Mode: e.stat.mode, ModTime: e.stat.modTime(), Allocated: -1}
	if e.region != nil {
		info.Device, info.Inode = viewDevice, hashID(e.region.table)
		if e.region.odd || e.region.exact {
			info.Inode ^= hashID(e.region.rest.id)
		}
	}
	return info, nil
}

func hashID(id pack.ID) uint64 {
	n := uint64(0)
	for _, b := range id[:8] {
		n = n<<8 | uint64(b)
	}
	return n
}

// Lstat implements vfs.FS; there are no symbolic links.
func (f *repoFS) Lstat(name string) (vfs.FileInfo, error) { return f.Stat(name) }

// ReadDir implements vfs.FS.
func (f *repoFS) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, ok := f.dirs[f.key(name)]
	if !ok {
		return nil, notThere("read", name)
	}
	all := make([]fs.DirEntry, 0, len(entries))
	for _, base := range slices.Sorted(maps.Keys(entries)) {
		all = append(all, viewEntry{f, filepath.Join(name, base), entries[base]})
	}
	return all, nil
}

// Mkdir is ErrReadOnly, as is everything that changes something.
func (f *repoFS) Mkdir(name string, _ fs.FileMode) error { return readOnly("mkdir", name) }

// Remove is ErrReadOnly.
func (f *repoFS) Remove(name string) error { return readOnly("remove", name) }

// Rename is ErrReadOnly.
func (f *repoFS) Rename(_, name string) error { return readOnly("rename", name) }

// Link is ErrReadOnly.
func (f *repoFS) Link(_, name string) error { return readOnly("link", name) }

// Clone is ErrReadOnly.
func (f *repoFS) Clone(_, name string) error { return readOnly("clone", name) }

// SyncDir is ErrReadOnly.
func (f *repoFS) SyncDir(name string) error { return readOnly("sync", name) }

// FreeBytes is 0.
func (f *repoFS) FreeBytes(string) (int64, error) { return 0, nil }

// image is a region file as it was.
func (f *repoFS) image(key string, e *entry) (*regionImage, error) {
	f.mu.Lock()
	image := f.opened[key]
	f.mu.Unlock()
	if image == nil {
		var err error
		if image, err = f.newImage(e); err != nil {
			return nil, err
		}
		f.mu.Lock()
		if len(f.opened) >= maxImages {
			clear(f.opened)
		}
		f.opened[key] = image
		f.mu.Unlock()
	}
	return image.reader(f.objects)
}

// maxImages bounds what is kept of region files: about 60 KiB each.
const maxImages = 64
