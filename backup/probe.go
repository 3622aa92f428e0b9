package backup

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"strata/region/vfs"
)

// probe finds out what the file system of a folder has.
func probe(fsys vfs.FS, dir string) (links, clones bool, err error) {
	f, err := vfs.CreateTemp(fsys, dir, 0o644)
	if err != nil {
		return false, false, err
	}
	name := f.Name()
	_, err = f.WriteAt([]byte("probe"), 0)
	err = errors.Join(err, f.Close())
	if err == nil {
		links = try(fsys, name+"-link", func(to string) error { return fsys.Link(name, to) })
		clones = try(fsys, name+"-clone", func(to string) error { return fsys.Clone(name, to) })
	}
	return links, clones, errors.Join(err, fsys.Remove(name))
}

// try makes a file, which shows that it can be made, and removes it.
func try(fsys vfs.FS, to string, makeFile func(to string) error) bool {
	if makeFile(to) != nil {
		return false
	}
	return fsys.Remove(to) == nil
}

// chmod changes a mode on the machine's file system; others have none to change.
func chmod(fsys vfs.FS, name string, mode fs.FileMode) error {
	if fsys != vfs.OS() {
		return nil
	}
	return os.Chmod(name, mode)
}

// seal makes the folders below one, and that itself, read-only.
func sealFolders(fsys vfs.FS, dir string, mode fs.FileMode) error {
	if fsys != vfs.OS() {
		return nil
	}
	entries, err := fsys.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.IsDir() {
			if err := sealFolders(fsys, filepath.Join(dir, e.Name()), mode); err != nil {
				return err
			}
		}
	}
	return os.Chmod(dir, mode)
}
