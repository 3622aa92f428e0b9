package store

import (
	"errors"
	"io/fs"
	"path/filepath"
	"sync"

	"strata/region"
)

// folder is one of a dimension's folders of region files. It is opened when it
// is first needed: nothing is made for dimensions that nobody writes to.
type folder struct {
	s    *Store
	dir  string
	dim  Dim
	kind Kind

	// swap is held shared while a region file is in use, exclusively while the
	// folder is closed and opened again. Only who holds Store.publish may ask
	// for it exclusively, so that nobody who holds one file waits for another.
	swap sync.RWMutex

	mu     sync.Mutex // guards the rest
	open   *region.Folder
	files  map[region.Pos]uint64 // how often a file was exchanged as a whole
	total  region.Metrics        // of folders closed before
	frozen map[region.Pos]bool   // see ErrFrozen
	shut   bool                  // not to be opened any more
}

func newFolder(s *Store, dim Dim, k Kind) *folder {
	return &folder{
		s: s, dir: s.world.Dimensions[dim].dir(k), dim: dim, kind: k,
		files: map[region.Pos]uint64{}, frozen: map[region.Pos]bool{},
	}
}

func (f *folder) path(p region.Pos) string      { return filepath.Join(f.dir, p.Name()) }
func (f *folder) body(c region.ChunkPos) string { return filepath.Join(f.dir, c.ExternalName()) }

// region opens the folder if it is not. fs.ErrNotExist if there is none and
// create is false.
func (f *folder) region(create bool) (*region.Folder, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.open != nil {
		return f.open, nil
	}
	if f.shut {
		return nil, ErrClosed
	}
	if f.dir == "" {
		return nil, fs.ErrNotExist
	}
	if !create {
		if _, err := f.s.fs.Stat(f.dir); err != nil {
			return nil, err
		}
	}
	d, err := region.OpenFolder(f.dir, f.s.regionOptions(f.s.readOnly))
	if err == nil {
		f.open = d
	}
	return d, err
}

// acquire is Folder.Acquire.
func (f *folder) acquire(p region.Pos, create bool) (*region.File, func(), error) {
	f.swap.RLock()
	d, err := f.region(create)
	if err != nil {
		f.swap.RUnlock()
		return nil, nil, err
	}
	file, release, err := d.Acquire(p, create)
	if err != nil {
		f.swap.RUnlock()
		return nil, nil, err
	}
	return file, func() { release(); f.swap.RUnlock() }, nil
}

// present is the tag that an object on the disk now has. An empty entry for
// one that is not there.
func (f *folder) present(pos region.ChunkPos) (tag, error) {
	file, release, err := f.acquire(pos.Region(), false)
	if errors.Is(err, fs.ErrNotExist) {
		return tag{file: f.exchanges(pos.Region())}, nil
	}
	if err != nil {
		return tag{}, err
	}
	defer release()
	return tag{file.Entry(pos.Slot()), f.exchanges(pos.Region())}, nil
}

func (f *folder) exchanges(p region.Pos) uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.files[p]
}

func (f *folder) isFrozen(p region.Pos) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.frozen[p]
}

func (f *folder) freeze(p region.Pos) (first bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	first = !f.frozen[p]
	f.frozen[p] = true
	return first
}

// closeForGood is close of a folder that does not open again.
func (f *folder) closeForGood() error {
	f.mu.Lock()
	f.shut = true
	f.mu.Unlock()
	return f.close()
}

// close closes the region files. The folder opens again when it is needed.
func (f *folder) close() error {
	f.mu.Lock()
	d := f.open
	f.open = nil
	if d != nil {
		m := d.Metrics()
		f.total = sum(f.total, m)
	}
	f.mu.Unlock()
	if d == nil {
		return nil
	}
	return d.Close()
}

func (f *folder) metrics() region.Metrics {
	f.mu.Lock()
	d, m := f.open, f.total
	f.mu.Unlock()
	if d != nil {
		m = sum(m, d.Metrics())
	}
	return m
}

func sum(a, b region.Metrics) region.Metrics {
	a.Reads += b.Reads
	a.ReadRetries += b.ReadRetries
	a.Groups += b.Groups
	a.Writes += b.Writes
	a.BytesWritten += b.BytesWritten
	a.Flushes += b.Flushes
	a.FlushNanos += b.FlushNanos
	a.FlushFailures += b.FlushFailures
	a.LinkBreaks += b.LinkBreaks
	a.Truncations += b.Truncations
	a.Compactions += b.Compactions
	return a
}
