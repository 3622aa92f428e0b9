//go:build freebsd || dragonfly

package vfs

import "golang.org/x/sys/unix"

func flush(fd uintptr) error {
	return retry(func() error { return unix.Fsync(int(fd)) })
}

func flushDir(fd uintptr) error { return flush(fd) }

func reserve(uintptr, int64, int64) error { return ErrUnsupported }

func (*osFile) punch(uintptr, int64, int64) error { return ErrUnsupported }

func cloneFile(string, string) error { return ErrUnsupported }
