package level

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"time"

	"strata/region/vfs"
)

// OldSuffix is what the name of a file's predecessor ends with.
const OldSuffix = "_old"

// damagedSuffix is what the name of a present file ends with that could not be
// read when another was written in its place.
const damagedSuffix = "_damaged"

// Origin says which file a document came from.
type Origin struct {
	// Path of the file that was read.
	Path string
	// Problem is why the file itself was not: nil if it was, otherwise what was
	// wrong with it, and the document is that of its "_old". It wraps
	// fs.ErrNotExist or ErrDamaged.
	Problem error
}

// FromOld reports whether the document is the "_old" one.
func (o Origin) FromOld() bool { return o.Problem != nil }

// The game moves level.dat to level.dat_old before it moves the new one into
// place, so that a reader beside it may find neither for a moment.
const (
	absentTries = 4
	absentPause = 20 * time.Millisecond
)

// ReadFile reads the data file path, or path with "_old" behind it if that is
// absent or damaged. The error is a [*FileError] of the file itself, and wraps
// fs.ErrNotExist or ErrDamaged if neither file can be read for these reasons.
func ReadFile(fsys vfs.FS, path string) (*Document, Origin, error) {
	doc, err := readOne(fsys, path)
	for try := 1; try < absentTries && errors.Is(err, fs.ErrNotExist); try++ {
		if _, serr := fsys.Stat(path + OldSuffix); serr != nil {
			break
		}
		time.Sleep(absentPause)
		doc, err = readOne(fsys, path)
	}
	if err == nil {
		return doc, Origin{Path: path}, nil
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrDamaged) || errors.Is(err, ErrShape) {
		if old, oerr := readOne(fsys, path+OldSuffix); oerr == nil {
			return old, Origin{Path: path + OldSuffix, Problem: err}, nil
		}
	}
	return nil, Origin{Path: path}, err
}

func readOne(fsys vfs.FS, path string) (*Document, error) {
	data, err := vfs.ReadFile(fsys, path, MaxFile)
	if errors.Is(err, vfs.ErrTooLarge) {
		err = damaged(err)
	}
	if err != nil {
		return nil, &FileError{"read", path, err}
	}
	doc, err := ParseDocument(data)
	if err != nil {
		return nil, &FileError{"read", path, err}
	}
	return doc, nil
}

// WriteFile puts doc in the place of the data file path and returns once it is
// durable. What was there is path with "_old" behind it then; if it could not
// be read it is path with "_damaged" (or "_damaged-2" and so on) instead, and
// "_old" stays. The folder must exist.
//
// After an error, a kill or a power cut path names the whole former file or
// the whole new one, never nothing and never a part. The error is a
// [*FileError].
func WriteFile(fsys vfs.FS, path string, doc *Document) error {
	return write(fsys, path, doc, keepSound(isDocument))
}

// ReplaceFile is WriteFile without an "_old": for files that the game replaces
// without keeping one, which is all but level.dat and those of players.
func ReplaceFile(fsys vfs.FS, path string, doc *Document) error {
	return write(fsys, path, doc, func(vfs.FS, string, fs.FileMode) error { return nil })
}

func write(fsys vfs.FS, path string, doc *Document, keep func(fsys vfs.FS, path string, perm fs.FileMode) error) error {
	data, err := doc.Pack()
	if err == nil && len(data) > MaxFile {
		err = vfs.ErrTooLarge
	}
	if err == nil {
		err = replace(fsys, path, data, keep)
	}
	if err != nil {
		return &FileError{"write", path, err}
	}
	return nil
}

func replace(fsys vfs.FS, path string, data []byte, keep func(fsys vfs.FS, path string, perm fs.FileMode) error) error {
	perm := fs.FileMode(0o644)
	switch info, err := fsys.Lstat(path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case info.Mode&fs.ModeSymlink != 0:
		return ErrSymlink
	default:
		perm = info.Mode.Perm()
		if err := keep(fsys, path, perm); err != nil {
			return err
		}
	}
	return vfs.WriteFileSync(fsys, path, data, perm)
}

func isDocument(file []byte) bool { _, err := ParseDocument(file); return err == nil }

// isLevel is isDocument for level.dat: another document in its place is not
// what Read takes, and must not replace a sound "_old" either.
func isLevel(file []byte) bool { _, err := Parse(file); return err == nil }

// keepSound copies the present file to "_old" if it is sound, else to
// "_damaged".
func keepSound(sound func(file []byte) bool) func(fsys vfs.FS, path string, perm fs.FileMode) error {
	return func(fsys vfs.FS, path string, perm fs.FileMode) error {
		present, err := vfs.ReadFile(fsys, path, MaxFile)
		if err != nil {
			return err
		}
		if len(present) == 0 { // left by a full disk: nothing to keep
			return nil
		}
		to := path + OldSuffix
		if !sound(present) {
			if to, err = DamagedName(fsys, path); err != nil {
				return err
			}
		}
		return vfs.WriteFileSync(fsys, to, present, perm)
	}
}

// maxDamaged is how many damaged files of one name are kept.
const maxDamaged = 1000

// DamagedName returns a name beside path that no file has yet, for a damaged
// file that is to be kept.
func DamagedName(fsys vfs.FS, path string) (string, error) {
	for n := 1; n <= maxDamaged; n++ {
		name := path + damagedSuffix
		if n > 1 {
			name += "-" + strconv.Itoa(n)
		}
		_, err := fsys.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) {
			return name, nil
		}
		if err != nil {
			return "", err
		}
	}
	return "", fmt.Errorf("%w: %d damaged files of that name are kept already", fs.ErrExist, maxDamaged)
}
