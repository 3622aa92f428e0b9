package vfs

import (
	"math"
	"sync"
	"unsafe"

	"golang.org/x/sys/windows"
)

// flush calls FlushFileBuffers, which wants a handle opened for writing.
func flush(fd uintptr) error { return windows.FlushFileBuffers(windows.Handle(fd)) }

// reserve allocates to off+n and extends the size. What lies inside the file
// is allocated already unless a hole was punched there.
func reserve(fd uintptr, off, n int64) error {
	h := windows.Handle(fd)
	var s standardInfo
	if err := infoByHandle(h, windows.FileStandardInfo, &s); err != nil {
		return err
	}
	end := off + n
	if end <= s.end {
		return nil
	}
	// An allocation below the size would cut the file; end is above it.
	for _, class := range []uint32{windows.FileAllocationInfo, windows.FileEndOfFileInfo} {
		err := windows.SetFileInformationByHandle(h, class, (*byte)(unsafe.Pointer(&end)), uint32(unsafe.Sizeof(end)))
		if isUnsupported(err) {
			return tag(ErrUnsupported, err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// punch makes the file sparse, which is remembered with it, and zeroes the
// range; whole clusters (64 KiB on NTFS) of it are then given back.
func (*osFile) punch(fd uintptr, off, n int64) error {
	h := windows.Handle(fd)
	var got uint32
	err := windows.DeviceIoControl(h, windows.FSCTL_SET_SPARSE, nil, 0, nil, 0, &got, nil)
	if isUnsupported(err) {
		return tag(ErrUnsupported, err)
	}
	if err != nil {
		return err
	}
	zero := struct{ off, beyond int64 }{off, off + n} // FILE_ZERO_DATA_INFORMATION
	return windows.DeviceIoControl(h, windows.FSCTL_SET_ZERO_DATA,
		(*byte)(unsafe.Pointer(&zero)), uint32(unsafe.Sizeof(zero)), nil, 0, &got, nil)
}

// lockState says what this handle holds: LockFileEx does not convert a lock,
// and one handle can stand in its own way.
type lockState struct {
	mu        sync.Mutex // guards the rest
	held      bool
	exclusive bool
}

// lock locks every offset a file can have, the range Java's FileLock takes.
// Changing the kind of a held lock lets go of it first.
func (l *lockState) lock(fd uintptr, exclusive bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held {
		if l.exclusive == exclusive {
			return nil
		}
		if err := l.release(fd); err != nil {
			return err
		}
	}
	flags := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if exclusive {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	var at windows.Overlapped
	err := windows.LockFileEx(windows.Handle(fd), flags, 0, math.MaxUint32, math.MaxInt32, &at)
	switch {
	case err == windows.ERROR_LOCK_VIOLATION || err == windows.ERROR_IO_PENDING:
		return tag(ErrLocked, err)
	case isUnsupported(err):
		return tag(ErrUnsupported, err)
	case err == nil:
		l.held, l.exclusive = true, exclusive
	}
	return err
}

func (l *lockState) unlock(fd uintptr) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.release(fd)
}

// release needs mu.
func (l *lockState) release(fd uintptr) error {
	if !l.held {
		return nil
	}
	var at windows.Overlapped
	err := windows.UnlockFileEx(windows.Handle(fd), 0, math.MaxUint32, math.MaxInt32, &at)
	if err == nil {
		l.held = false
	}
	return err
}
