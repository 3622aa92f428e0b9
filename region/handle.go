package region

import (
	"errors"
	"os"
	"runtime"
	"sync/atomic"

	"strata/region/vfs"
)

// handle is an open file that readers share: it is closed when the last of
// them has let go, so that a writer may replace it at any time.
type handle struct {
	file vfs.File
	refs atomic.Int64
}

func newHandle(f vfs.File) *handle {
	h := &handle{file: f}
	h.refs.Store(1)
	return h
}

// acquire fails if the handle is already closed.
func (h *handle) acquire() bool {
	for {
		n := h.refs.Load()
		if n == 0 {
			return false
		}
		if h.refs.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

func (h *handle) release() error {
	if h.refs.Add(-1) == 0 {
		return h.file.Close()
	}
	return nil
}

// acquire returns the present handle; the caller releases it. ErrClosed once
// the file is closed, and while an exchange has the handle.
func (f *File) acquire() (*handle, error) {
	for {
		h := f.handle.Load()
		if h == nil {
			if err := f.find(); err != nil {
				return nil, err
			}
			continue
		}
		if h.acquire() {
			return h, nil
		}
	}
}

// isClosed reports whether Close is done. Called under gate.
func (f *File) isClosed() bool { return f.handle.Load() == nil && !f.lost.Load() }

// find opens our path again if an exchange could not.
func (f *File) find() error {
	f.finding.Lock()
	defer f.finding.Unlock()
	switch {
	case f.handle.Load() != nil:
		return nil
	case !f.lost.Load():
		return ErrClosed
	}
	file, err := f.fs.OpenFile(f.path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	f.handle.Store(newHandle(file))
	f.lost.Store(false)
	return nil
}

// lose notes that an exchange could not open our path again; the next use of
// the file tries once more. Called under io.
func (f *File) lose() {
	f.ident = vfs.FileInfo{} // what will be there cannot be compared
	f.lost.Store(true)
}

// swapHandle makes file the present handle. Readers that hold the old one
// keep it until they are done.
func (f *File) swapHandle(file vfs.File) {
	f.finding.Lock()
	defer f.finding.Unlock()
	f.lost.Store(false)
	old := f.handle.Swap(newHandle(file))
	if old != nil {
		old.release() //nolint:errcheck // everything in it that counts was flushed before
	}
}

// reopen replaces the handle by a new one on the same file, as is needed after
// a failed flush: the old one has reported the error once and would not again.
func (f *File) reopen() error {
	file, err := f.fs.OpenFile(f.path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	if err := f.sameFile(file); err != nil {
		return errors.Join(err, file.Close())
	}
	f.swapHandle(file)
	return nil
}

// sameFile checks that the file at our path is the one we have open, as far
// as the system can tell.
func (f *File) sameFile(other vfs.File) error {
	theirs, err := other.Stat()
	if err != nil {
		return err
	}
	if f.ident.Inode != 0 && theirs.Inode != 0 && !vfs.SameFile(f.ident, theirs) {
		return ErrReplaced
	}
	return nil
}

// drain waits until readers have let go of the handle and closes it. No new
// reader can take it: the caller has taken it out of the File.
func (h *handle) drain() {
	for !h.refs.CompareAndSwap(1, 0) {
		runtime.Gosched()
	}
	h.file.Close() //nolint:errcheck // everything in it that counts was flushed before
}

// beginSwap makes readers wait and what they have read void, for changes of
// handle and entries that belong together. Called under io.
func (f *File) beginSwap() {
	f.swap.Lock()
	f.gen.Add(1)
}

func (f *File) endSwap() {
	f.gen.Add(1)
	f.swap.Unlock()
}

// awaitSwap waits for an exchange that has begun since gen was read, or was
// going on then. It reports whether there was one.
func (f *File) awaitSwap(gen uint64) bool {
	if gen&1 == 0 && f.gen.Load() == gen {
		return false
	}
	f.swap.RLock()   // until the exchange is over
	f.swap.RUnlock() //nolint:staticcheck // the empty section is the wait
	return true
}

func isInUse(err error) bool { return errors.Is(err, vfs.ErrInUse) }
