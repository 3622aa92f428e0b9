package vfs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// TempPrefix begins the names of all temporary files Strata makes. What is
// found with it under the session lock is left over and may be removed.
const TempPrefix = ".strata-"

// ReadFile returns the content of a file of at most limit bytes, ErrTooLarge
// if it is longer.
func ReadFile(fsys FS, name string, limit int64) (data []byte, err error) {
	f, err := fsys.OpenFile(name, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer func() {
		if cerr := f.Close(); err == nil && cerr != nil {
			data, err = nil, cerr
		}
	}()
	fi, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if fi.Size > limit {
		return nil, tooLarge(name, limit)
	}
	// One byte more than the size shows at once whether the file has grown.
	data = make([]byte, fi.Size+1)
	for n := 0; ; {
		m, err := f.ReadAt(data[n:], int64(n))
		n += m
		switch {
		case int64(n) > limit:
			return nil, tooLarge(name, limit)
		case err == io.EOF:
			return data[:n], nil
		case err != nil:
			return nil, err
		}
		data = append(data, make([]byte, min(int64(len(data)), limit+1-int64(n)))...)
	}
}

func tooLarge(name string, limit int64) error {
	return fmt.Errorf("read %s: more than %d bytes: %w", name, limit, ErrTooLarge)
}

// CreateTemp creates a new file in dir under a name that begins with
// TempPrefix and opens it for reading and writing.
func CreateTemp(fsys FS, dir string, perm fs.FileMode) (File, error) {
	for range 100 {
		name := filepath.Join(dir, fmt.Sprintf("%s%016x", TempPrefix, rand.Uint64()))
		f, err := fsys.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
	return nil, &fs.PathError{Op: "createtemp", Path: dir, Err: fs.ErrExist}
}

// WriteFileSync puts data under name so that a crash leaves the whole old file
// or the whole new one, and returns once the new one is durable: a temporary
// file beside it, flush, rename, flush of the folder. After an error the old
// file is in place, unless only the last step failed; then either may be. The
// temporary file is removed if that is possible.
func WriteFileSync(fsys FS, name string, data []byte, perm fs.FileMode) error {
	dir := filepath.Dir(name)
	f, err := CreateTemp(fsys, dir, perm)
	if err != nil {
		return err
	}
	if _, err = f.WriteAt(data, 0); err == nil {
		err = f.Sync()
	}
	// Windows without POSIX renames moves closed files only.
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = fsys.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, fsys.Remove(f.Name()))
	}
	return fsys.SyncDir(dir)
}
