package vfs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// shareAll lets others read, write, rename and remove the file while we hold
// it open, as on the other systems. Package os leaves FILE_SHARE_DELETE out.
const shareAll = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE

func openFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	h, err := openHandle(name, flag, perm)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return os.NewFile(uintptr(h), name), nil
}

// openNoFollow opens a file for writing. The flag that opens a link as it is
// would do the same to files that a filter of the system serves, so it cannot
// be in one step with the opening: a link that comes between the look and that
// is followed.
func openNoFollow(name string, flag int, perm fs.FileMode) (*os.File, error) {
	if isLink(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: ErrSymlink}
	}
	return openFile(name, flag, perm)
}

func openHandle(name string, flag int, perm fs.FileMode) (windows.Handle, error) {
	if flag&^(os.O_RDONLY|os.O_WRONLY|os.O_RDWR|os.O_CREATE|os.O_EXCL|os.O_TRUNC|os.O_SYNC) != 0 {
		return 0, fs.ErrInvalid
	}
	access := uint32(windows.GENERIC_READ)
	switch {
	case flag&os.O_RDWR != 0:
		access |= windows.GENERIC_WRITE
	case flag&os.O_WRONLY != 0:
		access = windows.GENERIC_WRITE
	}
	create := uint32(windows.OPEN_EXISTING)
	switch {
	case flag&(os.O_CREATE|os.O_EXCL) == os.O_CREATE|os.O_EXCL:
		create = windows.CREATE_NEW
	case flag&os.O_CREATE != 0:
		create = windows.OPEN_ALWAYS
	}
	attrs := uint32(windows.FILE_ATTRIBUTE_NORMAL)
	if perm&0o200 == 0 && flag&os.O_CREATE != 0 {
		attrs = windows.FILE_ATTRIBUTE_READONLY
	}
	if flag&os.O_SYNC != 0 {
		attrs |= windows.FILE_FLAG_WRITE_THROUGH
	}
	h, err := createFile(name, access, create, attrs)
	if err != nil || flag&os.O_TRUNC == 0 {
		return h, err
	}
	// TRUNCATE_EXISTING could not be joined with OPEN_ALWAYS. The handle's
	// position is 0.
	if err := windows.SetEndOfFile(h); err != nil {
		return 0, errors.Join(err, windows.CloseHandle(h))
	}
	return h, nil
}

func createFile(name string, access, create, attrs uint32) (windows.Handle, error) {
	p, err := windows.UTF16PtrFromString(longPath(name))
	if err != nil {
		return 0, err
	}
	return windows.CreateFile(p, access, shareAll, nil, create, attrs, 0)
}

// withHandle opens name, a file or folder, for one call.
func withHandle(name string, access, attrs uint32, fn func(windows.Handle) error) error {
	h, err := createFile(name, access, windows.OPEN_EXISTING, attrs|windows.FILE_FLAG_BACKUP_SEMANTICS)
	if err != nil {
		return err
	}
	err = fn(h)
	if cerr := windows.CloseHandle(h); err == nil {
		err = cerr
	}
	return err
}

