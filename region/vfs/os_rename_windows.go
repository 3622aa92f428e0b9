package vfs

import (
	"errors"
	"io/fs"
	"path/filepath"
	"unsafe"

	"golang.org/x/sys/windows"
)

// renamePath replaces newname in one step. With POSIX semantics (Windows 10
// 1607 and NTFS) a target that others hold open with FILE_SHARE_DELETE goes
// away at once; elsewhere MoveFileEx does it if nobody has the target open.
// Both are written through, since a folder cannot be flushed.
func renamePath(oldname, newname string) error {
	err := renamePOSIX(oldname, newname)
	if isUnsupported(err) {
		var from, to *uint16
		if from, err = windows.UTF16PtrFromString(longPath(oldname)); err != nil {
			return err
		}
		if to, err = windows.UTF16PtrFromString(longPath(newname)); err != nil {
			return err
		}
		err = windows.MoveFileEx(from, to, windows.MOVEFILE_REPLACE_EXISTING|windows.MOVEFILE_WRITE_THROUGH)
	}
	if err == windows.ERROR_ACCESS_DENIED && isPlainFile(newname) {
		// The answer for a target that is open without FILE_SHARE_DELETE.
		return tag(ErrInUse, err)
	}
	return err
}

// isPlainFile reports whether name is a file that permissions do not protect.
func isPlainFile(name string) bool {
	fi, err := statPath(name, false)
	return err == nil && fi.Mode.IsRegular() && fi.Mode&0o200 != 0
}

// renameInfo is the head of FILE_RENAME_INFO; the name follows.
type renameInfo struct {
	flags      uint32
	root       windows.Handle
	nameLength uint32 // bytes, without the final NUL
	name       [1]uint16
}

func renamePOSIX(oldname, newname string) error {
	abs, err := filepath.Abs(newname)
	if err != nil {
		return err
	}
	name, err := windows.UTF16FromString(longPath(abs))
	if err != nil {
		return err
	}
	// Some paths in the system go by the length and some by the NUL: the
	// buffer has both. Backed by uint64 for the handle's alignment.
	lenBytes := unsafe.Offsetof(renameInfo{}.name) + uintptr(len(name))*2
	lenBytes = max(lenBytes, unsafe.Sizeof(renameInfo{}))
	buf := make([]uint64, (lenBytes+7)/8)
	info := (*renameInfo)(unsafe.Pointer(&buf[0]))
	info.flags = windows.FILE_RENAME_REPLACE_IF_EXISTS | windows.FILE_RENAME_POSIX_SEMANTICS
	info.nameLength = uint32(len(name)-1) * 2
	copy(unsafe.Slice(&info.name[0], len(name)), name)

	const flags = windows.FILE_FLAG_OPEN_REPARSE_POINT | windows.FILE_FLAG_WRITE_THROUGH
	return withHandle(oldname, windows.DELETE|windows.SYNCHRONIZE, flags, func(h windows.Handle) error {
		return windows.SetFileInformationByHandle(h, windows.FileRenameInfoEx, (*byte)(unsafe.Pointer(&buf[0])), uint32(lenBytes))
	})
}

// removePath unlinks at once even if others hold the file open with
// FILE_SHARE_DELETE; without POSIX semantics the name goes when the last
// handle does.
func removePath(name string) error {
	const flags = windows.FILE_FLAG_OPEN_REPARSE_POINT | windows.FILE_FLAG_WRITE_THROUGH
	err := withHandle(name, windows.DELETE|windows.SYNCHRONIZE, flags, func(h windows.Handle) error {
		disposition := uint32(windows.FILE_DISPOSITION_DELETE | windows.FILE_DISPOSITION_POSIX_SEMANTICS)
		err := windows.SetFileInformationByHandle(h, windows.FileDispositionInfoEx,
			(*byte)(unsafe.Pointer(&disposition)), uint32(unsafe.Sizeof(disposition)))
		if !isUnsupported(err) {
			return err
		}
		deleteFile := [4]byte{1} // FILE_DISPOSITION_INFO: one BOOLEAN
		return windows.SetFileInformationByHandle(h, windows.FileDispositionInfo, &deleteFile[0], 1)
	})
	if err == nil {
		return nil
	}
	if errors.Is(err, windows.ERROR_DIR_NOT_EMPTY) {
		err = tag(fs.ErrExist, err)
	}
	return pathErr("remove", name, err)
}
