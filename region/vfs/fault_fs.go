package vfs

import (
	"io/fs"
	"os"
)

// OpenFile implements FS.
func (f *Fault) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	op := OpOpen
	if flag&(os.O_CREATE|os.O_TRUNC) != 0 {
		op = OpCreate
	}
	if v := f.begin(OpInfo{Op: op, Name: name}); v.err != nil {
		return nil, v.err
	}
	file, err := f.inner.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return &faultFile{f: f, inner: file}, nil
}

// Stat implements FS.
func (f *Fault) Stat(name string) (FileInfo, error) {
	if v := f.begin(OpInfo{Op: OpStat, Name: name}); v.err != nil {
		return FileInfo{}, v.err
	}
	return f.inner.Stat(name)
}

// Lstat implements FS.
func (f *Fault) Lstat(name string) (FileInfo, error) {
	if v := f.begin(OpInfo{Op: OpStat, Name: name}); v.err != nil {
		return FileInfo{}, v.err
	}
	return f.inner.Lstat(name)
}

// ReadDir implements FS.
func (f *Fault) ReadDir(name string) ([]fs.DirEntry, error) {
	if v := f.begin(OpInfo{Op: OpReadDir, Name: name}); v.err != nil {
		return nil, v.err
	}
	return f.inner.ReadDir(name)
}

// Mkdir implements FS.
func (f *Fault) Mkdir(name string, perm fs.FileMode) error {
	if v := f.begin(OpInfo{Op: OpMkdir, Name: name}); v.err != nil {
		return v.err
	}
	return f.inner.Mkdir(name, perm)
}

// Remove implements FS.
func (f *Fault) Remove(name string) error {
	if v := f.begin(OpInfo{Op: OpRemove, Name: name}); v.err != nil {
		return v.err
	}
	return f.inner.Remove(name)
}

// Rename implements FS.
func (f *Fault) Rename(oldname, newname string) error {
	if v := f.begin(OpInfo{Op: OpRename, Name: oldname, NewName: newname}); v.err != nil {
		return v.err
	}
	return f.inner.Rename(oldname, newname)
}

// Link implements FS.
func (f *Fault) Link(oldname, newname string) error {
	if v := f.begin(OpInfo{Op: OpLink, Name: oldname, NewName: newname}); v.err != nil {
		return v.err
	}
	return f.inner.Link(oldname, newname)
}

// SyncDir implements FS.
func (f *Fault) SyncDir(name string) error {
	if v := f.begin(OpInfo{Op: OpSyncDir, Name: name}); v.err != nil {
		return v.err
	}
	return f.inner.SyncDir(name)
}

// Clone implements FS.
func (f *Fault) Clone(src, dst string) error {
	if v := f.begin(OpInfo{Op: OpClone, Name: src, NewName: dst}); v.err != nil {
		return v.err
	}
	return f.inner.Clone(src, dst)
}

// FreeBytes implements FS.
func (f *Fault) FreeBytes(name string) (int64, error) {
	if v := f.begin(OpInfo{Op: OpStat, Name: name}); v.err != nil {
		return 0, v.err
	}
	return f.inner.FreeBytes(name)
}

// faultFile is a handle opened through a Fault.
type faultFile struct {
	f     *Fault
	inner File
}

func (h *faultFile) begin(op Op, off, n int64) verdict {
	return h.f.begin(OpInfo{Op: op, Name: h.inner.Name(), Off: off, Len: n})
}

func (h *faultFile) Name() string { return h.inner.Name() }

func (h *faultFile) ReadAt(p []byte, off int64) (int, error) {
	if v := h.begin(OpRead, off, int64(len(p))); v.err != nil {
		return 0, v.err
	}
	return h.inner.ReadAt(p, off)
}

func (h *faultFile) WriteAt(p []byte, off int64) (int, error) {
	v := h.begin(OpWrite, off, int64(len(p)))
	if v.err == nil {
		return h.inner.WriteAt(p, off)
	}
	if v.short <= 0 {
		return 0, v.err
	}
	n, err := h.inner.WriteAt(p[:min(v.short, len(p))], off)
	if err != nil {
		return n, err
	}
	return n, v.err
}

// Close lets go of the handle whatever the rules say: a close that reports an
// error has closed the file too.
func (h *faultFile) Close() error {
	v := h.begin(OpClose, 0, 0)
	err := h.inner.Close()
	if v.err != nil {
		return v.err
	}
	return err
}

func (h *faultFile) Stat() (FileInfo, error) {
	if v := h.begin(OpStat, 0, 0); v.err != nil {
		return FileInfo{}, v.err
	}
	return h.inner.Stat()
}

func (h *faultFile) Truncate(size int64) error {
	if v := h.begin(OpTruncate, size, 0); v.err != nil {
		return v.err
	}
	return h.inner.Truncate(size)
}

func (h *faultFile) Sync() error {
	v := h.begin(OpSync, 0, 0)
	if v.err == nil {
		return h.inner.Sync()
	}
	if v.syncFailed {
		h.syncFailed(v.landed)
	}
	return v.err
}

// syncFailed passes a planned failure down to the Mem, if there is one.
func (h *faultFile) syncFailed(landed CrashOptions) {
	if s, ok := h.inner.(interface{ syncFailed(CrashOptions) }); ok {
		s.syncFailed(landed)
	}
}

func (h *faultFile) Preallocate(off, n int64) error {
	if v := h.begin(OpPreallocate, off, n); v.err != nil {
		return v.err
	}
	return h.inner.Preallocate(off, n)
}

func (h *faultFile) PunchHole(off, n int64) error {
	if v := h.begin(OpPunch, off, n); v.err != nil {
		return v.err
	}
	return h.inner.PunchHole(off, n)
}

func (h *faultFile) Lock(exclusive bool) error {
	if v := h.begin(OpLock, 0, 0); v.err != nil {
		return v.err
	}
	return h.inner.Lock(exclusive)
}

func (h *faultFile) Unlock() error {
	if v := h.begin(OpLock, 0, 0); v.err != nil {
		return v.err
	}
	return h.inner.Unlock()
}
