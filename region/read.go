package region

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"

	"strata/region/codec"
	"strata/region/vfs"
)

// Record is one chunk as it is stored.
type Record struct {
	Scheme   codec.Scheme // as the record names it, known to us or not
	Data     []byte       // the stream, still compressed
	External bool         // the stream is in a .mcc file
	Entry    Entry        // the header entry it was read by

	buf []byte
}

// Buffer is the memory that Data lies in, whole, to be given to the next Read
// once Data is no longer used.
func (r *Record) Buffer() []byte { return r.buf }

// Read returns slot s's record. Its Data is in buf if buf has the capacity,
// else in new memory; buf may be nil. ErrAbsent for an empty slot; every other error
// means that something is there and could not be read, with its Class.
//
// Read does not wait for writers. It sees the last published version, or for
// an external chunk perhaps the body of a group that is being published.
func (f *File) Read(s Slot, buf []byte) (Record, error) {
	for {
		gen := f.gen.Load()
		if gen&1 == 1 {
			f.swap.RLock()   // until the exchange is over
			f.swap.RUnlock() //nolint:staticcheck // the empty section is the wait
			continue
		}
		version := f.version[s].Load()
		e := f.Entry(s)
		h, err := f.acquire()
		if err != nil {
			if f.gen.Load() != gen {
				continue // an exchange had taken the handle away
			}
			return Record{}, f.fail("read", int(s), -1, "", err)
		}
		rec, err := f.readEntry(h.file, e, s, buf)
		h.release() //nolint:errcheck // a reader has nothing to flush
		if f.version[s].Load() == version && f.gen.Load() == gen {
			f.m.reads.Add(1)
			return rec, err
		}
		f.m.retries.Add(1)
	}
}

// Decode reads slot s and appends its decompressed bytes to dst. buf is as in
// Read and may be overwritten. The errors are Read's, and BadStream or
// UnknownScheme with the codec's error beside it.
func (f *File) Decode(s Slot, dec *codec.Decoder, buf, dst []byte) ([]byte, Record, error) {
	for {
		version := f.version[s].Load()
		rec, err := f.Read(s, buf)
		if err != nil {
			return dst, rec, err
		}
		out, err := rec.AppendDecoded(dec, dst, f.opts.MaxStream)
		if err == nil && f.version[s].Load() == version {
			f.learn(s, version, kindOf(rec.Scheme, rec.External))
		}
		// An external body is replaced before its stub is published, so a
		// failure counts only if the slot is still the same.
		if err != nil && f.version[s].Load() != version {
			continue
		}
		if err != nil {
			err = f.fail("decode", int(s), -1, streamClass(err), err)
		}
		return out, rec, err
	}
}

// AppendDecoded appends the record's decompressed bytes to dst, at most limit
// of them (0: the codec's default). An external body that the named scheme
// does not decode is tried with the other ones: after a crash a stub may name
// the scheme of the body before. The error is the named scheme's.
func (r *Record) AppendDecoded(dec *codec.Decoder, dst []byte, limit int) ([]byte, error) {
	out, err := dec.Append(dst, r.Scheme, r.Data, limit)
	if err == nil || !r.External {
		return out, err
	}
	for _, s := range []codec.Scheme{codec.Zlib, codec.Gzip, codec.LZ4} {
		if s == r.Scheme {
			continue
		}
		if out, other := dec.Append(dst, s, r.Data, limit); other == nil {
			return out, nil
		}
	}
	return dst, err
}

func streamClass(err error) Class {
	switch {
	case errors.Is(err, codec.ErrUnknownScheme):
		return UnknownScheme
	case errors.Is(err, codec.ErrLimit):
		return TooLarge
	}
	return BadStream
}

// readEntry reads the record that e names. Nothing is believed about the
// header: every size is checked against the file before memory is taken.
func (f *File) readEntry(r vfs.File, e Entry, s Slot, buf []byte) (Record, error) {
	if e.Empty() {
		return Record{Entry: e}, f.fail("read", int(s), -1, "", ErrAbsent)
	}
	at := int64(e.Location.Sector()) * SectorBytes
	rec, external, class, err := readRecord(r, e.Location, f.opts.MaxStream, buf)
	if class != "" || err != nil {
		return Record{Entry: e}, f.fail("read", int(s), at, class, err)
	}
	rec.Entry = e
	if external {
		return f.readExternal(rec, s, buf)
	}
	return rec, nil
}

