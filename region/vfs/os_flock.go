//go:build darwin || freebsd || dragonfly

package vfs

import "golang.org/x/sys/unix"

// lockState is empty: the kernel keeps the lock with the open file description.
type lockState struct{}

// lock uses flock. These systems keep flock and fcntl locks in one list and
// let them exclude each other (fcntl(2) of FreeBSD and macOS calls them
// compatible), so a Java process with a FileLock is seen; and a flock belongs
// to the open file description, where a POSIX lock is lost when any handle of
// the process on that file is closed and needs a registry to work around it.
func (*lockState) lock(fd uintptr, exclusive bool) error {
	how := unix.LOCK_SH
	if exclusive {
		how = unix.LOCK_EX
	}
	err := retry(func() error { return unix.Flock(int(fd), how|unix.LOCK_NB) })
	switch {
	case err == unix.EWOULDBLOCK:
		return tag(ErrLocked, err)
	case err == unix.ENOLCK || isUnsupported(err):
		return tag(ErrUnsupported, err)
	}
	return err
}

func (*lockState) unlock(fd uintptr) error {
	return retry(func() error { return unix.Flock(int(fd), unix.LOCK_UN) })
}
