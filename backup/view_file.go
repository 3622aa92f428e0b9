package backup

import (
	"io"
	"io/fs"
	"path/filepath"
	"sync"
	"time"

	"strata/region/vfs"
)

// bytesAt is a file in memory.
type bytesAt []byte

func (b bytesAt) readAt(buf []byte, at int64) error {
	if at < int64(len(b)) {
		copy(buf, b[at:])
	}
	return nil
}

// content is what a viewFile reads from: buf is within the file.
type readerAt interface {
	readAt(buf []byte, at int64) error
}

// viewFile is an open file of a view.
type viewFile struct {
	name string
	info vfs.FileInfo

	mu sync.Mutex // readers keep what they read last
	at readerAt
}

var _ vfs.File = (*viewFile)(nil)

func (v *viewFile) Name() string                { return v.name }
func (v *viewFile) Close() error                { return nil }
func (v *viewFile) Stat() (vfs.FileInfo, error) { return v.info, nil }

// ReadAt implements io.ReaderAt.
func (v *viewFile) ReadAt(b []byte, off int64) (int, error) {
	if off < 0 {
		return 0, readOnly("read", v.name)
	}
	n := min(int64(len(b)), max(0, v.info.Size-off))
	v.mu.Lock()
	err := v.at.readAt(b[:n], off)
	v.mu.Unlock()
	if err != nil {
		return 0, &fs.PathError{Op: "read", Path: v.name, Err: err}
	}
	if n < int64(len(b)) {
		return int(n), io.EOF
	}
	return int(n), nil
}

func (v *viewFile) WriteAt([]byte, int64) (int, error) { return 0, readOnly("write", v.name) }
func (v *viewFile) Truncate(int64) error               { return readOnly("truncate", v.name) }
func (v *viewFile) Sync() error                        { return readOnly("sync", v.name) }
func (v *viewFile) Preallocate(_, _ int64) error       { return readOnly("preallocate", v.name) }
func (v *viewFile) PunchHole(_, _ int64) error         { return readOnly("punch", v.name) }
func (v *viewFile) Lock(bool) error                    { return readOnly("lock", v.name) }
func (v *viewFile) Unlock() error                      { return readOnly("unlock", v.name) }

// viewEntry is an entry of a folder.
type viewEntry struct {
	f    *repoFS
	path string
	dir  bool
}

func (e viewEntry) Name() string { return filepath.Base(e.path) }
func (e viewEntry) IsDir() bool  { return e.dir }

func (e viewEntry) Type() fs.FileMode {
	if e.dir {
		return fs.ModeDir
	}
	return 0
}

// Info implements fs.DirEntry.
func (e viewEntry) Info() (fs.FileInfo, error) {
	info, err := e.f.Stat(e.path)
	if err != nil {
		return nil, err
	}
	return viewInfo{info}, nil
}

// viewInfo is what Info returns.
type viewInfo struct{ i vfs.FileInfo }

func (i viewInfo) Name() string       { return i.i.Name }
func (i viewInfo) Size() int64        { return i.i.Size }
func (i viewInfo) Mode() fs.FileMode  { return i.i.Mode }
func (i viewInfo) ModTime() time.Time { return i.i.ModTime }
func (i viewInfo) IsDir() bool        { return i.i.IsDir() }
func (i viewInfo) Sys() any           { return nil }
