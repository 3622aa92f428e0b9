package vfs

import (
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"
)

// MkdirAll makes the folder name and the folders above it that are absent. It
// makes nothing durable. A folder that exists is no error.
func MkdirAll(fsys FS, name string, perm fs.FileMode) error {
	return mkdirAll(fsys, name, perm, false)
}

// MkdirAllSync is MkdirAll that also makes the name of each new folder durable
// in its parent, and that of the lowest folder it finds: an earlier call may
// have been killed between making and flushing it. So it flushes at least once.
func MkdirAllSync(fsys FS, name string, perm fs.FileMode) error {
	return mkdirAll(fsys, name, perm, true)
}

func mkdirAll(fsys FS, name string, perm fs.FileMode, sync bool) error {
	fi, err := fsys.Stat(name)
	parent := filepath.Dir(name)
	switch {
	case err == nil && !fi.IsDir():
		return &fs.PathError{Op: "mkdir", Path: name, Err: syscall.ENOTDIR}
	case err == nil && sync:
		return syncFound(fsys, parent)
	case err == nil || !errors.Is(err, fs.ErrNotExist) || parent == name:
		return err
	}
	if err := mkdirAll(fsys, parent, perm, sync); err != nil {
		return err
	}
	made := fsys.Mkdir(name, perm)
	if made != nil {
		// Someone else may have been quicker.
		if fi, err := fsys.Stat(name); err != nil || !fi.IsDir() {
			return made
		}
	}
	if !sync {
		return nil
	}
	err = fsys.SyncDir(parent)
	if err != nil && made == nil {
		// A failed flush is not repeated and believed: who tries again makes
		// the folder again.
		return errors.Join(err, fsys.Remove(name))
	}
	return err
}

// syncFound flushes the parent of a folder that exists already. A parent that
// may not be opened holds a folder someone else has made.
func syncFound(fsys FS, parent string) error {
	if err := fsys.SyncDir(parent); !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return nil
}
