package pack

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"strata/region/vfs"
)

// Store is a folder of packs.
type Store struct {
	fs     vfs.FS
	dir    string
	sealer Sealer

	handles handles

	mu      sync.Mutex // guards the rest
	packs   []*packFile
	waiting []*packFile // not indexed yet, the newest last
	table   table
	next    uint64 // number of the next pack
	frames  frameCache
	closed  bool
}

// packFile is a pack, open while it is read.
type packFile struct {
	name  string
	size  int64 // of the file
	index *index
	// rebuilt: the index is damaged, and was made anew from the frames.
	rebuilt bool
	err     error // it could not be indexed at all

	mu    sync.Mutex // guards the rest
	file  vfs.File
	plain plainFile
}

// Open opens the folder, which exists. Indexes are read later. With a nil sealer
// nothing is encrypted.
func Open(fsys vfs.FS, dir string, sealer Sealer) (*Store, error) {
	s := &Store{fs: fsys, dir: dir, sealer: sealer, next: 1}
	entries, err := fsys.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		n, _, ok := parseName(e.Name())
		if !ok {
			continue
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		s.next = max(s.next, n+1)
		s.waiting = append(s.waiting, &packFile{name: e.Name(), size: info.Size()})
	}
	slices.SortFunc(s.waiting, func(a, b *packFile) int { return strings.Compare(a.name, b.name) })
	return s, nil
}

const (
	suffix     = ".pack"
	hashDigits = 32
	seqDigits  = 8
)

func packName(n uint64, sum []byte) string {
	return fmt.Sprintf("%0*x-%s%s", seqDigits, n, hex.EncodeToString(sum)[:hashDigits], suffix)
}

// parseName reads a pack's number and the beginning of its hash.
func parseName(name string) (n uint64, sum string, ok bool) {
	base, ok := strings.CutSuffix(name, suffix)
	if !ok || len(base) != seqDigits+1+hashDigits || base[seqDigits] != '-' {
		return 0, "", false
	}
	n, err := strconv.ParseUint(base[:seqDigits], 16, 64)
	if _, herr := hex.DecodeString(base[seqDigits+1:]); err != nil || herr != nil {
		return 0, "", false
	}
	return n, base[seqDigits+1:], true
}

// Name and size of a pack.
type Name struct {
	Name  string
	Bytes int64
}

// Names lists the packs by their numbers.
func (s *Store) Names() []Name {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Name
	for _, p := range slices.Concat(s.packs, s.waiting) {
		if p != nil {
			all = append(all, Name{p.name, p.size})
		}
	}
	slices.SortFunc(all, func(a, b Name) int { return strings.Compare(a.Name, b.Name) })
	return all
}

func (s *Store) idOf(r ref) ID { return s.packs[r.pack].index.id(int(r.object)) }

// indexNext reads the index of the newest pack that waits for it, and reports
// whether there was one. Called under mu.
func (s *Store) indexNext() bool {
	if len(s.waiting) == 0 {
		return false
	}
	p := s.waiting[len(s.waiting)-1]
	s.waiting = s.waiting[:len(s.waiting)-1]
	p.err = s.readIndex(p)
	s.enter(p)
	return true
}

// enter takes a pack with its index in. Called under mu.
func (s *Store) enter(p *packFile) {
	s.packs = append(s.packs, p)
	if p.index == nil {
		return
	}
	for i := range p.index.objects() {
		s.table.add(ref{uint32(len(s.packs) - 1), uint32(i)}, s.idOf)
	}
}

// find calls f with each copy of an object until it returns true; indexes are
// read as far as that takes. Called under mu.
func (s *Store) find(id ID, f func(ref) bool) bool {
	if s.table.find(id, s.idOf, f) {
		return true
	}
	for s.indexNext() {
		// What was found before is asked again, which does no harm.
		last := uint32(len(s.packs) - 1)
		if s.table.find(id, s.idOf, func(r ref) bool { return r.pack == last && f(r) }) {
			return true
		}
	}
	return false
}

// Size returns how long an object is. The error wraps ErrAbsent, or ErrDamaged if
// there is none and a pack cannot be read that may have it.
func (s *Store) Size(id ID) (n int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.find(id, func(r ref) bool {
		n = int(s.packs[r.pack].index.sizes[r.object])
		return true
	})
	if !found {
		return 0, s.absent(id)
	}
	return n, nil
}

// Complete returns the ID that begins so of an object that the store has; if it has
// none, one with zeros behind the beginning.
func (s *Store) Complete(begin [PrefixBytes]byte) (id ID) {
	copy(id[:], begin[:])
	if id.IsZero() {
		return id
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	take := func(r ref) bool {
		id = s.idOf(r)
		return true
	}
	for !s.table.prefix(begin, s.idOf, take) && s.indexNext() { // until it is found or all are read
	}
	return id
}

// Has reports whether the store has an object.
func (s *Store) Has(id ID) bool {
	_, err := s.Size(id)
	return err == nil
}

// absent is why there is no such object. Called under mu, after all indexes were
// read.
func (s *Store) absent(id ID) error {
	for _, p := range s.packs {
		if p != nil && p.err != nil {
			return fmt.Errorf("object %v: %w, and %s cannot be read: %w", id, ErrAbsent, p.name, p.err)
		}
	}
	return fmt.Errorf("object %v: %w", id, ErrAbsent)
}

// Close closes the files that are open.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	var errs []error
	for _, p := range slices.Concat(s.packs, s.waiting) {
		if p != nil {
			errs = append(errs, p.close())
		}
	}
	return errors.Join(errs...)
}

// Objects counts the objects of the store, copies included, and the bytes of its
// packs.
func (s *Store) Objects() (objects, bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.indexNext() { // until all are read
	}
	for _, p := range s.packs {
		if p == nil {
			continue
		}
		bytes += p.size
		if p.index != nil {
			objects += int64(p.index.objects())
		}
	}
	return objects, bytes
}

func (s *Store) path(name string) string { return filepath.Join(s.dir, name) }
