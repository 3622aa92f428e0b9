package undo

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/cespare/xxhash/v2"

	"strata/anvil/store"
	"strata/region/vfs"
)

// asideRef is a file of a region folder that store.Raw.SetAside takes.
type asideRef struct {
	kind store.Kind
	name string // the dimension, a slash and the file's name
}

func (f *frame) asideRef() asideRef { return asideRef{f.object, f.name} }

// cutAside parts the name of a file set aside. Dimensions may have slashes,
// names of files have none.
func cutAside(name string) (dim, file string) {
	at := strings.LastIndexByte(name, '/')
	return name[:max(at, 0)], name[at+1:]
}

// KeepAside notes a file of a region folder, neither a data file nor a chunk's,
// that is going to be moved to the rescue folder by store.Raw.SetAside. Its
// bytes stay there alone; Undo takes them from there. A file that is not there is not
// noted.
func (c *Change) KeepAside(dim string, kind store.Kind, file string) error {
	if c.opts.Off {
		return nil
	}
	name := dim + "/" + file
	if _, ok := c.w.dims[dim]; !ok {
		return fmt.Errorf("keep %s of %s: %w", file, dim, ErrDimension)
	}
	if file != filepath.Base(file) || len(name) > maxName {
		return fmt.Errorf("keep %s of %s: %w", file, dim, store.ErrPath)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	f := &frame{kind: asideFrame, object: kind, name: name}
	switch {
	case c.closed:
		return ErrState
	case c.seen.asides[f.asideRef()]:
		return nil
	}
	var err error
	if f.state, err = c.w.asideState(f); err == nil && f.state.presence != absent {
		err = c.log.add(f, nil)
		c.m.Files++
		c.dirty = true
	}
	if err != nil {
		return fmt.Errorf("keep %s of %s: %w", file, dim, err)
	}
	c.seen.asides[f.asideRef()] = true
	return nil
}

// asidePath is where such a file lies, or lay.
func (w *world) asidePath(f *frame) (string, error) {
	dim, file := cutAside(f.name)
	if _, ok := w.dims[dim]; !ok || file != filepath.Base(file) {
		return "", fmt.Errorf("%w: %q is no file of a region folder", ErrDamaged, f.name)
	}
	return filepath.Join(w.folder(dim, f.object), file), nil
}

// asideState is what lies at the place of such a file now.
func (w *world) asideState(f *frame) (state, error) {
	path, err := w.asidePath(f)
	if err != nil {
		return state{}, err
	}
	return fileState(w.fs, path)
}

// fileState is the state of a file of any length. What is no plain file counts
// as present and equal to nothing.
func fileState(fsys vfs.FS, path string) (state, error) {
	info, err := fsys.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return absence, nil
	case err != nil:
		return state{}, err
	case !info.Mode.IsRegular():
		return state{presence: unreadable}, nil
	}
	file, err := fsys.OpenFile(path, 0, 0)
	if err != nil {
		return state{}, err
	}
	sum := xxhash.New()
	n, err := io.Copy(sum, io.NewSectionReader(file, 0, info.Size))
	return state{present, 0, uint64(n), sum.Sum64()}, errors.Join(err, file.Close())
}

// putBack brings a file back from the rescue folder. What has taken its place
// since goes there.
func (w *restorer) putBack(s *step) error {
	dim, file := cutAside(s.name)
	raw, err := w.t.w.raw(dim, s.object)
	if err != nil {
		return err
	}
	kept, err := raw.Asides(file)
	if err != nil {
		return err
	}
	for _, path := range kept {
		is, err := fileState(w.t.w.fs, path)
		if err != nil {
			return err
		}
		if !is.same(s.state) {
			continue
		}
		if s.now.state.presence != absent {
			if _, err := raw.SetAside(w.ctx, file); err != nil {
				return err
			}
		}
		return raw.PutBack(w.ctx, file, path)
	}
	return fmt.Errorf("%s is no longer in the rescue folder: %w", file, fs.ErrNotExist)
}
