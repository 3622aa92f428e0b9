//go:build linux || darwin || freebsd || dragonfly

package vfs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

func openFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	return os.OpenFile(name, flag, perm)
}

// openNoFollow opens a file for writing. The system answers a link with ELOOP,
// or EMLINK on FreeBSD, in one step with the opening.
func openNoFollow(name string, flag int, perm fs.FileMode) (*os.File, error) {
	f, err := os.OpenFile(name, flag|unix.O_NOFOLLOW, perm)
	if (errors.Is(err, unix.ELOOP) || errors.Is(err, unix.EMLINK)) && isLink(name) {
		err = tag(ErrSymlink, err)
	}
	return f, err
}

func baseName(name string) string { return filepath.Base(name) }

// retry repeats a system call that a signal interrupted before it did anything.
func retry(fn func() error) error {
	for {
		if err := fn(); err != unix.EINTR {
			return err
		}
	}
}

// mapErr adds the sentinels of this package to the system's errors.
func mapErr(err error) error {
	var no unix.Errno
	if err == nil || !errors.As(err, &no) {
		return err
	}
	switch no {
	case unix.ENOSPC, unix.EDQUOT, unix.EFBIG:
		return tag(ErrNoSpace, err)
	}
	return err
}

// isLinkUnsupported reports whether a hard link failed for a reason that
// holds for the file system or the pair of names, so that a copy may do. FAT
// answers EPERM, and so does Linux for files of other users.
func isLinkUnsupported(err error) bool {
	for _, no := range []unix.Errno{unix.EPERM, unix.EMLINK, unix.EXDEV, unix.EOPNOTSUPP, unix.ENOSYS} {
		if errors.Is(err, no) {
			return true
		}
	}
	return false
}

// isUnsupported reports whether an optional call is one this file system or
// kernel does not have.
func isUnsupported(err error) bool {
	// EOPNOTSUPP and ENOTSUP are one number on some systems and two on others.
	return err == unix.EOPNOTSUPP || err == unix.ENOTSUP || err == unix.ENOSYS ||
		err == unix.ENOTTY || err == unix.EXDEV
}

func statPath(name string, follow bool) (FileInfo, error) {
	var st unix.Stat_t
	err := retry(func() error {
		if follow {
			return unix.Stat(name, &st)
		}
		return unix.Lstat(name, &st)
	})
	if err != nil {
		return FileInfo{}, err
	}
	return fileInfo(baseName(name), &st), nil
}

func statHandle(fd uintptr, name string) (FileInfo, error) {
	var st unix.Stat_t
	if err := retry(func() error { return unix.Fstat(int(fd), &st) }); err != nil {
		return FileInfo{}, err
	}
	return fileInfo(name, &st), nil
}

// fileInfo converts; the widths of Stat_t's fields differ between systems.
func fileInfo(name string, st *unix.Stat_t) FileInfo {
	return FileInfo{
		Name:       name,
		Size:       st.Size,
		Mode:       fileMode(uint32(st.Mode)),
		ModTime:    time.Unix(st.Mtim.Unix()),
		ChangeTime: time.Unix(st.Ctim.Unix()),
		Device:     uint64(st.Dev),
		Inode:      uint64(st.Ino),
		Links:      uint64(st.Nlink),
		Allocated:  int64(st.Blocks) * 512, // POSIX leaves the unit open; all of these use 512
	}
}

func fileMode(m uint32) fs.FileMode {
	mode := fs.FileMode(m & 0o777)
	switch m & unix.S_IFMT {
	case unix.S_IFREG:
	case unix.S_IFDIR:
		mode |= fs.ModeDir
	case unix.S_IFLNK:
		mode |= fs.ModeSymlink
	case unix.S_IFIFO:
		mode |= fs.ModeNamedPipe
	case unix.S_IFSOCK:
		mode |= fs.ModeSocket
	case unix.S_IFBLK:
		mode |= fs.ModeDevice
	case unix.S_IFCHR:
		mode |= fs.ModeDevice | fs.ModeCharDevice
	default:
		mode |= fs.ModeIrregular
	}
	if m&unix.S_ISUID != 0 {
		mode |= fs.ModeSetuid
	}
	if m&unix.S_ISGID != 0 {
		mode |= fs.ModeSetgid
	}
	if m&unix.S_ISVTX != 0 {
		mode |= fs.ModeSticky
	}
	return mode
}

func removePath(name string) error { return mapErr(os.Remove(name)) }

// renamePath calls the system directly: os.Rename spends a further lstat on a
// friendlier message.
func renamePath(oldname, newname string) error {
	return retry(func() error { return unix.Rename(oldname, newname) })
}

func syncDir(name string) error {
	d, err := os.OpenFile(name, os.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return unwrapPath(err)
	}
	rc, err := d.SyscallConn()
	if err == nil {
		var ferr error
		err = errors.Join(rc.Control(func(fd uintptr) { ferr = flushDir(fd) }), ferr)
	}
	return errors.Join(err, d.Close())
}

// unwrapPath takes the path off an error of package os that gets one again.
func unwrapPath(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

func freeBytes(name string) (int64, error) {
	var st unix.Statfs_t
	if err := retry(func() error { return unix.Statfs(name, &st) }); err != nil {
		return 0, err
	}
	// Bavail is signed on some systems and negative once the reserve is used.
	return max(int64(st.Bavail), 0) * int64(st.Bsize), nil
}
