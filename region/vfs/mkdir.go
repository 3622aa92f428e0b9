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
// in its parent.
func MkdirAllSync(fsys FS, name string, perm fs.FileMode) error {
	return mkdirAll(fsys, name, perm, true)
}

func mkdirAll(fsys FS, name string, perm fs.FileMode, sync bool) error {
	fi, err := fsys.Stat(name)
	if err == nil && !fi.IsDir() {
		return &fs.PathError{Op: "mkdir", Path: name, Err: syscall.ENOTDIR}
	}
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	parent := filepath.Dir(name)
	if parent == name {
		return err // a root that does not exist
	}
	if err := mkdirAll(fsys, parent, perm, sync); err != nil {
		return err
	}
	if err := fsys.Mkdir(name, perm); err != nil {
		// Someone else may have been quicker.
		if fi, serr := fsys.Stat(name); serr != nil || !fi.IsDir() {
			return err
		}
	}
	if !sync {
		return nil
	}
	err = fsys.SyncDir(parent)
	if err != nil {
		// Whoever tries again must not find a folder and take it for durable.
		return errors.Join(err, fsys.Remove(name))
	}
	return nil
}
