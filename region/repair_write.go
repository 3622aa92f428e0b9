package region

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/cespare/xxhash/v2"

	"strata/region/vfs"
)

// overlay is the repaired file before it is written: the old file with
// another header and with records added. It can be checked like a file.
type overlay struct {
	vfs.File
	header Header
	added  []addition
	size   int64
}

// addition is a record that the repaired file has and the old one has not at
// this place: a copy of an old one with another type byte, or a stub.
type addition struct {
	place extent
	from  int64 // byte of the old file where the stream is
	bytes int   // of the stream, 0 for a stub
	typ   byte
}

// changed reports whether the result differs from the old file.
func (o *overlay) changed(old *Header, size int64) bool {
	return o.header != *old || len(o.added) > 0 || o.size != size
}

func (o *overlay) Stat() (vfs.FileInfo, error) {
	info, err := o.File.Stat()
	info.Size = o.size
	return info, err
}

// ReadAt reads the repaired file.
func (o *overlay) ReadAt(b []byte, off int64) (int, error) {
	n := int(min(int64(len(b)), max(o.size-off, 0)))
	got, err := readFull(o.File, b[:n], off)
	if err != nil {
		return 0, err
	}
	clear(b[got:n])
	patch(b[:n], off, 0, o.header[:])
	for i := range o.added {
		if err := o.added[i].patch(o.File, b[:n], off); err != nil {
			return 0, err
		}
	}
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

// patch puts data, which belongs at byte at, into b, which begins at off.
func patch(b []byte, off, at int64, data []byte) {
	if skip := off - at; skip > 0 {
		data = data[min(skip, int64(len(data))):]
		at = off
	}
	if at-off < int64(len(b)) {
		copy(b[at-off:], data)
	}
}

func (a *addition) patch(old io.ReaderAt, b []byte, off int64) error {
	at, n := int64(a.place.start)*SectorBytes, int64(a.place.n)*SectorBytes
	if at+n <= off || at >= off+int64(len(b)) {
		return nil
	}
	from, to := max(at, off), min(at+n, off+int64(len(b)))
	clear(b[from-off : to-off])
	stream := at + RecordHeaderBytes
	from, to = max(from, stream), min(to, stream+int64(a.bytes))
	if from < to {
		if got, err := readFull(old, b[from-off:to-off], a.from+from-stream); err != nil {
			return err
		} else if int64(got) < to-from {
			return io.ErrUnexpectedEOF
		}
	}
	patch(b, off, at, a.head())
	return nil
}

func (a *addition) head() []byte {
	n := a.bytes + 1
	return []byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n), a.typ}
}

// keptInfix stands between a region file's name and the digest of the
// content in the names of raw copies.
const keptInfix = ".strata-kept-"

// keepRaw makes the raw copy, or finds one of the same content, and returns
// its path. In a dry run it only names it.
func (r *repairer) keepRaw(file vfs.File) (string, error) {
	fsys, base := r.opts.FS, filepath.Base(r.path)
	sum, err := digest(file)
	if err != nil {
		return "", err
	}
	kept := filepath.Join(r.opts.KeepDir, fmt.Sprintf("%s%s%016x", base, keptInfix, sum))
	if r.opts.DryRun {
		return kept, nil
	}
	if err := vfs.MkdirAllSync(fsys, r.opts.KeepDir, 0o755); err != nil {
		return "", err
	}
	if old, err := fsys.OpenFile(kept, os.O_RDONLY, 0); err == nil {
		there, err := digest(old)
		if err := errors.Join(err, old.Close()); err == nil && there == sum {
			return kept, fsys.SyncDir(r.opts.KeepDir)
		}
	}
	temporary := filepath.Join(r.opts.KeepDir, TemporaryPrefix+base+".kept")
	if err := r.copyTo(temporary, func(f vfs.File) error {
		// What counts is the copy, so it is the copy that is read again.
		if copied, err := digest(f); err != nil || copied != sum {
			return errors.Join(errors.New("the copy differs from the file"), err)
		}
		return nil
	}); err != nil {
		return "", err
	}
	if err := fsys.Rename(temporary, kept); err != nil {
		return "", errors.Join(err, fsys.Remove(temporary))
	}
	return kept, fsys.SyncDir(r.opts.KeepDir)
}

