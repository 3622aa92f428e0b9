package spool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

// Ending of the names of spools.
const Ending = ".spool"

// Name is the base name of a region's spool.
func Name(p region.Pos) string { return strings.TrimSuffix(p.Name(), ".mca") + Ending }

// ParseName reads the region of a spool's base name.
func ParseName(name string) (region.Pos, bool) {
	base, ok := strings.CutSuffix(name, Ending)
	if !ok {
		return region.Pos{}, false
	}
	return region.ParseName(base + ".mca")
}

// Spool is the finished chunks of one region.
type Spool struct {
	fs   vfs.FS
	path string
	run  uint64
	pos  region.Pos

	flush sync.Mutex // held by whoever writes the file; guards made and durable
	made  bool       // the file's name is durable
	// durable is how many bytes of the file are.
	durable int64

	mu      sync.Mutex // guards what follows; taken after flush
	index   map[key]place
	end     int64  // of the file once pending is written
	flying  []byte // what a flush is writing, from durable on
	pending []byte // what comes behind it
	groups  int    // in pending
	chunks  int    // groups of chunks, settled ones not counted
}

type key struct {
	slot region.Slot
	kind Kind
}

// place is where a record's payload lies, in the file or, beyond durable, in
// memory.
type place struct {
	at     int64 // of the payload
	length uint32
	scheme codec.Scheme
	base   uint64
	sum    uint64
}

// Open opens the spool of a region in a folder, which must exist, and cuts off
// a torn tail. There is no file until the first flush. The error wraps
// ErrOtherRun if a spool of another run is there.
func Open(fsys vfs.FS, dir string, run uint64, p region.Pos) (*Spool, error) {
	s := &Spool{
		fs: fsys, path: filepath.Join(dir, Name(p)), run: run, pos: p,
		index: make(map[key]place), end: headBytes,
	}
	if err := s.load(); err != nil {
		return nil, fmt.Errorf("open %s: %w", s.path, err)
	}
	return s, nil
}

// Path is the file's name.
func (s *Spool) Path() string { return s.path }

// Append adds the records of one chunk, which must have its slot. The one of
// kind Chunk, or Settled, comes last. It does not keep the payloads, and does
// not wait for the disk. The error wraps ErrTooLarge.
func (s *Spool) Append(records ...Record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	size := int64(0)
	for i := range records {
		r := &records[i]
		if len(r.Data) > MaxPayload {
			return fmt.Errorf("append to %s: %d bytes: %w", s.path, len(r.Data), ErrTooLarge)
		}
		if closing := r.Kind == Chunk || r.Kind == Settled; closing != (i == len(records)-1) || r.Slot != records[0].Slot {
			panic("spool: not the records of one chunk, its own last")
		}
		size += recordBytes + int64(len(r.Data))
	}
	if s.end+size > MaxFile {
		return fmt.Errorf("append to %s: %w", s.path, ErrTooLarge)
	}
	for i := range records {
		at := len(s.pending)
		s.pending = appendRecord(s.pending, &records[i])
		h, _ := parseHead(s.pending[at:])
		s.note(h, s.end+recordBytes)
		s.end += int64(len(s.pending) - at)
	}
	s.groups++
	return nil
}

// note puts a record into the index.
func (s *Spool) note(h head, at int64) {
	if h.kind == Chunk {
		if _, again := s.index[key{h.slot, Chunk}]; !again {
			s.chunks++
		}
	}
	s.index[key{h.slot, h.kind}] = place{at, h.length, h.scheme, h.base, h.sum}
}

// Pending is how many groups wait for a flush, and the bytes that they and
// those that are being flushed take in memory.
func (s *Spool) Pending() (groups int, bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.groups, int64(len(s.pending) + len(s.flying))
}

// Size is how large the file is once everything is flushed.
func (s *Spool) Size() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.end
}

// Chunks is how many chunks there are records of.
func (s *Spool) Chunks() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.chunks
}

// Has reports whether there is a group of the slot, and whether it has a
// chunk; base is the chunk's.
func (s *Spool) Has(slot region.Slot) (done, chunk bool, base uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p, ok := s.index[key{slot, Chunk}]; ok {
		return true, true, p.base
	}
	_, done = s.index[key{slot, Settled}]
	return done, false, 0
}

// Drop forgets the records of a slot, which stay in the file: later ones
// replace them.
func (s *Spool) Drop(slot region.Slot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.index[key{slot, Chunk}]; ok {
		s.chunks--
	}
	for k := range kinds {
		delete(s.index, key{slot, k})
	}
}

// Remove removes the file, and makes that durable. The spool is not used
// afterwards.
func (s *Spool) Remove() error {
	s.flush.Lock()
	defer s.flush.Unlock()
	err := s.fs.Remove(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = s.fs.SyncDir(filepath.Dir(s.path))
	}
	if err != nil {
		return fmt.Errorf("remove %s: %w", s.path, err)
	}
	return nil
}

// open opens the file for writing.
func (s *Spool) open(flag int) (vfs.File, error) {
	return s.fs.OpenFile(s.path, os.O_RDWR|flag, 0o644)
}

// HasKind reports whether there is a record of that kind for the slot.
func (s *Spool) HasKind(slot region.Slot, k Kind) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.index[key{slot, k}]
	return ok
}
