package vfs

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// flush is fdatasync: it leaves out timestamps but not the size.
func flush(fd uintptr) error {
	return retry(func() error { return unix.Fdatasync(int(fd)) })
}

func flushDir(fd uintptr) error {
	return retry(func() error { return unix.Fsync(int(fd)) })
}

func reserve(fd uintptr, off, n int64) error {
	return fallocate(fd, 0, off, n)
}

func (*osFile) punch(fd uintptr, off, n int64) error {
	return fallocate(fd, unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, off, n)
}

func fallocate(fd uintptr, mode uint32, off, n int64) error {
	err := retry(func() error { return unix.Fallocate(int(fd), mode, off, n) })
	if isUnsupported(err) {
		return tag(ErrUnsupported, err)
	}
	return err
}

// lockState is empty: the kernel keeps the lock with the open file description.
type lockState struct{}

// lock takes an OFD lock over the whole file. A classic POSIX lock would
// vanish as soon as any handle of this process on the file is closed. Both
// kinds see each other, so Java's FileLock and ours exclude one another.
func (*lockState) lock(fd uintptr, exclusive bool) error {
	typ := int16(unix.F_RDLCK)
	if exclusive {
		typ = unix.F_WRLCK
	}
	return setLock(fd, typ)
}

func (*lockState) unlock(fd uintptr) error { return setLock(fd, unix.F_UNLCK) }

func setLock(fd uintptr, typ int16) error {
	// Length 0 reaches to the end however far the file grows.
	lk := unix.Flock_t{Type: typ, Whence: io.SeekStart}
	err := retry(func() error { return unix.FcntlFlock(fd, unix.F_OFD_SETLK, &lk) })
	switch {
	case err == unix.EAGAIN || err == unix.EACCES:
		return tag(ErrLocked, err)
	case err == unix.EINVAL || err == unix.ENOLCK || isUnsupported(err):
		// EINVAL: a kernel without OFD locks. ENOLCK: NFS without a lock service.
		return tag(ErrUnsupported, err)
	}
	return err
}

// cloneFile makes dst with FICLONE and removes it again if that fails.
func cloneFile(src, dst string) error {
	s, err := os.Open(src)
	if err != nil {
		return unwrapPath(err)
	}
	defer s.Close() // read only: nothing to lose
	st, err := s.Stat()
	if err != nil {
		return unwrapPath(err)
	}
	d, err := os.OpenFile(dst, os.O_WRONLY|os.O_CREATE|os.O_EXCL, st.Mode().Perm())
	if err != nil {
		return unwrapPath(err)
	}
	err = retry(func() error { return unix.IoctlFileClone(int(d.Fd()), int(s.Fd())) })
	// EINVAL: a source that cannot be shared (swap file, inline data).
	if isUnsupported(err) || err == unix.EINVAL {
		err = tag(ErrUnsupported, err)
	}
	if cerr := d.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return errors.Join(err, os.Remove(dst))
	}
	return nil
}
