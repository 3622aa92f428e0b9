package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/cespare/xxhash/v2"

	"strata/region/vfs"
)

// headBytes is the unit that a device writes whole or not at all.
const headBytes = 512

// preallocated is what the journal takes while a world is open.
const preallocated = 4 << 20

const magic = "strataJ1"

// States of the journal that its head tells.
const (
	headRetired uint32 = 1
	headCounts  uint32 = 2
)

// head is the first sector.
type head struct {
	state    uint32
	length   uint32 // of the body
	sequence uint64
	opening  uint64 // random, tells openings apart
	sum      uint64 // of head and body
}

// append appends the head of body, with its checksums.
func (h *head) append(b, body []byte) []byte {
	from := len(b)
	b = append(b, magic...)
	b = binary.LittleEndian.AppendUint32(b, h.state)
	b = binary.LittleEndian.AppendUint32(b, h.length)
	b = binary.LittleEndian.AppendUint64(b, h.sequence)
	b = binary.LittleEndian.AppendUint64(b, h.opening)
	h.sum = sumOf(b[from:], body)
	b = binary.LittleEndian.AppendUint64(b, h.sum)
	b = binary.LittleEndian.AppendUint64(b, xxhash.Sum64(b[from:]))
	return append(b, make([]byte, headBytes-(len(b)-from))...)
}

func sumOf(fields, body []byte) uint64 {
	d := xxhash.New()
	d.Write(fields) //nolint:errcheck // a hash takes everything
	d.Write(body)   //nolint:errcheck // as above
	return d.Sum64()
}

const (
	headFields = len(magic) + 2*4 + 2*8
	headUsed   = headFields + 2*8
)

// parseHead reads the first sector. ok is false if it is none of ours.
func parseHead(b []byte) (h head, ok bool) {
	le := binary.LittleEndian
	if len(b) < headBytes || string(b[:len(magic)]) != magic ||
		le.Uint64(b[headUsed-8:]) != xxhash.Sum64(b[:headUsed-8]) {
		return h, false
	}
	f := b[len(magic):]
	h = head{le.Uint32(f), le.Uint32(f[4:]), le.Uint64(f[8:]), le.Uint64(f[16:]), le.Uint64(f[24:])}
	if h.state != headRetired && h.state != headCounts || h.length > MaxRecord-headBytes {
		return h, false
	}
	return h, isZero(b[headUsed:headBytes])
}

func isZero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

// content is what a journal file holds.
type content struct {
	head   head
	rec    *record // the one that counts, or nil
	raw    []byte  // its bytes, head and body
	torn   bool    // a record that counts would be here, but is not whole
	reason error   // what is here is no journal of ours: errDamaged
}

// readContent reads a journal file. The error is the file system's.
func readContent(f io.ReaderAt, size int64, main string) (c content, err error) {
	first := make([]byte, headBytes)
	n, err := readFull(f, first, 0)
	if err != nil {
		return c, err
	}
	if isZero(first[:n]) {
		return c, nil
	}
	var ok bool
	if c.head, ok = parseHead(first[:n]); !ok {
		c.reason = fmt.Errorf("%w: the head is not one of ours", errDamaged)
		return c, nil
	}
	if c.head.state == headRetired {
		return c, nil
	}
	if c.torn = int64(c.head.length) > size-headBytes; c.torn {
		return c, nil
	}
	c.raw = make([]byte, headBytes+int(c.head.length))
	if n, err = readFull(f, c.raw, 0); err != nil {
		return c, err
	}
	body := c.raw[headBytes:]
	if c.torn = n < len(c.raw) || sumOf(first[:headFields], body) != c.head.sum; c.torn {
		return c, nil
	}
	// A whole record that cannot be parsed was not torn.
	c.rec, c.reason = parse(body, main)
	return c, nil
}

// readFull reads as much of b as there is at off.
func readFull(r io.ReaderAt, b []byte, off int64) (n int, err error) {
	n, err = r.ReadAt(b, off)
	if n == len(b) || err == io.EOF {
		err = nil
	}
	return n, err
}

// file is the journal file, open for writing and locked.
type file struct {
	fs   vfs.FS
	path string
	f    vfs.File
	size int64 // reserved or written
}

func openFile(fsys vfs.FS, path string) (*file, error) {
	f, err := fsys.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	switch {
	case errors.Is(err, vfs.ErrLocked):
		err = ErrInUse
	case errors.Is(err, vfs.ErrSymlink):
		err = ErrSymlink
	}
	if err != nil {
		return nil, err
	}
	if err := lock(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &file{fs: fsys, path: path, f: f, size: info.Size}, nil
}

// lock keeps a second opener out that came past the session lock. Where there
// are no locks the session lock has to do.
func lock(f vfs.File) error {
	err := f.Lock(true)
	switch {
	case errors.Is(err, vfs.ErrUnsupported):
		return nil
	case errors.Is(err, vfs.ErrLocked):
		return ErrInUse
	}
	return err
}

// reserve makes room for n bytes, so that a record that fits does not meet a
// full disk.
func (f *file) reserve(n int64) error {
	n = max(preallocated, (n+growth-1)/growth*growth)
	if n <= f.size {
		return nil
	}
	err := f.f.Preallocate(0, n)
	if errors.Is(err, vfs.ErrUnsupported) {
		return nil // the write will tell
	}
	if err == nil {
		f.size = n
	}
	return err
}

// growth is the step in which the journal grows beyond what is preallocated.
const growth = 1 << 20

// write writes b at the start and flushes it.
func (f *file) write(b []byte) error {
	if _, err := f.f.WriteAt(b, 0); err != nil {
		return err
	}
	f.size = max(f.size, int64(len(b)))
	return f.f.Sync()
}

// reopen takes a new handle, as is needed after a failed flush: the old one
// has reported the error once and would not again.
func (f *file) reopen() error {
	old := f.f
	if err := old.Unlock(); err != nil && !errors.Is(err, vfs.ErrUnsupported) {
		return err
	}
	next, err := f.fs.OpenFile(f.path, os.O_RDWR, 0)
	if err == nil {
		if err = lock(next); err != nil {
			next.Close() //nolint:errcheck // nothing was written through it
		}
	}
	if err != nil {
		return errors.Join(err, lock(old))
	}
	f.f = next
	old.Close() //nolint:errcheck // what was written through it is written again
	return nil
}

// writeTwice writes b, once more through a reopened file if that fails. A
// write that failed may have left a part of b in the cache, from where it can
// reach the disk, so it leaves the same doubt as a failed flush.
func (f *file) writeTwice(b []byte) error {
	err := f.write(b)
	if err == nil {
		return nil
	}
	if again := f.reopen(); again != nil {
		return errors.Join(ErrFlush, err, again)
	}
	if again := f.write(b); again != nil {
		return errors.Join(ErrFlush, err, again)
	}
	return nil
}

// retire writes a head that says that no record counts, and flushes it.
func (f *file) retire(sequence, opening uint64) error {
	h := head{state: headRetired, sequence: sequence, opening: opening}
	return f.writeTwice(h.append(nil, nil))
}
