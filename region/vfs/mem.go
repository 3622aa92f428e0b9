package vfs

import (
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// MemOptions describes an in-memory file system. The zero value is an
// unlimited one that behaves like Linux.
type MemOptions struct {
	// Capacity is how many bytes of 4 KiB blocks the files may take together;
	// holes are free. 0 is no limit.
	Capacity int64
	// Windows gives the file system Windows semantics: a file with an open
	// handle is neither renamed, replaced nor removed (ErrInUse), locks keep
	// other handles from reading and writing (ErrLocked), names are durable
	// without SyncDir, and there is no Clone.
	Windows bool
	// Now is the clock for file times, time.Now if nil. Times are made
	// strictly increasing whatever it returns.
	Now func() time.Time
}

const (
	// memMaxFile is the longest file, in bytes: its page list takes 64 MiB.
	memMaxFile = 16 << 30
	// memUnlimited is what FreeBytes reports where there is no limit.
	memUnlimited = 1 << 50
)

// Mem is a file system in memory that knows which changes a power cut could
// undo; see the package documentation for the model. Names are taken from its
// root whether they begin with a separator or not.
type Mem struct {
	opts MemOptions

	mu sync.RWMutex // guards everything below and in the inodes
	// root is the top folder.
	root *inode
	// lastID numbers inodes, lastSeq entry changes.
	lastID, lastSeq uint64
	// used counts pages of files that have a name or an open handle.
	used int64
	// clock is the last time given out.
	clock time.Time
	// changes are the entry changes not yet durable, oldest first.
	changes []*entryChange
}

var _ FS = (*Mem)(nil)

// NewMem returns an empty file system.
func NewMem(opts MemOptions) *Mem {
	m := &Mem{opts: opts, lastID: 1}
	m.root = &inode{id: 1, mode: fs.ModeDir | 0o755, links: 1, entries: map[string]*inode{}}
	m.touch(m.root)
	return m
}

// inode is a file or folder.
type inode struct {
	id           uint64
	mode         fs.FileMode
	mtime, ctime time.Time
	links        int // names in the live tree
	handles      int // open handles

	// Files.
	live    content
	durable content
	// pending are the changes since the last flush, in order.
	pending []fileChange
	// base is what pending starts from where that is not durable: a failed
	// flush has left the two apart (diverged).
	base     content
	diverged bool
	locks    map[*memFile]bool // true: exclusive

	// Folders.
	entries map[string]*inode
	parent  *inode
	// placed gave the folder its present name.
	placed *entryChange
}

func (n *inode) isDir() bool { return n.mode.IsDir() }

// now needs mu.
func (m *Mem) now() time.Time {
	var t time.Time
	if m.opts.Now != nil {
		t = m.opts.Now()
	} else {
		t = time.Now()
	}
	t = t.Round(0) // files have no monotonic clock
	if !t.After(m.clock) {
		t = m.clock.Add(time.Nanosecond)
	}
	m.clock = t
	return t
}

// touch stamps a change of content.
func (m *Mem) touch(n *inode) {
	t := m.now()
	n.mtime, n.ctime = t, t
}

// budget is how many pages may still be added, -1 for any number.
func (m *Mem) budget() int64 {
	if m.opts.Capacity <= 0 {
		return -1
	}
	return max(m.opts.Capacity/pageSize-m.used, 0)
}

// clean brings name to the form "a/b/c", "" for the root.
func clean(name string) string {
	name = name[len(filepath.VolumeName(name)):]
	name = filepath.ToSlash(filepath.Clean(name))
	name = strings.TrimLeft(name, "/")
	if name == "." {
		return ""
	}
	return name
}

// lookup finds an existing file or folder.
func (m *Mem) lookup(name string) (*inode, error) {
	n := m.root
	rest := clean(name)
	for rest != "" {
		var elem string
		elem, rest, _ = strings.Cut(rest, "/")
		if !n.isDir() {
			return nil, syscall.ENOTDIR
		}
		if n = n.entries[elem]; n == nil {
			return nil, fs.ErrNotExist
		}
	}
	return n, nil
}

// locate finds the folder that holds name, or would, and the last element.
func (m *Mem) locate(name string) (dir *inode, base string, err error) {
	name = clean(name)
	if name == "" || name == ".." || strings.HasPrefix(name, "../") {
		return nil, "", fs.ErrInvalid
	}
	i := strings.LastIndexByte(name, '/')
	dir = m.root
	if i >= 0 {
		if dir, err = m.lookup(name[:i]); err != nil {
			return nil, "", err
		}
	}
	if !dir.isDir() {
		return nil, "", syscall.ENOTDIR
	}
	return dir, name[i+1:], nil
}

// OpenFile implements FS. O_APPEND is refused; folders cannot be opened.
func (m *Mem) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.open(name, flag, perm)
	if err != nil {
		return nil, pathErr("open", name, err)
	}
	n.handles++
	writes := flag&(os.O_RDWR|os.O_WRONLY) != 0
	return &memFile{m: m, n: n, name: name, reads: flag&os.O_WRONLY == 0, writes: writes}, nil
}

