package datapack

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// Open opens a file or folder of the pack. A file is read whole.
func (p *Pack) Open(name string) (fs.File, error) {
	info, err := p.stat("open", name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		entries, err := p.ReadDir(name)
		if err != nil {
			return nil, err
		}
		return &openDir{info: info, rest: entries}, nil
	}
	data, err := p.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return &openFile{Reader: bytes.NewReader(data), info: info}, nil
}

// Stat describes a file or folder of the pack. Times are zero.
func (p *Pack) Stat(name string) (fs.FileInfo, error) {
	info, err := p.stat("stat", name)
	if err != nil {
		return nil, err
	}
	return info, nil
}

func (p *Pack) stat(op, name string) (fileInfo, error) {
	if !fs.ValidPath(name) {
		return fileInfo{}, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	if e, ok := p.files.find(name); ok {
		return fileInfo{name: path.Base(name), size: e.size}, nil
	}
	if name == "." || p.files.hasDir(name) {
		return fileInfo{name: path.Base(name), dir: true}, nil
	}
	return fileInfo{}, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
}

// ReadDir lists a folder of the pack in the order of names.
func (p *Pack) ReadDir(name string) ([]fs.DirEntry, error) {
	info, err := p.stat("readdir", name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrInvalid}
	}
	prefix := ""
	if name != "." {
		prefix = name + "/"
	}
	dirs, files := p.files.children(prefix)
	entries := make([]fs.DirEntry, 0, len(dirs)+len(files))
	for _, dir := range dirs {
		entries = append(entries, fs.FileInfoToDirEntry(fileInfo{name: dir, dir: true}))
	}
	for _, e := range files {
		entries = append(entries, fs.FileInfoToDirEntry(fileInfo{name: path.Base(e.name), size: e.size}))
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

type fileInfo struct {
	name string
	size int64
	dir  bool
}

func (i fileInfo) Name() string     { return i.name }
func (i fileInfo) Size() int64      { return i.size }
func (fileInfo) ModTime() time.Time { return time.Time{} }
func (i fileInfo) IsDir() bool      { return i.dir }
func (fileInfo) Sys() any           { return nil }

func (i fileInfo) Mode() fs.FileMode {
	if i.dir {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

type openFile struct {
	*bytes.Reader
	info fileInfo
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *openFile) Close() error               { return nil }

type openDir struct {
	info fileInfo
	rest []fs.DirEntry
}

func (d *openDir) Stat() (fs.FileInfo, error) { return d.info, nil }
func (d *openDir) Close() error               { return nil }

func (d *openDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.info.name, Err: fs.ErrInvalid}
}

func (d *openDir) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 || n > len(d.rest) {
		if n > 0 && len(d.rest) == 0 {
			return nil, io.EOF
		}
		n = len(d.rest)
	}
	list := d.rest[:n]
	d.rest = d.rest[n:]
	return list, nil
}
