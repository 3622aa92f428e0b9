package datapack

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"strata/region/vfs"
)

// install writes the game file and puts it in its place.
func (im *importer) install(ctx context.Context, m Manifest, result *Imported) (err error) {
	fsys, dir := im.home.fs(), filepath.Dir(result.Path)
	if err := vfs.MkdirAllSync(fsys, dir, 0o755); err != nil {
		return err
	}
	unlock, err := im.home.lock()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if err := removeLeftovers(fsys, dir); err != nil {
		return err
	}
	f, err := vfs.CreateTemp(fsys, dir, 0o644)
	if err != nil {
		return err
	}
	result.Manifest, err = im.write(ctx, f, m)
	// Windows without POSIX renames moves closed files only.
	err = errors.Join(err, f.Close())
	if err == nil {
		err = im.verify(f.Name(), result)
	}
	if err == nil {
		_, serr := fsys.Stat(result.Path)
		result.Replaced = serr == nil
		err = fsys.Rename(f.Name(), result.Path)
	}
	if err != nil {
		return errors.Join(err, fsys.Remove(f.Name()))
	}
	return fsys.SyncDir(dir)
}

// write writes the whole file and flushes it.
func (im *importer) write(ctx context.Context, f vfs.File, m Manifest) (Manifest, error) {
	w, err := newGameWriter(f)
	if err != nil {
		return m, err
	}
	defer w.release()
	if err := im.copy(ctx, w); err != nil {
		return m, err
	}
	m = im.complete(m)
	if err := w.finish(m); err != nil {
		return m, err
	}
	return m, f.Sync()
}

// verify reads the new file and compares its content with what was read from
// the source.
func (im *importer) verify(path string, result *Imported) (err error) {
	p, err := im.home.open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	sum := sha256.New()
	for _, e := range p.files {
		data, err := p.reader.read(e)
		if err != nil {
			return inPack(p.name, e.name, err)
		}
		sum.Write(contentLine(e.name, data))
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != result.Manifest.ContentSHA256 {
		return fmt.Errorf("%w: what was written reads back otherwise", ErrDamaged)
	}
	fi, err := im.home.fs().Stat(path)
	result.StoredBytes = fi.Size
	return err
}

// lock keeps a second import out of the home.
func (h Home) lock() (unlock func() error, err error) {
	name := filepath.Join(h.Dir, gameDir, lockName)
	f, err := h.fs().OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if err := f.Lock(true); err != nil && !errors.Is(err, vfs.ErrUnsupported) {
		return nil, errors.Join(fmt.Errorf("another import into %s is running: %w", h.Dir, err), f.Close())
	}
	return f.Close, nil // which releases the lock
}

// removeLeftovers removes what interrupted imports have left in dir. The lock
// is held, so no import is writing it.
func removeLeftovers(fsys vfs.FS, dir string) error {
	entries, err := fsys.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), vfs.TempPrefix) {
			if err := fsys.Remove(filepath.Join(dir, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}