func (m *Mem) open(name string, flag int, perm fs.FileMode) (*inode, error) {
	if flag&os.O_APPEND != 0 {
		return nil, fs.ErrInvalid
	}
	dir, base, err := m.locate(name)
	if err != nil {
		return nil, err
	}
	n := dir.entries[base]
	switch {
	case n == nil && flag&os.O_CREATE == 0:
		return nil, fs.ErrNotExist
	case n == nil:
		n = m.newInode(perm & fs.ModePerm)
		m.setEntry(dir, base, n)
		m.touch(dir)
		return n, nil
	case flag&(os.O_CREATE|os.O_EXCL) == os.O_CREATE|os.O_EXCL:
		return nil, fs.ErrExist
	case n.isDir():
		return nil, syscall.EISDIR
	}
	if flag&os.O_TRUNC != 0 {
		m.change(n, fileChange{kind: changeTruncate})
	}
	return n, nil
}

func (m *Mem) newInode(mode fs.FileMode) *inode {
	m.lastID++
	n := &inode{id: m.lastID, mode: mode}
	m.touch(n)
	return n
}

// Stat implements FS.
func (m *Mem) Stat(name string) (FileInfo, error) { return m.stat("stat", name) }

// Lstat implements FS; there are no symbolic links here.
func (m *Mem) Lstat(name string) (FileInfo, error) { return m.stat("lstat", name) }

func (m *Mem) stat(op, name string) (FileInfo, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	n, err := m.lookup(name)
	if err != nil {
		return FileInfo{}, pathErr(op, name, err)
	}
	return n.info(name), nil
}

// memDevice is the device number of every in-memory file system.
const memDevice = 0x5354

func (n *inode) info(name string) FileInfo {
	return FileInfo{
		Name: filepath.Base(name), Size: n.live.size, Mode: n.mode,
		ModTime: n.mtime, ChangeTime: n.ctime,
		Device: memDevice, Inode: n.id, Links: uint64(n.links),
		Allocated: n.live.allocated() * pageSize,
	}
}

// ReadDir implements FS.
func (m *Mem) ReadDir(name string) ([]fs.DirEntry, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	n, err := m.lookup(name)
	if err == nil && !n.isDir() {
		err = syscall.ENOTDIR
	}
	if err != nil {
		return nil, pathErr("readdir", name, err)
	}
	list := make([]fs.DirEntry, 0, len(n.entries))
	for name, e := range n.entries {
		list = append(list, memEntry{e.info(name)})
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, nil
}

// FreeBytes implements FS.
func (m *Mem) FreeBytes(name string) (int64, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if _, err := m.lookup(name); err != nil {
		return 0, pathErr("statfs", name, err)
	}
	if b := m.budget(); b >= 0 {
		return min(b, math.MaxInt64/pageSize) * pageSize, nil
	}
	return memUnlimited, nil
}

// memEntry is a directory entry, its own fs.FileInfo.
type memEntry struct{ fi FileInfo }

func (e memEntry) Name() string               { return e.fi.Name }
func (e memEntry) IsDir() bool                { return e.fi.IsDir() }
func (e memEntry) Type() fs.FileMode          { return e.fi.Mode.Type() }
func (e memEntry) Info() (fs.FileInfo, error) { return e, nil }
func (e memEntry) Size() int64                { return e.fi.Size }
func (e memEntry) Mode() fs.FileMode          { return e.fi.Mode }
func (e memEntry) ModTime() time.Time         { return e.fi.ModTime }
func (e memEntry) Sys() any                   { return nil }
