package corpus

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// Unpack writes the folders and regular files of the archive at tarZst into
// dir, which it creates if need be, with their modification times (backup
// tools look at these). Permissions are 0755 and 0644 whatever the archive
// says. Entries of other kinds, and names that lead out of dir, are refused
// with [ErrFormat]; a file that exists already is refused with fs.ErrExist.
// What was written before an error stays.
func Unpack(tarZst, dir string) error {
	f, err := os.Open(tarZst)
	if err != nil {
		return fmt.Errorf("unpack: %w", err)
	}
	defer f.Close() // read only: nothing to lose
	if err := UnpackFrom(f, dir); err != nil {
		return fmt.Errorf("unpack %s: %w", tarZst, err)
	}
	return nil
}

// UnpackFrom is [Unpack] from an open stream.
func UnpackFrom(r io.Reader, dir string) error {
	z, err := newZstdReader(r)
	if err != nil {
		return err
	}
	defer z.Close()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	// A Root refuses every path that leaves it, symbolic links included, so
	// the check on names below is not the only guard.
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	u := unpacker{root: root}
	return errors.Join(u.run(tar.NewReader(z)), root.Close())
}

type unpacker struct {
	root    *os.Root
	entries int
	bytes   int64
	dirs    []dirTime
}

// dirTime is a folder's time, to be set once nothing more is written into it.
type dirTime struct {
	name  string
	mtime time.Time
}

func (u *unpacker) run(in *tar.Reader) error {
	for {
		h, err := in.Next()
		if err == io.EOF {
			return u.setDirTimes()
		}
		if err != nil {
			return tarError(err)
		}
		if u.entries++; u.entries > MaxEntries {
			return fmt.Errorf("%w: over %d entries", ErrLimit, MaxEntries)
		}
		if err := u.entry(in, h); err != nil {
			return fmt.Errorf("entry %q: %w", h.Name, err)
		}
	}
}

func (u *unpacker) entry(in io.Reader, h *tar.Header) error {
	name := path.Clean(h.Name)
	if !filepath.IsLocal(filepath.FromSlash(name)) || strings.Contains(h.Name, `\`) {
		return fmt.Errorf("%w: name leaves the folder", ErrFormat)
	}
	switch h.Typeflag {
	case tar.TypeDir:
		if err := u.root.MkdirAll(name, 0o755); err != nil {
			return err
		}
		u.dirs = append(u.dirs, dirTime{name, h.ModTime})
		return nil
	case tar.TypeReg:
		return u.file(in, name, h)
	}
	return fmt.Errorf("%w: neither file nor folder (type %q)", ErrFormat, h.Typeflag)
}

func (u *unpacker) file(in io.Reader, name string, h *tar.Header) error {
	if h.Size > MaxFile || u.bytes+h.Size > MaxArchive {
		return fmt.Errorf("%w: %d bytes", ErrLimit, h.Size)
	}
	u.bytes += h.Size
	if err := u.root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := u.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(onlyWriter{f}, in)
	if err != nil && !errors.As(err, new(*fs.PathError)) {
		err = tarError(err)
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return u.root.Chtimes(name, h.ModTime, h.ModTime)
}

// onlyWriter hides the file's ReadFrom, so that io.Copy reports read errors
// as they are and not as the file's.
type onlyWriter struct{ io.Writer }

// setDirTimes needs no order: setting a folder's time does not touch its
// parent's.
func (u *unpacker) setDirTimes() error {
	for _, d := range u.dirs {
		if err := u.root.Chtimes(d.name, d.mtime, d.mtime); err != nil {
			return err
		}
	}
	return nil
}

func tarError(err error) error {
	if errors.Is(err, tar.ErrHeader) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: tar: %v", ErrFormat, err)
	}
	return zstdError(err)
}
