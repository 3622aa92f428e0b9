package session

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"strata/region/vfs"
)

// Held reports whether somebody, in this process or another, holds the folder's
// lock. Nothing is created or written: readers use it to know whether they read
// beside a writer. What it says may be over at once.
//
// It asks by taking a shared lock for an instant, which no holder notices; but
// a game that starts in just that instant finds the world locked. So it is
// asked once at the start of a command, not again and again. A world on a file
// system without locks counts as not held, as does one without a session.lock.
func Held(fsys vfs.FS, folder string) (bool, error) {
	f, err := fsys.OpenFile(filepath.Join(folder, FileName), os.O_RDONLY, 0)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case errors.Is(err, vfs.ErrLocked):
		return true, nil
	case err != nil:
		return false, err
	}
	err = f.Lock(false)
	held := errors.Is(err, vfs.ErrLocked)
	if held || errors.Is(err, vfs.ErrUnsupported) {
		err = nil
	}
	return held, errors.Join(err, f.Close())
}
