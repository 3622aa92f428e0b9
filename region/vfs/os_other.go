//go:build !linux && !darwin && !freebsd && !dragonfly && !windows

package vfs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Systems we have no calls for: package os does what it can, link counts are
// unknown and locks are not supported.

func openFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	return os.OpenFile(name, flag, perm)
}

// openNoFollow opens a file for writing. A link that comes between the look and
// the opening is followed.
func openNoFollow(name string, flag int, perm fs.FileMode) (*os.File, error) {
	if isLink(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: ErrSymlink}
	}
	return openFile(name, flag, perm)
}

func baseName(name string) string { return filepath.Base(name) }

func mapErr(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EFBIG) {
		return tag(ErrNoSpace, err)
	}
	return err
}

func isLinkUnsupported(err error) bool {
	return errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSYS) || errors.Is(err, syscall.EXDEV)
}

func statPath(name string, follow bool) (FileInfo, error) {
	stat := os.Lstat
	if follow {
		stat = os.Stat
	}
	fi, err := stat(name)
	if err != nil {
		return FileInfo{}, unwrapPath(err)
	}
	return FileInfo{Name: fi.Name(), Size: fi.Size(), Mode: fi.Mode(), ModTime: fi.ModTime(), Allocated: -1}, nil
}

func unwrapPath(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

func removePath(name string) error { return mapErr(os.Remove(name)) }

func renamePath(oldname, newname string) error {
	err := os.Rename(oldname, newname)
	var le *os.LinkError
	if errors.As(err, &le) {
		return le.Err
	}
	return err
}

func syncDir(name string) error {
	d, err := os.Open(name)
	if err != nil {
		return unwrapPath(err)
	}
	return errors.Join(d.Sync(), d.Close())
}

func cloneFile(string, string) error { return ErrUnsupported }

func freeBytes(string) (int64, error) { return 0, ErrUnsupported }

func statHandle(fd uintptr, name string) (FileInfo, error) { return FileInfo{}, ErrUnsupported }

func flush(fd uintptr) error { return syscall.Fsync(int(fd)) }

func reserve(uintptr, int64, int64) error { return ErrUnsupported }

func (*osFile) punch(uintptr, int64, int64) error { return ErrUnsupported }

type lockState struct{}

func (*lockState) lock(uintptr, bool) error { return ErrUnsupported }
func (*lockState) unlock(uintptr) error     { return ErrUnsupported }
