package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"strata/region/vfs"
)

// FileName is the name of the file that is locked.
const FileName = "session.lock"

// snowman is what the file holds.
const snowman = "\u2603"

// Lock is a world that is held.
type Lock struct {
	fsys    vfs.FS
	folders []*folder
	bare    []string // folders on file systems without locks

	mu    sync.Mutex // guards the rest
	users int
}

// folder is one locked folder.
type folder struct {
	path string
	file vfs.File
	info vfs.FileInfo // of the file when it was locked
}

// Acquire locks the folders of a world, all or none. A folder that is named
// twice, through a symbolic link for instance, is locked once. The error is a
// [*LockedError] if somebody else, in this process or another, holds one of
// them; fs.ErrNotExist if there is no such folder; ErrSymlink if its session.lock
// is a symbolic link.
func Acquire(fsys vfs.FS, folders ...string) (*Lock, error) {
	l := &Lock{fsys: fsys, users: 1}
	var seen []vfs.FileInfo
	for _, path := range folders {
		info, err := fsys.Stat(path)
		if err == nil && !info.IsDir() {
			err = fmt.Errorf("lock %s: not a folder", path)
		}
		if err == nil && contains(seen, info) {
			continue
		}
		if err == nil {
			seen = append(seen, info)
			err = l.add(path)
		}
		if err != nil {
			return nil, errors.Join(err, l.close())
		}
	}
	if len(l.folders) == 0 {
		return nil, errors.New("lock: no folder is given")
	}
	return l, nil
}

func contains(infos []vfs.FileInfo, info vfs.FileInfo) bool {
	for _, other := range infos {
		if vfs.SameFile(other, info) {
			return true
		}
	}
	return false
}

// lockTries bounds how often a file is locked that is not the one of that name
// any more.
const lockTries = 5

// add locks one folder.
func (l *Lock) add(path string) error {
	for range lockTries {
		f, protected, err := lockFile(l.fsys, path)
		if err != nil {
			return err
		}
		at := &folder{path: path, file: f}
		at.info, err = f.Stat()
		if err == nil {
			err = at.check(l.fsys)
		}
		if errors.Is(err, ErrLost) { // replaced between opening and locking
			if err := f.Close(); err != nil {
				return err
			}
			continue
		}
		l.folders = append(l.folders, at) // closed from now on by whoever closes l
		if !protected {
			l.bare = append(l.bare, path)
		}
		if err == nil {
			err = at.mark()
		}
		return err
	}
	return fmt.Errorf("lock %s: %s is replaced again and again: %w", path, FileName, ErrLost)
}

// lockFile opens the folder's session.lock as it is, made if there is none, and
// locks it. A link is refused, and one that comes in between is found by check.
func lockFile(fsys vfs.FS, path string) (f vfs.File, protected bool, err error) {
	switch info, err := fsys.Lstat(filepath.Join(path, FileName)); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, false, err
	case info.Mode&fs.ModeSymlink != 0:
		return nil, false, fmt.Errorf("lock %s: %w", path, ErrSymlink)
	}
	f, err = fsys.OpenFile(filepath.Join(path, FileName), os.O_RDWR|os.O_CREATE, 0o644)
	if errors.Is(err, vfs.ErrLocked) { // Windows, if its holder shares nothing
		return nil, false, &LockedError{path}
	}
	if err != nil {
		return nil, false, err
	}
	switch err = f.Lock(true); {
	case err == nil:
		return f, true, nil
	case errors.Is(err, vfs.ErrUnsupported):
		return f, false, nil
	case errors.Is(err, vfs.ErrLocked):
		err = &LockedError{path}
	}
	return nil, false, errors.Join(err, f.Close())
}

// mark gives the locked file its content, unless it has it.
func (at *folder) mark() error {
	if at.info.Size == int64(len(snowman)) {
		var now [len(snowman)]byte
		if _, err := at.file.ReadAt(now[:], 0); err != nil {
			return err
		}
		if string(now[:]) == snowman {
			return nil
		}
	}
	if _, err := at.file.WriteAt([]byte(snowman), 0); err != nil {
		return err
	}
	// Games before 1.16 had eight bytes there.
	if err := at.file.Truncate(int64(len(snowman))); err != nil {
		return err
	}
	return at.file.Sync()
}

// check reports ErrLost if the name is that of another file than the locked one;
// a link to it is another one.
func (at *folder) check(fsys vfs.FS) error {
	now, err := fsys.Lstat(filepath.Join(at.path, FileName))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: %s is gone: %w", at.path, FileName, ErrLost)
	case err != nil:
		return err
	case now.Inode == 0: // the system cannot tell
		return nil
	case !vfs.SameFile(now, at.info):
		return fmt.Errorf("%s: %s is another file now: %w", at.path, FileName, ErrLost)
	}
	return nil
}

// Check returns nil if the world is still held: an error that wraps ErrLost if
// a session.lock is gone or another file stands in its place, ErrReleased after
// the last Release. It costs a stat for each folder.
func (l *Lock) Check() error {
	l.mu.Lock()
	held := l.users > 0
	l.mu.Unlock()
	if !held {
		return ErrReleased
	}
	for _, at := range l.folders {
		if err := at.check(l.fsys); err != nil {
			return err
		}
	}
	return nil
}

// Folders lists the folders that are locked, as they were given.
func (l *Lock) Folders() []string {
	paths := make([]string, len(l.folders))
	for i, at := range l.folders {
		paths[i] = at.path
	}
	return paths
}

// Unprotected lists the folders whose file system has no locks. Nothing keeps
// others from them, and who works on them should be warned.
func (l *Lock) Unprotected() []string { return append([]string(nil), l.bare...) }

// Retain adds a user, who must call Release. It reports ErrReleased if there is
// none left.
func (l *Lock) Retain() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.users == 0 {
		return ErrReleased
	}
	l.users++
	return nil
}

// Release ends a user's work. The last one gives the world away; the files
// stay. A Release too many is ErrReleased.
func (l *Lock) Release() error {
	l.mu.Lock()
	if l.users == 0 {
		l.mu.Unlock()
		return ErrReleased
	}
	l.users--
	last := l.users == 0
	l.mu.Unlock()
	if !last {
		return nil
	}
	return l.close()
}

// close closes the files, which unlocks them, in the reverse order.
func (l *Lock) close() error {
	var errs []error
	for i := len(l.folders) - 1; i >= 0; i-- {
		errs = append(errs, l.folders[i].file.Close())
	}
	return errors.Join(errs...)
}
