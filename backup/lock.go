package backup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"strata/region/vfs"
)

// The files that are locked. Whoever reads has lockName shared, and so has whoever
// makes a snapshot, who also has appendName for himself; Prune has both for itself.
const (
	lockName   = "lock"
	appendName = "append.lock"
)

// use says how a repository is used.
type use uint8

const (
	reading use = iota
	adding
	pruning
)

// locks are held until released.
type locks []vfs.File

// lock takes the locks of a use. The error wraps ErrLocked.
func lock(fsys vfs.FS, dir string, u use) (_ locks, err error) {
	var l locks
	defer func() {
		if err != nil {
			err = errors.Join(err, l.release())
		}
	}()
	if u != reading {
		if l, err = l.take(fsys, filepath.Join(dir, appendName), true); err != nil {
			return nil, err
		}
	}
	l, err = l.take(fsys, filepath.Join(dir, lockName), u == pruning)
	return l, err
}

func (l locks) take(fsys vfs.FS, name string, exclusive bool) (locks, error) {
	flag := os.O_RDONLY
	if exclusive {
		flag = os.O_RDWR | os.O_CREATE
	}
	f, err := fsys.OpenFile(name, flag, 0o644)
	if !exclusive && errors.Is(err, fs.ErrNotExist) {
		// On a medium that cannot be written nobody prunes.
		if f, err = fsys.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644); err != nil {
			return l, nil //nolint:nilerr // as above
		}
	}
	if err != nil {
		return l, fmt.Errorf("lock the repository: %w", err)
	}
	switch err := f.Lock(exclusive); {
	case errors.Is(err, vfs.ErrLocked):
		return l, errors.Join(ErrLocked, f.Close())
	case err != nil && !errors.Is(err, vfs.ErrUnsupported):
		return l, errors.Join(fmt.Errorf("lock the repository: %w", err), f.Close())
	}
	return append(l, f), nil
}

func (l locks) release() error {
	var errs []error
	for _, f := range l {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}
