package region

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"strata/region/vfs"
)

// breakLinks gives the path a file of its own if the open one has further
// hard links: whoever linked it wants this content. The payloads that are
// staged come along. A count that the system cannot tell is taken for a link,
// once for each opening. Called under io.
func (f *File) breakLinks() error {
	h, err := f.acquire()
	if err != nil {
		return f.fail("count links", -1, -1, "", err)
	}
	info, err := h.file.Stat()
	h.release() //nolint:errcheck // read only here
	if err != nil {
		return f.fail("count links", -1, -1, "", err)
	}
	if info.Links == 0 && f.ident.Links > 0 {
		// Somebody has removed or replaced our path: what we would write is
		// in a file that nobody can open again.
		return f.fail("count links", -1, -1, "", ErrReplaced)
	}
	if info.Links == 1 || info.Links == 0 && !f.linkUnknown {
		return nil
	}
	temporary := f.temporary(filepath.Base(f.path))
	file, err := f.cloneTo(temporary)
	if err == nil {
		err = f.replaceBy(temporary, file)
	}
	if err != nil {
		f.fs.Remove(temporary) //nolint:errcheck // a leftover .strata- file is harmless and Check reports it
		return f.fail("clone linked file", -1, -1, "", err)
	}
	f.linkUnknown = false
	f.m.linkBreaks.Add(1)
	f.note(LinkBroken, nil)
	return nil
}

// cloneTo makes a flushed copy of the open file, and opens it.
func (f *File) cloneTo(temporary string) (vfs.File, error) {
	if err := f.samePath(); err != nil {
		return nil, err
	}
	f.fs.Remove(temporary) //nolint:errcheck // usually absent; a leftover of ours from a crash
	if _, err := vfs.CopyFile(f.fs, temporary, f.path); err != nil {
		return nil, err
	}
	file, err := f.fs.OpenFile(temporary, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	if err := file.Sync(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// samePath checks that our path still leads to the file we have open, and is
// no symbolic link, which a rename would replace.
func (f *File) samePath() error {
	link, err := f.fs.Lstat(f.path)
	if err != nil {
		return err
	}
	if link.Mode&fs.ModeSymlink != 0 {
		return vfs.ErrSymlink
	}
	if f.ident.Inode != 0 && link.Inode != 0 && !vfs.SameFile(f.ident, link) {
		return ErrReplaced
	}
	return nil
}

// replaceBy renames temporary, which is open as file, over our path, makes
// that durable and goes on with it. Where a file that is open cannot be
// replaced, readers wait while ours is closed.
func (f *File) replaceBy(temporary string, file vfs.File) error {
	err := f.fs.Rename(temporary, f.path)
	if errors.Is(err, vfs.ErrInUse) {
		file.Close() //nolint:errcheck // flushed, and opened again
		return f.replaceClosed(temporary)
	}
	if err != nil {
		return errors.Join(err, file.Close())
	}
	f.ident, err = file.Stat() // without an identity the checks against replacement are off
	f.swapHandle(file)
	return errors.Join(err, f.syncDir())
}

// replaceClosed is replaceBy for systems that refuse to replace open files.
func (f *File) replaceClosed(temporary string) error {
	f.beginSwap()
	defer f.endSwap()
	f.handle.Swap(nil).drain()
	renamed := f.fs.Rename(temporary, f.path)
	file, err := f.fs.OpenFile(f.path, os.O_RDWR, 0)
	if err != nil {
		f.lose()
		f.dirUnsynced = true
		return errors.Join(renamed, err)
	}
	f.handle.Store(newHandle(file))
	if renamed != nil {
		return renamed
	}
	if f.ident, err = file.Stat(); err != nil {
		f.dirUnsynced = true
		return err
	}
	return f.syncDir()
}
