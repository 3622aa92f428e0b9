package datapack

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
)

// folder is an open folder with the files of a pack. Every access goes
// through an os.Root, so nothing outside the folder is reached, by symbolic
// links neither; links inside are passed over as well, as the game does.
type folder struct {
	root   *os.Root
	layout layout
	limits Limits
}

func (f *folder) hasFile(name string) bool {
	fi, err := f.root.Lstat(name)
	return err == nil && fi.Mode().IsRegular()
}

func (f *folder) hasDir(name string) bool {
	fi, err := f.root.Lstat(name)
	return err == nil && fi.IsDir()
}

func (f *folder) topDirs() (dirs []string) {
	entries, err := fs.ReadDir(f.root.FS(), ".")
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if e.IsDir() {
			dirs = append(dirs, e.Name())
		}
	}
	return dirs
}

// collect lists the files of the pack: those at its root that have a meaning,
// and all below data and the overlays' data.
func (f *folder) collect() (*collector, error) {
	c := &collector{limits: f.limits}
	roots := []string{dataDir}
	if f.layout.add == "" {
		for _, name := range []string{metaName, versionName, languageName} {
			fi, err := f.root.Lstat(f.layout.raw(name))
			if err != nil || !fi.Mode().IsRegular() {
				continue
			}
			if err := c.add(name, fi.Size(), 0); err != nil {
				return nil, err
			}
		}
		dirs, err := f.overlayDirs()
		if err != nil {
			return nil, err
		}
		roots = append(roots, dirs...)
	} else {
		roots = []string{path.Clean(f.layout.add)}
	}
	for _, root := range roots {
		if err := f.walk(c, root); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// overlayDirs lists the folders beside data that may be overlays.
func (f *folder) overlayDirs() (dirs []string, err error) {
	entries, err := fs.ReadDir(f.root.FS(), path.Clean(f.layout.strip))
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.IsDir() && validOverlay(e.Name()) && f.hasDir(f.layout.raw(e.Name()+"/"+dataDir)) {
			dirs = append(dirs, e.Name()+"/"+dataDir)
		}
	}
	return dirs, nil
}

func (f *folder) walk(c *collector, root string) error {
	start := path.Clean(f.layout.raw(root + "/"))
	if !f.hasDir(start) {
		return nil
	}
	return fs.WalkDir(f.root.FS(), start, func(raw string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := f.layout.name(raw)
		switch {
		case d.IsDir():
			return nil
		case d.Type()&fs.ModeSymlink != 0:
			c.skips.add(name, "symbolic link")
			return nil
		case !d.Type().IsRegular():
			c.skips.add(name, "neither file nor folder")
			return nil
		}
		if take, _ := use(name); !take {
			return c.add(name, 0, 0) // recorded, if there is a reason
		}
		fi, err := d.Info()
		if err != nil {
			return err
		}
		return c.add(name, fi.Size(), 0)
	})
}

// read reads a file that must be as long as it was when the pack was opened.
func (f *folder) read(e entry) ([]byte, error) {
	file, err := f.root.Open(f.layout.raw(e.name))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if fi, err := file.Stat(); err != nil {
		return nil, err
	} else if !fi.Mode().IsRegular() || fi.Size() != e.size {
		return nil, errChanged
	}
	var buf bytes.Buffer
	buf.Grow(int(e.size) + bytes.MinRead)
	n, err := buf.ReadFrom(io.LimitReader(file, e.size+1))
	if err != nil {
		return nil, err
	}
	if n != e.size {
		return nil, errChanged
	}
	return buf.Bytes(), nil
}

var errChanged = fmt.Errorf("%w: the file changed while the pack was open", ErrDamaged)

// Close closes the folder.
func (f *folder) Close() error { return f.root.Close() }

// openFolder finds the pack in a folder.
func openFolder(dir string, limits Limits) (*folder, *collector, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, err
	}
	f := &folder{root: root, limits: limits}
	l, ok := findLayout(f)
	if !ok {
		err := fmt.Errorf("%w: no pack.mcmeta, data/minecraft, or worldgen and tags", ErrNotPack)
		return nil, nil, errors.Join(err, root.Close())
	}
	f.layout = l
	c, err := f.collect()
	if err != nil {
		return nil, nil, errors.Join(err, root.Close())
	}
	return f, c, nil
}