// longPath gives a path near MAX_PATH the prefix that lifts the limit. Since
// Windows 10 the Go runtime lifts it for the process; older systems need this.
func longPath(name string) string {
	const nearMax = 248 // a folder's name must leave room for 8.3
	if len(name) < nearMax || len(name) >= 4 && name[:2] == `\\` && (name[2] == '?' || name[2] == '.') {
		return name
	}
	abs, err := filepath.Abs(name)
	if err != nil {
		return name
	}
	if len(abs) > 2 && abs[:2] == `\\` {
		return `\\?\UNC\` + abs[2:]
	}
	return `\\?\` + abs
}

func baseName(name string) string { return filepath.Base(name) }

// mapErr adds the sentinels of this package to the system's errors.
func mapErr(err error) error {
	var no windows.Errno
	if err == nil || !errors.As(err, &no) {
		return err
	}
	switch no {
	case windows.ERROR_DISK_FULL, windows.ERROR_HANDLE_DISK_FULL,
		windows.ERROR_DISK_QUOTA_EXCEEDED, windows.ERROR_FILE_TOO_LARGE:
		return tag(ErrNoSpace, err)
	case windows.ERROR_SHARING_VIOLATION, windows.ERROR_USER_MAPPED_FILE:
		return tag(ErrInUse, err)
	case windows.ERROR_LOCK_VIOLATION:
		// Locks are mandatory: reading a range someone else locked fails so.
		return tag(ErrLocked, err)
	}
	return err
}

func isUnsupported(err error) bool {
	switch err {
	case windows.ERROR_INVALID_FUNCTION, windows.ERROR_NOT_SUPPORTED,
		windows.ERROR_INVALID_PARAMETER, windows.ERROR_CALL_NOT_IMPLEMENTED:
		return true
	}
	return false
}

func isLinkUnsupported(err error) bool {
	for _, no := range []windows.Errno{windows.ERROR_INVALID_FUNCTION, windows.ERROR_NOT_SUPPORTED,
		windows.ERROR_TOO_MANY_LINKS, windows.ERROR_NOT_SAME_DEVICE} {
		if errors.Is(err, no) {
			return true
		}
	}
	return false
}

func statPath(name string, follow bool) (FileInfo, error) {
	attrs := uint32(0)
	if !follow {
		attrs = windows.FILE_FLAG_OPEN_REPARSE_POINT
	}
	var fi FileInfo
	err := withHandle(name, windows.FILE_READ_ATTRIBUTES, attrs, func(h windows.Handle) (err error) {
		fi, err = statHandle(uintptr(h), baseName(name))
		return err
	})
	return fi, err
}

// Layouts of FILE_BASIC_INFO, FILE_STANDARD_INFO and FILE_ATTRIBUTE_TAG_INFO.
type (
	basicInfo struct {
		creation, access, write, change int64 // 100 ns since 1601
		attributes                      uint32
		_                               uint32
	}
	standardInfo struct {
		allocation, end          int64
		links                    uint32
		deletePending, directory bool
		_                        [2]byte
	}
	attributeTagInfo struct{ attributes, tag uint32 }
)

func infoByHandle[T any](h windows.Handle, class uint32, info *T) error {
	return windows.GetFileInformationByHandleEx(h, class, (*byte)(unsafe.Pointer(info)), uint32(unsafe.Sizeof(*info)))
}

func statHandle(fd uintptr, name string) (FileInfo, error) {
	h := windows.Handle(fd)
	var d windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(h, &d); err != nil {
		return FileInfo{}, err
	}
	fi := FileInfo{
		Name:    name,
		Size:    int64(d.FileSizeHigh)<<32 | int64(d.FileSizeLow),
		Mode:    0o666,
		ModTime: time.Unix(0, d.LastWriteTime.Nanoseconds()),
		Device:  uint64(d.VolumeSerialNumber),
		// ReFS has 128-bit ids of which this is a hash-like part; two files
		// of one volume with the same value are not known in practice.
		Inode:     uint64(d.FileIndexHigh)<<32 | uint64(d.FileIndexLow),
		Links:     uint64(d.NumberOfLinks),
		Allocated: -1,
	}
	if d.FileAttributes&windows.FILE_ATTRIBUTE_READONLY != 0 {
		fi.Mode = 0o444
	}
	if d.FileAttributes&windows.FILE_ATTRIBUTE_DIRECTORY != 0 {
		fi.Mode |= fs.ModeDir | 0o111
	}
	if d.FileAttributes&windows.FILE_ATTRIBUTE_REPARSE_POINT != 0 {
		var t attributeTagInfo
		if err := infoByHandle(h, windows.FileAttributeTagInfo, &t); err != nil {
			return FileInfo{}, err
		}
		switch t.tag {
		case windows.IO_REPARSE_TAG_SYMLINK:
			fi.Mode = fi.Mode&^fs.ModeDir | fs.ModeSymlink
		case windows.IO_REPARSE_TAG_MOUNT_POINT:
			fi.Mode = fi.Mode&^fs.ModeDir | fs.ModeIrregular
		}
	}
	var b basicInfo
	if err := infoByHandle(h, windows.FileBasicInfo, &b); err == nil {
		ft := windows.Filetime{LowDateTime: uint32(b.change), HighDateTime: uint32(b.change >> 32)}
		fi.ChangeTime = time.Unix(0, ft.Nanoseconds())
	}
	var s standardInfo
	if err := infoByHandle(h, windows.FileStandardInfo, &s); err == nil {
		fi.Allocated = s.allocation
	}
	return fi, nil
}

// syncDir does nothing: a folder cannot be flushed without administrator's
// rights. Renames and removals are written through instead, and flushing a
// new file flushes its NTFS record, name included.
func syncDir(name string) error {
	fi, err := statPath(name, true)
	if err == nil && !fi.IsDir() {
		err = windows.ERROR_DIRECTORY
	}
	return err
}

// cloneFile: block cloning exists on ReFS only and is not used.
func cloneFile(string, string) error { return ErrUnsupported }

func freeBytes(name string) (int64, error) {
	fi, err := statPath(name, true)
	if err != nil {
		return 0, err
	}
	if !fi.IsDir() {
		name = filepath.Dir(name)
	}
	p, err := windows.UTF16PtrFromString(longPath(name))
	if err != nil {
		return 0, err
	}
	var free uint64
	if err := windows.GetDiskFreeSpaceEx(p, &free, nil, nil); err != nil {
		return 0, err
	}
	return int64(min(free, 1<<63-1)), nil
}
