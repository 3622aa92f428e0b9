package pack

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sort"
	"sync"

	"github.com/klauspost/compress/zstd"

	"strata/region/vfs"
)

// plainFile is the bytes of a pack, unsealed.
type plainFile struct {
	io.ReaderAt
	size int64
}

// open opens the pack's file, or takes the open one. Called under p.mu.
func (p *packFile) open(s *Store) (plainFile, error) {
	if p.file != nil {
		return p.plain, nil
	}
	f, err := s.fs.OpenFile(s.path(p.name), os.O_RDONLY, 0)
	if err != nil {
		return plainFile{}, err
	}
	plain, err := unseal(f, s.sealer)
	if err != nil {
		return plainFile{}, errors.Join(err, f.Close())
	}
	p.file, p.plain = f, plain
	s.handles.opened(p)
	return plain, nil
}

// maxOpen is how many packs are kept open.
const maxOpen = 64

// handles closes packs that were opened long ago.
type handles struct {
	mu   sync.Mutex
	open []*packFile
}

func (h *handles) opened(p *packFile) {
	h.mu.Lock()
	h.open = append(h.open, p)
	var old *packFile
	if len(h.open) > maxOpen {
		old, h.open = h.open[0], slices.Delete(h.open, 0, 1)
	}
	h.mu.Unlock()
	// The caller holds its own pack's lock: whoever is just reading stays open.
	if old != nil && old != p && old.mu.TryLock() {
		old.closeLocked() //nolint:errcheck // it was only read
		old.mu.Unlock()
	}
}

func unseal(f vfs.File, sealer Sealer) (plainFile, error) {
	info, err := f.Stat()
	if err != nil {
		return plainFile{}, err
	}
	if sealer == nil {
		return plainFile{f, info.Size}, nil
	}
	r, n, err := sealer.Unseal(f, info.Size)
	return plainFile{r, n}, err
}

func (p *packFile) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.closeLocked()
}

func (p *packFile) closeLocked() error {
	if p.file == nil {
		return nil
	}
	err := p.file.Close()
	p.file = nil
	return err
}

// readAt fills b from a place of the pack.
func (s *Store) readAt(p *packFile, b []byte, at int64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	plain, err := p.open(s)
	if err != nil {
		return err
	}
	n, err := plain.ReadAt(b, at)
	if n == len(b) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = fmt.Errorf("%w: %s ends at %d", ErrDamaged, p.name, at+int64(n))
	}
	return err
}

// decoders are for frames, which are small.
var decoders = sync.Pool{New: func() any {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(1<<20))
	if err != nil {
		panic(err) // the options are constants
	}
	return d
}}

// decode returns what a frame holds. data is what stands behind its header, and
// may be what is returned.
func (f *frame) decode(data []byte) ([]byte, error) {
	if f.stored {
		return data, nil
	}
	d := decoders.Get().(*zstd.Decoder)
	defer decoders.Put(d)
	raw, err := d.DecodeAll(data, make([]byte, 0, f.raw))
	if err != nil || len(raw) != int(f.raw) {
		return nil, fmt.Errorf("%w: frame at %d does not decode", ErrDamaged, f.at)
	}
	return raw, nil
}

// readFrame reads a frame and checks it.
func (s *Store) readFrame(p *packFile, f *frame) ([]byte, error) {
	b := make([]byte, frameHeader+int(f.length))
	if err := s.readAt(p, b, f.at); err != nil {
		return nil, err
	}
	return f.open(p.name, b)
}

// open checks and decodes a frame, header and data.
func (f *frame) open(name string, b []byte) ([]byte, error) {
	g, sum, err := parseHeader(b)
	if err != nil || g.length != f.length || g.raw != f.raw || g.stored != f.stored || g.begins != f.begins ||
		sum != frameSum(b[:8], b[frameHeader:]) {
		return nil, fmt.Errorf("%w: %s, frame at %d", ErrDamaged, name, f.at)
	}
	return f.decode(b[frameHeader:])
}

// Get appends an object to buf and returns it: the kind, then the rest. What is
// returned has been checked against the ID. The error wraps ErrAbsent or
// ErrDamaged, or is that of reading.
func (s *Store) Get(id ID, buf []byte) ([]byte, error) {
	var out []byte
	var damage error
	for {
		refs := s.copies(id)
		if len(refs) == 0 {
			break
		}
		for _, r := range refs {
			var err error
			if out, err = s.get(r, id, buf); err == nil {
				return out, nil
			}
			damage = errors.Join(damage, err)
		}
		// Another copy may be in a pack whose index was not read yet.
		s.mu.Lock()
		more := s.indexNext()
		s.mu.Unlock()
		if !more {
			return nil, fmt.Errorf("object %v: %w", id, damage)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return nil, s.absent(id)
}

// place is where an object lies.
type place struct {
	p    *packFile
	i    int
	pack uint32
}

func (s *Store) copies(id ID) (all []place) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.find(id, func(r ref) bool {
		all = append(all, place{s.packs[r.pack], int(r.object), r.pack})
		return false
	})
	return all
}

func (s *Store) get(at place, id ID, buf []byte) ([]byte, error) {
	x := at.p.index
	start, size := x.starts[at.i], int64(x.sizes[at.i])
	first := sort.Search(len(x.frames), func(i int) bool { return x.frames[i].start+int64(x.frames[i].raw) > start })
	out := slices.Grow(buf, int(size))
	have := len(out)
	for n := first; int64(len(out)-have) < size; n++ {
		raw, err := s.cachedFrame(at, n)
		if err != nil {
			return nil, err
		}
		from := max(0, start-x.frames[n].start)
		out = append(out, raw[from:min(int64(len(raw)), start+size-x.frames[n].start)]...)
	}
	if IDOf(out[have:]) != id {
		return nil, fmt.Errorf("%w: %s, object %v is another one", ErrDamaged, at.p.name, id)
	}
	return out, nil
}

// frameCache keeps the frames that were read last: objects of one region lie
// together. Guarded by Store.mu.
type frameCache struct {
	keys [128]frameKey
	raws [128][]byte
	next int
}

type frameKey struct{ pack, frame uint32 }

func (c *frameCache) get(k frameKey) []byte {
	for i := range c.keys {
		if c.keys[i] == k {
			return c.raws[i]
		}
	}
	return nil
}

func (c *frameCache) put(k frameKey, raw []byte) {
	c.keys[c.next], c.raws[c.next] = k, raw
	c.next = (c.next + 1) % len(c.keys)
}

func (s *Store) cachedFrame(at place, n int) ([]byte, error) {
	k := frameKey{at.pack + 1, uint32(n)} // 0 is no key
	s.mu.Lock()
	raw := s.frames.get(k)
	s.mu.Unlock()
	if raw != nil {
		return raw, nil
	}
	raw, err := s.readFrame(at.p, &at.p.index.frames[n])
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.frames.put(k, raw)
	s.mu.Unlock()
	return raw, nil
}
