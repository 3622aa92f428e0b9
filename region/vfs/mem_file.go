package vfs

import (
	"io/fs"
	"syscall"
)

// fileChange is one change of a file's content that is not yet durable.
type fileChange struct {
	kind   changeKind
	off, n int64
	data   []byte  // changeWrite
	src    content // changeClone
}

type changeKind uint8

const (
	changeWrite    changeKind = iota // data at off
	changeTruncate                   // size becomes off
	changePunch                      // [off, off+n) becomes a hole
	changeReserve                    // [off, off+n) gets blocks
	changeClone                      // everything becomes src
)

// apply makes the change and returns by how many pages c grew.
func (fc *fileChange) apply(c *content) (added int64) {
	switch fc.kind {
	case changeWrite:
		_, added = c.writeAt(fc.data, fc.off, -1)
	case changeTruncate:
		added = -c.truncate(fc.off)
	case changePunch:
		added = -c.zero(fc.off, fc.n)
	case changeReserve:
		added = c.reserve(fc.off, fc.n)
	case changeClone:
		added = fc.src.allocated() - c.allocated()
		*c = fc.src.share()
	}
	return added
}

// change makes a change for which there is room and notes it. It needs mu.
func (m *Mem) change(n *inode, fc fileChange) {
	m.used += fc.apply(&n.live)
	n.pending = append(n.pending, fc)
	m.touch(n)
}

// sync makes what is pending durable. After a failed flush only what was
// changed since gets there, sector by sector; see dropUnsynced.
func (n *inode) sync() {
	if n.diverged {
		n.durable = n.replay(landAll)
		n.base = n.live.share()
	} else if len(n.pending) > 0 {
		n.durable = n.live.share()
	}
	n.pending = nil
}

// memFile is an open handle on an inode.
type memFile struct {
	m             *Mem
	n             *inode
	name          string
	reads, writes bool
	closed        bool // guarded by m.mu
}

var _ File = (*memFile)(nil)

func (f *memFile) Name() string { return f.name }

// check needs m.mu. It says whether the handle can be used, for writing too.
func (f *memFile) check(writes bool) error {
	switch {
	case f.closed:
		return fs.ErrClosed
	case writes && !f.writes, !writes && !f.reads:
		return syscall.EBADF
	}
	if f.m.opts.Windows {
		for other, exclusive := range f.n.locks {
			if other != f && (exclusive || writes) {
				return ErrLocked
			}
		}
	}
	return nil
}

// modify runs fn, which changes the file, under the lock.
func (f *memFile) modify(op string, fn func() error) error {
	f.m.mu.Lock()
	defer f.m.mu.Unlock()
	err := f.check(true)
	if err == nil {
		err = fn()
	}
	return pathErr(op, f.name, err)
}

func (f *memFile) ReadAt(p []byte, off int64) (int, error) {
	f.m.mu.RLock()
	defer f.m.mu.RUnlock()
	err := f.check(false)
	if off < 0 {
		err = fs.ErrInvalid
	}
	if err != nil {
		return 0, pathErr("read", f.name, err)
	}
	if len(p) == 0 {
		return 0, nil
	}
	return f.n.live.readAt(p, off)
}

// WriteAt writes what there is room for, block by block, as a real file
// system does, and then reports ErrNoSpace.
func (f *memFile) WriteAt(p []byte, off int64) (n int, err error) {
	err = f.modify("write", func() error {
		if off < 0 {
			return fs.ErrInvalid
		}
		room := p
		if int64(len(p)) > memMaxFile-off {
			room = p[:max(memMaxFile-off, 0)]
		}
		var added int64
		n, added = f.n.live.writeAt(room, off, f.m.budget())
		f.m.used += added
		if n > 0 {
			f.n.pending = append(f.n.pending, fileChange{
				kind: changeWrite, off: off, n: int64(n), data: append([]byte(nil), p[:n]...),
			})
			f.m.touch(f.n)
		}
		if n < len(p) {
			return ErrNoSpace
		}
		return nil
	})
	return n, err
}

func (f *memFile) Truncate(size int64) error {
	return f.modify("truncate", func() error {
		if size < 0 {
			return fs.ErrInvalid
		}
		if size > memMaxFile {
			return ErrNoSpace
		}
		f.m.change(f.n, fileChange{kind: changeTruncate, off: size})
		return nil
	})
}

func (f *memFile) Preallocate(off, n int64) error {
	return f.modify("preallocate", func() error {
		if err := checkRange(off, n); err != nil {
			return err
		}
		if off+n > memMaxFile {
			return ErrNoSpace
		}
		if b := f.m.budget(); b >= 0 && f.n.live.missing(off, n) > b {
			return ErrNoSpace
		}
		f.m.change(f.n, fileChange{kind: changeReserve, off: off, n: n})
		return nil
	})
}

func (f *memFile) PunchHole(off, n int64) error {
	return f.modify("punch", func() error {
		if err := checkRange(off, n); err != nil {
			return err
		}
		f.m.change(f.n, fileChange{kind: changePunch, off: off, n: n})
		return nil
	})
}

// Sync makes the content durable, not the file's name. Unlike the system
// calls for writing it works on a handle opened for reading, except on Windows.
func (f *memFile) Sync() error {
	f.m.mu.Lock()
	defer f.m.mu.Unlock()
	switch {
	case f.closed:
		return pathErr("sync", f.name, fs.ErrClosed)
	case f.m.opts.Windows && !f.writes:
		return pathErr("sync", f.name, fs.ErrPermission)
	}
	f.n.sync()
	return nil
}

func (f *memFile) Stat() (FileInfo, error) {
	f.m.mu.RLock()
	defer f.m.mu.RUnlock()
	if f.closed {
		return FileInfo{}, pathErr("stat", f.name, fs.ErrClosed)
	}
	return f.n.info(f.name), nil
}

// Lock converts a lock the handle has already, and keeps that if it cannot.
func (f *memFile) Lock(exclusive bool) error {
	f.m.mu.Lock()
	defer f.m.mu.Unlock()
	err := f.lock(exclusive)
	return pathErr("lock", f.name, err)
}

func (f *memFile) lock(exclusive bool) error {
	switch {
	case f.closed:
		return fs.ErrClosed
	case exclusive && !f.writes && !f.m.opts.Windows, !exclusive && !f.reads:
		return syscall.EBADF // as Linux has it
	}
	for other, ex := range f.n.locks {
		if other != f && (ex || exclusive) {
			return ErrLocked
		}
	}
	if f.n.locks == nil {
		f.n.locks = map[*memFile]bool{}
	}
	f.n.locks[f] = exclusive
	return nil
}

func (f *memFile) Unlock() error {
	f.m.mu.Lock()
	defer f.m.mu.Unlock()
	if f.closed {
		return pathErr("unlock", f.name, fs.ErrClosed)
	}
	delete(f.n.locks, f)
	return nil
}

func (f *memFile) Close() error {
	f.m.mu.Lock()
	defer f.m.mu.Unlock()
	if f.closed {
		return pathErr("close", f.name, fs.ErrClosed)
	}
	f.closed = true
	delete(f.n.locks, f)
	f.n.handles--
	f.m.release(f.n)
	return nil
}