// readRecord reads the record at a location that is not empty. class or err
// says why it cannot. external reports a stub.
func readRecord(r io.ReaderAt, l Location, maxStream int, buf []byte) (rec Record, external bool, class Class, err error) {
	switch {
	case l.Sector() < HeaderSectors:
		return rec, false, InHeader, nil
	case l.Count() == 0:
		return rec, false, ZeroCount, nil
	}
	at := int64(l.Sector()) * SectorBytes
	room := int(l.Count()) * SectorBytes
	buf = grow(buf, room)
	n, err := readFull(r, buf, at)
	if err != nil {
		return rec, false, IOError, err
	}
	if n == 0 {
		return rec, false, OutOfRange, nil
	}
	if n < RecordHeaderBytes {
		return rec, false, Truncated, nil
	}
	length := int64(recordLength(buf))
	if length < 1 || 4+length > int64(room) && l.Count() != countByLength {
		return rec, false, BadLength, nil
	}
	if length-1 > int64(maxStream) {
		return rec, false, TooLarge, nil
	}
	if 4+length > int64(n) {
		if n < room {
			return rec, false, Truncated, nil
		}
		if buf, class, err = readRest(r, buf, at, 4+length); class != "" {
			return rec, false, class, err
		}
	}
	typ := buf[4]
	rec.Scheme = codec.Scheme(typ &^ externalFlag)
	rec.External = typ&externalFlag != 0
	rec.Data, rec.buf = buf[RecordHeaderBytes:4+length], buf
	return rec, rec.External, "", nil
}

// readRest reads the rest of a record of size bytes, of which buf holds the
// first 255 sectors. The file is asked before memory is taken.
func readRest(r io.ReaderAt, buf []byte, at, size int64) ([]byte, Class, error) {
	var last [1]byte
	if n, err := readFull(r, last[:], at+size-1); err != nil {
		return nil, IOError, err
	} else if n == 0 {
		return nil, Truncated, nil
	}
	have := len(buf)
	whole := append(make([]byte, 0, size), buf...)[:size]
	n, err := readFull(r, whole[have:], at+int64(have))
	if err != nil {
		return nil, IOError, err
	}
	if int64(n) < size-int64(have) {
		return nil, Truncated, nil
	}
	return whole, "", nil
}

func recordLength(b []byte) int32 { return int32(binary.BigEndian.Uint32(b)) }

// grow returns n bytes, in buf if they fit.
func grow(buf []byte, n int) []byte {
	if cap(buf) >= n {
		return buf[:n]
	}
	return make([]byte, n)
}

func (f *File) readExternal(stub Record, s Slot, buf []byte) (Record, error) {
	if !f.named {
		return stub, f.fail("read external", int(s), -1, ExternalMissing, ErrNoPosition)
	}
	path := externalPath(f.path, f.pos.Chunk(s))
	body, err := f.fs.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		class := IOError
		if errors.Is(err, fs.ErrNotExist) {
			class = ExternalMissing
		}
		return stub, f.fail("read external", int(s), -1, class, err)
	}
	defer body.Close()
	data, class, err := readBody(body, f.opts.MaxStream, buf)
	if class != "" {
		return stub, &Error{Op: "read external", Path: path, Chunk: f.pos.Chunk(s), Slot: int(s), Offset: -1, Class: class, Err: err}
	}
	stub.Data, stub.buf = data, data
	return stub, nil
}

func readBody(body vfs.File, maxStream int, buf []byte) ([]byte, Class, error) {
	info, err := body.Stat()
	if err != nil {
		return nil, IOError, err
	}
	if info.Size > int64(maxStream) {
		return nil, TooLarge, nil
	}
	buf = grow(buf, int(info.Size))
	n, err := readFull(body, buf, 0)
	if err != nil {
		return nil, IOError, err
	}
	return buf[:n], "", nil
}
