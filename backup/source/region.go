package source

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

// maxStream is the longest stream that is read.
const maxStream = region.DefaultMaxStream

// Region is a region file that is being read.
type Region struct {
	Header region.Header
	// Size is that of the file.
	Size int64

	w    *World
	f    File
	file vfs.File
	buf  []byte
	last region.Header
}

// Record is what a slot holds.
type Record struct {
	Slot  region.Slot
	Entry region.Entry
	// Content is the scheme and the stream: the bytes that name the record. nil
	// if there is none to be had, and Err says why.
	Content []byte
	// InFile is how many bytes of its sectors the record takes, its length
	// included.
	InFile int64
	// External: the stream is in a file of its own.
	External bool
	// Odd: there is more to the record than Content tells, such as a stub with a
	// stream.
	Odd bool
	Err error
}

// OpenRegion opens a region file, of which the header is read. A file that is
// shorter than one is an error that wraps ErrShort.
func (w *World) OpenRegion(f File) (*Region, error) {
	file, err := w.fs.OpenFile(f.Abs, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	r := &Region{w: w, f: f, file: file}
	if err := r.begin(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return r, nil
}

// ErrShort says that a file is too short for a region file.
var ErrShort = errors.New("shorter than a header")

func (r *Region) begin() error {
	info, err := r.file.Stat()
	if err != nil {
		return err
	}
	if r.Size = info.Size; r.Size < region.HeaderBytes {
		return ErrShort
	}
	return r.readHeader(&r.Header)
}

// readHeader reads the header, if somebody may write until it is the same twice.
func (r *Region) readHeader(h *region.Header) error {
	if err := r.headerOnce(h); err != nil || !r.w.Moves() {
		return err
	}
	for range 100 {
		if err := r.headerOnce(&r.last); err != nil {
			return err
		}
		if r.last == *h {
			return nil
		}
		*h = r.last
	}
	return nil // entries are compared one by one after the read
}

func (r *Region) headerOnce(h *region.Header) error {
	n, err := r.file.ReadAt(h[:], 0)
	if n < len(h) {
		if err == nil || errors.Is(err, io.EOF) {
			err = ErrShort
		}
		return err
	}
	return nil
}

// Close closes the file.
func (r *Region) Close() error { return r.file.Close() }

// extent is the part of the file that an entry names.
type extent struct {
	slot   region.Slot
	at, to int64 // to is not behind the end of the file
}

const (
	batchBytes = 1 << 20  // read at once
	gapBytes   = 64 << 10 // skipping more than that is worth another read
)

// read calls visit with what the slots hold, in the order of their sectors, by the
// entries of h. Contents hold until the next call.
func (r *Region) read(h *region.Header, slots []region.Slot, visit func(*Record) error) error {
	var extents []extent
	for _, s := range slots {
		l := h.Location(s)
		if l == 0 {
			continue
		}
		at := int64(l.Sector()) * region.SectorBytes
		extents = append(extents, extent{s, at, min(r.Size, at+int64(l.Count())*region.SectorBytes)})
	}
	slices.SortFunc(extents, func(a, b extent) int {
		if a.at != b.at {
			return int(min(1, max(-1, a.at-b.at)))
		}
		return int(a.slot) - int(b.slot)
	})
	for len(extents) > 0 {
		n, end := 1, extents[0].to
		for n < len(extents) && extents[n].at-end <= gapBytes && max(end, extents[n].to)-extents[0].at <= batchBytes {
			end = max(end, extents[n].to)
			n++
		}
		if err := r.batch(h, extents[:n], end, visit); err != nil {
			return err
		}
		extents = extents[n:]
	}
	return nil
}

// batch reads extents that lie together up to end.
func (r *Region) batch(h *region.Header, extents []extent, end int64, visit func(*Record) error) error {
	from := extents[0].at
	size := max(0, end-from)
	if int64(cap(r.buf)) < size {
		r.buf = make([]byte, max(size, batchBytes))
	}
	buf := r.buf[:size]
	n, err := r.file.ReadAt(buf, from)
	if size > 0 && n < len(buf) && err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	buf = buf[:n]
	for _, x := range extents {
		rec := &Record{Slot: x.slot, Entry: h.Entry(x.slot)}
		lo := min(int64(len(buf)), x.at-from)
		hi := min(int64(len(buf)), max(lo, x.to-from))
		if err := r.parse(rec, buf[lo:hi]); err != nil {
			return err
		}
		if err := visit(rec); err != nil {
			return err
		}
	}
	return nil
}

// longCount is the count that may stand for a longer record.
const longCount = 255

// parse reads a record from the bytes of its sectors, as package region does.
func (r *Region) parse(rec *Record, b []byte) error {
	l := rec.Entry.Location
	room := int64(l.Count()) * region.SectorBytes
	switch {
	case l.Sector() < region.HeaderSectors:
		rec.Err = region.InHeader
	case l.Count() == 0:
		rec.Err = region.ZeroCount
	case len(b) == 0:
		rec.Err = region.OutOfRange
	case len(b) < region.RecordHeaderBytes:
		rec.Err = region.Truncated
	}
	if rec.Err != nil {
		return nil //nolint:nilerr // the record says what is wrong
	}
	length := int64(int32(binary.BigEndian.Uint32(b)))
	switch {
	case length < 1 || 4+length > room && l.Count() != longCount:
		rec.Err = region.BadLength
		return nil
	case length-1 > maxStream:
		rec.Err = region.TooLarge
		return nil
	case 4+length > int64(len(b)):
		if int64(len(b)) < room || int64(l.Sector())*region.SectorBytes+4+length > r.Size {
			rec.Err = region.Truncated
			return nil
		}
		var err error
		if b, err = r.long(l, 4+length); err != nil || b == nil {
			rec.Err = region.Truncated
			return err
		}
	}
	rec.InFile = 4 + length
	rec.Content = b[4 : 4+length]
	if rec.Content[0]&externalFlag != 0 {
		return r.external(rec)
	}
	return nil
}

// long reads a record of more sectors than a location counts; nil if the file ends
// in it.
func (r *Region) long(l region.Location, n int64) ([]byte, error) {
	b := make([]byte, n)
	m, err := r.file.ReadAt(b, int64(l.Sector())*region.SectorBytes)
	if int64(m) == n {
		return b, nil
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return nil, err
}

const externalFlag = 0x80

// external reads the stream of a stub.
func (r *Region) external(rec *Record) error {
	rec.External, rec.Odd = true, len(rec.Content) > 1
	scheme := rec.Content[0] &^ externalFlag
	rec.Content = nil
	name := filepath.Join(filepath.Dir(r.f.Abs), r.f.Pos.Chunk(rec.Slot).ExternalName())
	body, err := vfs.ReadFile(r.w.fs, name, maxStream)
	if err != nil {
		rec.Err = fmt.Errorf("%w: %w", region.ExternalMissing, err)
		return nil
	}
	rec.Content = append([]byte{scheme}, body...)
	return nil
}

// ReadRaw fills b from a place of the file; what lies behind its end is zero.
func (r *Region) ReadRaw(b []byte, at int64) error {
	n, err := r.file.ReadAt(b, at)
	if n < len(b) {
		clear(b[n:])
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return err
	}
	return nil
}

// Scheme is that of a content.
func Scheme(content []byte) codec.Scheme { return codec.Scheme(content[0]) }
