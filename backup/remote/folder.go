package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"

	"strata/region/vfs"
)

// folder is a Store in a file system.
type folder struct {
	fs  vfs.FS
	dir string
}

func openFolder(fsys vfs.FS, dir string, create bool) (Store, error) {
	if create {
		if err := vfs.MkdirAllSync(fsys, dir, 0o755); err != nil {
			return nil, err
		}
	}
	info, err := fsys.Stat(dir)
	if err == nil && !info.IsDir() {
		err = &fs.PathError{Op: "open", Path: dir, Err: errors.New("no folder")}
	}
	return &folder{fsys, dir}, err
}

func (f *folder) String() string { return f.dir }
func (f *folder) Close() error   { return nil }

func (f *folder) path(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

func (f *folder) List(ctx context.Context, each func(string, int64) error) error {
	return f.walk(ctx, "", func(name string, bytes int64) error {
		if isTemporary(name) {
			return nil
		}
		return each(name, bytes)
	})
}

func (f *folder) walk(ctx context.Context, dir string, each func(string, int64) error) error {
	entries, err := f.fs.ReadDir(f.path(dir))
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		if err := ctx.Err(); err != nil {
			return err
		}
		if e.IsDir() {
			err = f.walk(ctx, name, each)
		} else if e.Type().IsRegular() {
			var info vfs.FileInfo
			if info, err = f.fs.Lstat(f.path(name)); err == nil {
				err = each(name, info.Size)
			}
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func (f *folder) Put(ctx context.Context, name string, bytes int64, r io.Reader) (err error) {
	if err := checkName(name); err != nil {
		return err
	}
	to := f.path(name)
	if err := vfs.MkdirAllSync(f.fs, filepath.Dir(to), 0o755); err != nil {
		return err
	}
	file, err := vfs.CreateTemp(f.fs, filepath.Dir(to), 0o644)
	if err != nil {
		return err
	}
	temporary := file.Name()
	defer func() {
		if err != nil {
			err = errors.Join(err, f.fs.Remove(temporary))
		}
	}()
	_, err = io.Copy(io.NewOffsetWriter(file, 0), &boundReader{ctx, exactly(r, bytes)})
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	if err := f.fs.Rename(temporary, to); err != nil {
		return err
	}
	return f.fs.SyncDir(filepath.Dir(to))
}

// boundReader ends with a context.
type boundReader struct {
	ctx context.Context
	r   io.Reader
}

func (b *boundReader) Read(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	return b.r.Read(p)
}

func (f *folder) Get(_ context.Context, name string) (io.ReadCloser, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	file, err := f.fs.OpenFile(f.path(name), 0, 0)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return struct {
		io.Reader
		io.Closer
	}{io.NewSectionReader(file, 0, info.Size), file}, nil
}

func (f *folder) Remove(_ context.Context, name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	err := f.fs.Remove(f.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (f *folder) Sweep(ctx context.Context) error {
	var left []string
	err := f.walk(ctx, "", func(name string, _ int64) error {
		if isTemporary(name) {
			left = append(left, name)
		}
		return nil
	})
	for _, name := range left {
		if err == nil {
			err = f.fs.Remove(f.path(name))
		}
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	if err != nil {
		return fmt.Errorf("sweep %s: %w", f.dir, err)
	}
	return nil
}
