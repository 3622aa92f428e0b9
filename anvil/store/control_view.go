package store

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"strata/region"
	"strata/region/vfs"
)

func notThere(op, name string) error { return &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist} }

func readOnly(op, name string) error { return &fs.PathError{Op: op, Path: name, Err: ErrReadOnly} }

// OpenFile implements vfs.FS, for reading: ErrReadOnly for all other flags.
func (p *RemotePin) OpenFile(name string, flag int, _ fs.FileMode) (vfs.File, error) {
	if flag != os.O_RDONLY {
		return nil, readOnly("open", name)
	}
	path := filepath.Clean(name)
	if g := p.regions[path]; g != nil {
		// What the holder exchanges a pinned file for is a copy of it with
		// every pinned sector in its place, so it does not matter when this is.
		f, err := p.r.world.FS.OpenFile(name, os.O_RDONLY, 0)
		if err != nil {
			return nil, err
		}
		return &pinnedFile{f, &g.header}, nil
	}
	if at, ok := p.files[path]; ok {
		return p.openData(path, at)
	}
	if c, ok := region.ParseExternalName(filepath.Base(path)); ok {
		if g := p.regions[filepath.Join(filepath.Dir(path), c.Region().Name())]; g != nil {
			return p.body(name, g, c)
		}
	}
	return nil, notThere("open", name)
}

// pinnedFile is a region file with the header that it had.
type pinnedFile struct {
	vfs.File
	header *region.Header
}

// ReadAt implements vfs.File.
func (f *pinnedFile) ReadAt(b []byte, off int64) (n int, err error) {
	if off >= 0 && off < region.HeaderBytes {
		n = copy(b, f.header[off:])
		if n == len(b) {
			return n, nil
		}
	}
	m, err := f.File.ReadAt(b[n:], off+int64(n))
	return n + m, err
}

// Stat implements vfs.FS. A data file is as it was, the size of a region file
// as it is.
func (p *RemotePin) Stat(name string) (vfs.FileInfo, error) {
	path := filepath.Clean(name)
	_, isFile := p.files[path]
	switch {
	case isFile:
		f, err := p.OpenFile(name, os.O_RDONLY, 0)
		if err != nil {
			return vfs.FileInfo{}, err
		}
		defer f.Close()
		info, err := f.Stat()
		info.Name = filepath.Base(path)
		return info, err
	case p.regions[path] != nil || p.dirs[path] != nil:
		return p.r.world.FS.Stat(name)
	}
	return vfs.FileInfo{}, notThere("stat", name)
}

// Lstat implements vfs.FS. No file of a pin is a link, but a folder may be.
func (p *RemotePin) Lstat(name string) (vfs.FileInfo, error) {
	if p.dirs[filepath.Clean(name)] != nil {
		return p.r.world.FS.Lstat(name)
	}
	return p.Stat(name)
}

// ReadDir implements vfs.FS. Folders without files are left out.
func (p *RemotePin) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, ok := p.dirs[filepath.Clean(name)]
	if !ok {
		return nil, notThere("read", name)
	}
	var all []fs.DirEntry
	for _, base := range slices.Sorted(maps.Keys(entries)) {
		all = append(all, pinnedEntry{p, filepath.Join(name, base), entries[base]})
	}
	return all, nil
}

// pinnedEntry is an entry of a folder.
type pinnedEntry struct {
	p    *RemotePin
	path string
	dir  bool
}

func (e pinnedEntry) Name() string { return filepath.Base(e.path) }
func (e pinnedEntry) IsDir() bool  { return e.dir }

func (e pinnedEntry) Type() fs.FileMode {
	if e.dir {
		return fs.ModeDir
	}
	return 0
}

// Info implements fs.DirEntry.
func (e pinnedEntry) Info() (fs.FileInfo, error) {
	info, err := e.p.Stat(e.path)
	if err != nil {
		return nil, err
	}
	return pinnedInfo{info}, nil
}

// pinnedInfo is what Info returns.
type pinnedInfo struct{ i vfs.FileInfo }

func (i pinnedInfo) Name() string       { return i.i.Name }
func (i pinnedInfo) Size() int64        { return i.i.Size }
func (i pinnedInfo) Mode() fs.FileMode  { return i.i.Mode }
func (i pinnedInfo) ModTime() time.Time { return i.i.ModTime }
func (i pinnedInfo) IsDir() bool        { return i.i.IsDir() }
func (i pinnedInfo) Sys() any           { return nil }

// Mkdir is ErrReadOnly, as is everything that changes something.
func (p *RemotePin) Mkdir(name string, _ fs.FileMode) error { return readOnly("mkdir", name) }

// Remove is ErrReadOnly.
func (p *RemotePin) Remove(name string) error { return readOnly("remove", name) }

// Rename is ErrReadOnly.
func (p *RemotePin) Rename(_, name string) error { return readOnly("rename", name) }

// Link is ErrReadOnly.
func (p *RemotePin) Link(_, name string) error { return readOnly("link", name) }

// Clone is ErrReadOnly.
func (p *RemotePin) Clone(_, name string) error { return readOnly("clone", name) }

// SyncDir is ErrReadOnly.
func (p *RemotePin) SyncDir(name string) error { return readOnly("sync", name) }

// FreeBytes implements vfs.FS.
func (p *RemotePin) FreeBytes(name string) (int64, error) { return p.r.world.FS.FreeBytes(name) }

// pinnedBody is an external body in memory.
type pinnedBody struct {
	name string
	data []byte
}

var _ vfs.File = (*pinnedBody)(nil)

func (b *pinnedBody) Name() string { return b.name }
func (b *pinnedBody) Close() error { return nil }

func (b *pinnedBody) ReadAt(buf []byte, off int64) (int, error) {
	return bytes.NewReader(b.data).ReadAt(buf, off)
}

func (b *pinnedBody) Stat() (vfs.FileInfo, error) {
	return vfs.FileInfo{Name: filepath.Base(b.name), Size: int64(len(b.data)), Mode: 0o444, Allocated: -1}, nil
}

func (b *pinnedBody) WriteAt([]byte, int64) (int, error) { return 0, readOnly("write", b.name) }
func (b *pinnedBody) Truncate(int64) error               { return readOnly("truncate", b.name) }
func (b *pinnedBody) Sync() error                        { return readOnly("sync", b.name) }
func (b *pinnedBody) Preallocate(_, _ int64) error       { return readOnly("preallocate", b.name) }
func (b *pinnedBody) PunchHole(_, _ int64) error         { return readOnly("punch", b.name) }
func (b *pinnedBody) Lock(bool) error                    { return readOnly("lock", b.name) }
func (b *pinnedBody) Unlock() error                      { return readOnly("unlock", b.name) }
