package vfs

import (
	"errors"
	"io"
	"io/fs"
	"time"
)

// Errors a caller can test for with errors.Is. Absence and presence are
// fs.ErrNotExist and fs.ErrExist; a full disk is ErrNoSpace on every system.
var (
	// ErrUnsupported says that the file system below cannot do it (reflink,
	// hole punch, preallocation, locks, hard links). Callers fall back.
	ErrUnsupported = errors.New("not supported by this file system")
	// ErrNoSpace says that the device, the quota or the file size limit
	// is full (ENOSPC, EDQUOT, EFBIG; ERROR_DISK_FULL on Windows).
	ErrNoSpace = errors.New("no space left")
	// ErrInUse says that a rename or removal was refused because a handle
	// on the file is open. Only systems with Windows semantics return it.
	ErrInUse = errors.New("file is in use")
	// ErrLocked says that another holder has the lock.
	ErrLocked = errors.New("locked by another holder")
	// ErrSymlink says that a file was not opened for writing because its name
	// is a symbolic link: what that leads to may be anywhere.
	ErrSymlink = errors.New("is a symbolic link, which nothing is written through")
)

// FS is the file system as Strata uses it. Names are paths as the os package
// takes them. Implementations are safe for concurrent use.
type FS interface {
	// OpenFile opens name with the os.O_RDONLY, O_RDWR, O_CREATE, O_EXCL and
	// O_TRUNC flags. A created file's name is durable only after SyncDir of
	// its folder. With any flag but O_RDONLY alone a name that is a symbolic
	// link itself is ErrSymlink, even one that leads nowhere; folders on the way
	// may be links, and reading follows all.
	OpenFile(name string, flag int, perm fs.FileMode) (File, error)
	// Stat follows symbolic links, Lstat does not.
	Stat(name string) (FileInfo, error)
	Lstat(name string) (FileInfo, error)
	// ReadDir lists name's entries in ascending order of their names.
	ReadDir(name string) ([]fs.DirEntry, error)
	// Mkdir makes one folder; its name is durable after SyncDir of its parent.
	Mkdir(name string, perm fs.FileMode) error
	// Remove removes a file or an empty folder. The removal is durable after
	// SyncDir of its folder.
	Remove(name string) error
	// Rename puts oldname in newname's place in one step, replacing a file
	// that is there. Durable after SyncDir of the folder, or of both folders.
	Rename(oldname, newname string) error
	// Link makes newname a hard link to oldname's file.
	Link(oldname, newname string) error
	// SyncDir makes the folder's entries durable: creations, renames, links
	// and removals in it. A no-op where moves are written through (Windows).
	SyncDir(name string) error
	// Clone makes dst, which must not exist, a reflink copy of src: shared
	// extents, copied on write. Neither content nor name is durable yet.
	// ErrUnsupported where the file system cannot.
	Clone(src, dst string) error
	// FreeBytes is the space an unprivileged user can still fill on the file
	// system that holds name.
	FreeBytes(name string) (int64, error)
}

// File is an open file with positional access only. Methods other than Close
// may be called concurrently.
type File interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	// Name is the name the file was opened with.
	Name() string
	Stat() (FileInfo, error)
	// Truncate sets the file's size in bytes; growing leaves a hole.
	Truncate(size int64) error
	// Sync makes content and size durable: fdatasync on Linux, F_FULLFSYNC on
	// macOS, FlushFileBuffers on Windows. After an error nothing written
	// since the last successful Sync may be taken for durable, even if a
	// later Sync succeeds.
	Sync() error
	// Preallocate reserves space for [off, off+n) and extends the size to
	// cover it. ErrUnsupported where the file system cannot.
	Preallocate(off, n int64) error
	// PunchHole gives the blocks of [off, off+n) back to the file system;
	// they read as zeros and the size stays. ErrUnsupported where it cannot.
	PunchHole(off, n int64) error
	// Lock takes an advisory lock over the whole file without waiting, shared
	// or exclusive: ErrLocked if another open file description holds one in
	// the way, in this process or another. Close releases it.
	Lock(exclusive bool) error
	// Unlock releases the lock.
	Unlock() error
}

// FileInfo is what a file system knows about a file. Fields that the system
// cannot tell are zero, and Links is then 0, which no existing file has.
type FileInfo struct {
	Name       string // base name
	Size       int64  // bytes
	Mode       fs.FileMode
	ModTime    time.Time
	ChangeTime time.Time // inode change time
	Device     uint64
	Inode      uint64
	Links      uint64 // hard links, 0 = unknown
	Allocated  int64  // bytes of disk blocks, -1 = unknown
}

// IsDir reports whether the file is a folder.
func (i FileInfo) IsDir() bool { return i.Mode.IsDir() }

// SameFile reports whether a and b are known to be one file: device and inode
// are known and equal.
func SameFile(a, b FileInfo) bool {
	return a.Inode != 0 && a.Inode == b.Inode && a.Device == b.Device
}
