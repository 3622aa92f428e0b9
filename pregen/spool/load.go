package spool

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"strata/region"
	"strata/region/vfs"
)

// load reads the index of a file that is there.
func (s *Spool) load() error {
	f, err := s.open(0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	err = s.scan(f)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

func (s *Spool) scan(f vfs.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Size > MaxFile {
		return fmt.Errorf("%d bytes: %w", info.Size, ErrTooLarge)
	}
	var begin [headBytes]byte
	if n, err := f.ReadAt(begin[:], 0); err != nil && (err != io.EOF || n == headBytes) {
		return err
	}
	switch {
	case bytes.Equal(begin[:], fileHead(s.run, s.pos)):
	case isFileHead(begin[:]):
		return ErrOtherRun
	default:
		// Torn before the first flush was through: nothing in it was durable.
		return s.cut(f, info.Size, 0)
	}
	r := &reader{f: f, at: headBytes, end: info.Size}
	valid := r.at // the end of the last whole group
	var group []func()
	var slot region.Slot
	for {
		h, _, ok, err := r.next()
		if err != nil {
			return err
		}
		if !ok || len(group) > 0 && h.slot != slot || len(group) == int(kinds) {
			break
		}
		slot = h.slot
		at := r.at - int64(h.length)
		group = append(group, func() { s.note(h, at) })
		if h.kind == Chunk || h.kind == Settled {
			for _, note := range group {
				note()
			}
			group, valid = group[:0], r.at
		}
	}
	s.end = valid
	return s.cut(f, info.Size, valid)
}

// cut ends the file at a place, and makes that and the name durable: another
// process may have been killed between writing and flushing it.
func (s *Spool) cut(f vfs.File, size, at int64) error {
	if size > at {
		if err := f.Truncate(at); err != nil {
			return err
		}
	}
	if err := f.Sync(); err != nil {
		return err
	}
	s.durable = at
	return s.nameDurable()
}

// reader reads records one by one.
type reader struct {
	f   io.ReaderAt
	at  int64
	end int64
	buf []byte
}

// next returns a record, whose payload is good until the next call; ok is
// false at the end and where the file cannot be read as records any more.
func (r *reader) next() (h head, payload []byte, ok bool, err error) {
	if r.end-r.at < recordBytes {
		return h, nil, false, nil
	}
	var b [recordBytes]byte
	if _, err := r.f.ReadAt(b[:], r.at); err != nil {
		return h, nil, false, unexpected(err)
	}
	h, ok = parseHead(b[:])
	if !ok || int64(h.length) > r.end-r.at-recordBytes {
		return h, nil, false, nil
	}
	if cap(r.buf) < int(h.length) {
		r.buf = make([]byte, int(h.length)+int(h.length)/4)
	}
	payload = r.buf[:h.length]
	if _, err := r.f.ReadAt(payload, r.at+recordBytes); err != nil && (err != io.EOF || h.length == 0) {
		return h, nil, false, unexpected(err)
	}
	if checksum(b[:16], payload) != h.sum {
		return h, nil, false, nil
	}
	r.at += recordBytes + int64(h.length)
	return h, payload, true, nil
}

// unexpected is the error of a file that became shorter while it was read.
func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// View reads the records of a spool that is flushed and gets no more.
type View struct {
	s   *Spool
	f   vfs.File
	buf []byte
}

// View opens the spool for reading. Everything must have been flushed.
func (s *Spool) View() (*View, error) {
	if _, pending := s.Pending(); pending > 0 {
		panic("spool: read before it was flushed")
	}
	v := &View{s: s}
	f, err := s.fs.OpenFile(s.path, os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return v, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", s.path, err)
	}
	v.f = f
	return v, nil
}

// Close ends reading.
func (v *View) Close() error {
	if v.f == nil {
		return nil
	}
	return v.f.Close()
}

// Read returns a record, whose payload is good until the next call. The error
// wraps ErrAbsent or ErrDamaged.
func (v *View) Read(slot region.Slot, k Kind) (Record, error) {
	v.s.mu.Lock()
	p, ok := v.s.index[key{slot, k}]
	v.s.mu.Unlock()
	if !ok {
		return Record{}, ErrAbsent
	}
	if v.f == nil {
		return Record{}, fmt.Errorf("read %s: %w", v.s.path, fs.ErrNotExist)
	}
	r := &reader{f: v.f, at: p.at - recordBytes, end: p.at + int64(p.length), buf: v.buf}
	h, payload, ok, err := r.next()
	v.buf = r.buf
	if err != nil {
		return Record{}, fmt.Errorf("read %s: %w", v.s.path, err)
	}
	if !ok || h.slot != slot || h.kind != k || h.sum != p.sum {
		return Record{}, fmt.Errorf("read %s at %d: %w", v.s.path, p.at, ErrDamaged)
	}
	return Record{k, slot, h.scheme, payload, h.base}, nil
}
