package vfs

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// OS returns the machine's file system. The value is stateless.
func OS() FS { return osFS{} }

// osFS implements FS; what differs between systems lies in os_<system>.go:
// openFile, openNoFollow, statPath, removePath, renamePath, linkErr, syncDir, cloneFile,
// freeBytes, mapErr, and the file operations flush, reserve, punch, lock and
// unlock.
type osFS struct{}

var (
	_ FS   = osFS{}
	_ File = (*osFile)(nil)
)

func (osFS) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	open := openFile
	if flag != os.O_RDONLY {
		open = openNoFollow
	}
	f, err := open(name, flag, perm)
	if err != nil {
		return nil, mapErr(err)
	}
	rc, err := f.SyscallConn()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &osFile{f: f, rc: rc}, nil
}

func (osFS) Stat(name string) (FileInfo, error) {
	fi, err := statPath(name, true)
	return fi, pathErr("stat", name, err)
}

func (osFS) Lstat(name string) (FileInfo, error) {
	fi, err := statPath(name, false)
	return fi, pathErr("lstat", name, err)
}

func (osFS) ReadDir(name string) ([]fs.DirEntry, error) {
	es, err := os.ReadDir(name)
	return es, mapErr(err)
}

func (osFS) Mkdir(name string, perm fs.FileMode) error {
	return mapErr(os.Mkdir(name, perm))
}

func (osFS) Remove(name string) error { return removePath(name) }

func (osFS) Rename(oldname, newname string) error {
	return linkErr("rename", oldname, newname, renamePath(oldname, newname))
}

func (osFS) Link(oldname, newname string) error {
	err := os.Link(oldname, newname)
	if err == nil {
		return nil
	}
	if isLinkUnsupported(err) {
		return tag(ErrUnsupported, err)
	}
	return mapErr(err)
}

func (osFS) SyncDir(name string) error {
	return pathErr("syncdir", name, syncDir(name))
}

func (osFS) Clone(src, dst string) error {
	return linkErr("clone", src, dst, cloneFile(src, dst))
}

func (osFS) FreeBytes(name string) (int64, error) {
	n, err := freeBytes(name)
	return n, pathErr("statfs", name, err)
}

// osFile is an open file of the machine. The descriptor is reached through rc
// only, which holds it open for the length of the call: a concurrent Close
// cannot hand its number to another file under a system call of ours.
type osFile struct {
	f  *os.File
	rc syscall.RawConn
	lockState
}

func (f *osFile) Name() string { return f.f.Name() }
func (f *osFile) Close() error { return mapErr(f.f.Close()) }

func (f *osFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.f.ReadAt(p, off)
	return n, mapErr(err)
}

func (f *osFile) WriteAt(p []byte, off int64) (int, error) {
	n, err := f.f.WriteAt(p, off)
	return n, mapErr(err)
}

func (f *osFile) Truncate(size int64) error { return mapErr(f.f.Truncate(size)) }

func (f *osFile) Stat() (FileInfo, error) {
	var fi FileInfo
	err := f.control("stat", func(fd uintptr) (err error) {
		fi, err = statHandle(fd, baseName(f.f.Name()))
		return err
	})
	return fi, err
}

func (f *osFile) Sync() error { return f.control("sync", flush) }

func (f *osFile) Preallocate(off, n int64) error {
	if err := checkRange(off, n); err != nil {
		return pathErr("preallocate", f.Name(), err)
	}
	return f.control("preallocate", func(fd uintptr) error { return reserve(fd, off, n) })
}

func (f *osFile) PunchHole(off, n int64) error {
	if err := checkRange(off, n); err != nil {
		return pathErr("punch", f.Name(), err)
	}
	return f.control("punch", func(fd uintptr) error { return f.punch(fd, off, n) })
}

func (f *osFile) Lock(exclusive bool) error {
	return f.control("lock", func(fd uintptr) error { return f.lock(fd, exclusive) })
}

func (f *osFile) Unlock() error { return f.control("unlock", f.unlock) }

// control runs fn with the descriptor and gives its error the name of the
// operation and of the file.
func (f *osFile) control(op string, fn func(fd uintptr) error) error {
	var err error
	if cerr := f.rc.Control(func(fd uintptr) { err = fn(fd) }); cerr != nil {
		// Control fails only on a closed file, with an error of the poller.
		err = fs.ErrClosed
	}
	return pathErr(op, f.Name(), err)
}

// checkRange refuses what would reach the system as a negative number.
func checkRange(off, n int64) error {
	if off < 0 || n <= 0 || off+n < 0 {
		return fs.ErrInvalid
	}
	return nil
}

func pathErr(op, name string, err error) error {
	if err == nil {
		return nil
	}
	return mapErr(&fs.PathError{Op: op, Path: name, Err: err})
}

func linkErr(op, oldname, newname string, err error) error {
	if err == nil {
		return nil
	}
	return mapErr(&os.LinkError{Op: op, Old: oldname, New: newname, Err: err})
}

// isLink reports whether name is a symbolic link itself.
func isLink(name string) bool {
	fi, err := statPath(name, false)
	return err == nil && fi.Mode&fs.ModeSymlink != 0
}