// copyTo copies the region file, lets change work on the copy, and flushes.
func (r *repairer) copyTo(name string, change func(vfs.File) error) error {
	fsys := r.opts.FS
	if err := fsys.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err // the leftover of a crash
	}
	if _, err := vfs.CopyFile(fsys, name, r.path); err != nil {
		return err
	}
	f, err := fsys.OpenFile(name, os.O_RDWR, 0)
	if err == nil {
		if err = change(f); err == nil {
			err = f.Sync()
		}
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return errors.Join(err, fsys.Remove(name))
	}
	return nil
}

// write makes the repaired file and renames it over the old one.
func (r *repairer) write(result *overlay) error {
	temporary := filepath.Join(filepath.Dir(r.path), TemporaryPrefix+filepath.Base(r.path)+".repair")
	if err := r.copyTo(temporary, result.apply); err != nil {
		return err
	}
	// Some systems do not replace a file that is open.
	if err := r.close(); err != nil {
		return errors.Join(err, r.opts.FS.Remove(temporary))
	}
	if err := r.opts.FS.Rename(temporary, r.path); err != nil {
		return errors.Join(err, r.opts.FS.Remove(temporary))
	}
	return r.opts.FS.SyncDir(filepath.Dir(r.path))
}

// apply writes what the overlay changes into a copy of the old file.
func (o *overlay) apply(f vfs.File) error {
	if _, err := f.WriteAt(o.header[:], 0); err != nil {
		return err
	}
	var buf []byte
	for _, a := range o.added {
		buf = grow(buf, int(min(scanWindow, a.place.n))*SectorBytes)
		at, end := int64(a.place.start)*SectorBytes, int64(a.place.end())*SectorBytes
		for at < end {
			buf = buf[:min(int64(len(buf)), end-at)]
			if _, err := o.ReadAt(buf, at); err != nil {
				return err
			}
			if _, err := f.WriteAt(buf, at); err != nil {
				return err
			}
			at += int64(len(buf))
		}
	}
	return nil
}

// digest is the XXH64 of a file's content.
func digest(f vfs.File) (uint64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	h, buf := xxhash.New(), make([]byte, min(scanWindow*SectorBytes, info.Size+1))
	for off := int64(0); ; {
		n, err := readFull(f, buf, off)
		if err != nil {
			return 0, err
		}
		h.Write(buf[:n]) //nolint:errcheck // a hash does not fail
		if off += int64(n); n < len(buf) {
			return h.Sum64(), nil
		}
	}
}

// cleanFolder removes what the options ask for. after is the check of the
// region file as it is now.
func (r *repairer) cleanFolder(after *Report) error {
	if !r.opts.RemoveOrphans && !r.opts.RemoveLeftovers {
		return nil
	}
	dir := filepath.Dir(r.path)
	entries, err := r.opts.FS.ReadDir(dir)
	if err != nil {
		return err
	}
	removed := false
	for _, e := range entries {
		a := r.removal(e.Name(), after)
		if a == nil || e.IsDir() {
			continue
		}
		a.Path = filepath.Join(dir, e.Name())
		r.report.Actions = append(r.report.Actions, *a)
		if r.opts.DryRun {
			continue
		}
		if err := r.opts.FS.Remove(a.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		removed = true
	}
	if removed {
		return r.opts.FS.SyncDir(dir)
	}
	return nil
}

// removal is the action that removes a file of the folder, nil to leave it.
func (r *repairer) removal(name string, after *Report) *Action {
	if r.opts.RemoveLeftovers && isLeftover(name) && !strings.Contains(name, keptInfix) {
		return &Action{Kind: RemoveLeftover, Slot: -1, Reason: "temporary file"}
	}
	c, ok := ParseExternalName(name)
	if r.opts.RemoveOrphans && ok && after.Named && c.Region() == after.Pos && !after.MayBeStub(c.Slot()) {
		return &Action{Kind: RemoveOrphan, Slot: -1, Chunk: c, Reason: "no stub stands for it"}
	}
	return nil
}
