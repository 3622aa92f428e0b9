package pregen

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"strata/region/vfs"
)

// Aside is where generators put what they need later and have no room for. It
// lasts as long as the work on a dimension. It is safe for concurrent use.
type Aside interface {
	// Put keeps a copy of data and returns its name. After an error nothing is
	// kept, and the generator makes it again.
	Put(data []byte) (name int64, err error)
	// Take appends what a name stands for to dst, and forgets it.
	Take(name int64, dst []byte) ([]byte, error)
	// Drop forgets it.
	Drop(name int64)
}

// asideName is the name of the file, which is removed with spools that are left
// over.
const asideName = vfs.TempPrefix + "aside"

// asidePage is the unit in which the file is given out, in bytes.
const asidePage = 4096

// aside is a file of pages. Its content is of no use to any other process.
type aside struct {
	fs   vfs.FS
	path string

	mu     sync.Mutex // guards what follows
	file   vfs.File   // nil until it is needed
	held   map[int64]int
	free   map[int][]int64 // first pages of what was dropped, by pages
	pages  int64
	broken error // why it cannot be made
}

var _ Aside = (*aside)(nil)

func newAside(fsys vfs.FS, folder string) *aside {
	return &aside{fs: fsys, path: filepath.Join(folder, asideName), held: make(map[int64]int), free: make(map[int][]int64)}
}

func asidePages(bytes int) int { return (bytes + asidePage - 1) / asidePage }

// Put implements Aside. Names are first pages.
func (a *aside) Put(data []byte) (int64, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.file == nil && a.broken == nil {
		a.file, a.broken = a.fs.OpenFile(a.path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	}
	if a.broken != nil {
		return 0, a.broken
	}
	n := max(asidePages(len(data)), 1)
	name := a.pages
	if list := a.free[n]; len(list) > 0 {
		name, a.free[n] = list[len(list)-1], list[:len(list)-1]
	} else {
		a.pages += int64(n)
	}
	if _, err := a.file.WriteAt(data, name*asidePage); err != nil {
		a.free[n] = append(a.free[n], name)
		return 0, err
	}
	a.held[name] = len(data)
	return name, nil
}

// Take implements Aside.
func (a *aside) Take(name int64, dst []byte) ([]byte, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	size, ok := a.held[name]
	if !ok {
		return dst, fmt.Errorf("%s: nothing was put aside as %d", a.path, name)
	}
	from := len(dst)
	dst = append(dst, make([]byte, size)...)
	if _, err := a.file.ReadAt(dst[from:], name*asidePage); err != nil {
		return dst[:from], err
	}
	a.drop(name)
	return dst, nil
}

// Drop implements Aside.
func (a *aside) Drop(name int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.drop(name)
}

// drop is Drop under mu.
func (a *aside) drop(name int64) {
	if size, ok := a.held[name]; ok {
		delete(a.held, name)
		n := max(asidePages(size), 1)
		a.free[n] = append(a.free[n], name)
	}
}

// close removes the file.
func (a *aside) close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.file == nil {
		return nil
	}
	err := a.file.Close()
	a.file = nil
	if rerr := a.fs.Remove(a.path); err == nil {
		err = rerr
	}
	return err
}
