package pack

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// tailBytes is read at once in the hope that the index is no longer.
const tailBytes = 64 << 10

// maxIndex bounds the memory that an index takes: 24 MiB of objects of one byte,
// or nearly.
const maxIndex = 512 << 20

// readIndex reads the index at the end of a pack, or makes it anew.
func (s *Store) readIndex(p *packFile) error {
	p.mu.Lock()
	plain, err := p.open(s)
	p.mu.Unlock()
	if err != nil {
		return err
	}
	p.index, err = s.tail(p, plain.size)
	if err == nil || !errors.Is(err, ErrDamaged) {
		return err
	}
	p.rebuilt = true
	p.index, _, err = s.scan(p, plain.size, nil)
	return err
}

// tail reads what stands at the end of a pack of so many bytes.
func (s *Store) tail(p *packFile, size int64) (*index, error) {
	if size < int64(len(magic)+trailerBytes) || size > maxPackBytes {
		return nil, fmt.Errorf("%w: %s is %d bytes long", ErrDamaged, p.name, size)
	}
	var head [len(magic)]byte
	if err := s.readAt(p, head[:], 0); err != nil {
		return nil, err
	}
	b := make([]byte, min(size-int64(len(magic)), tailBytes))
	if err := s.readAt(p, b, size-int64(len(b))); err != nil {
		return nil, err
	}
	end := b[len(b)-trailerBytes:]
	n := binary.LittleEndian.Uint32(end[8:])
	room := size - int64(len(magic)) - int64(trailerBytes)
	if string(head[:]) != magic || string(end[12:]) != endMagic || int64(n) > room || n > maxIndex {
		return nil, fmt.Errorf("%w: %s has no index", ErrDamaged, p.name)
	}
	if int(n)+trailerBytes > len(b) {
		b = make([]byte, int(n)+trailerBytes)
		if err := s.readAt(p, b, size-int64(len(b))); err != nil {
			return nil, err
		}
		end = b[n:]
	}
	b = b[len(b)-trailerBytes-int(n) : len(b)-trailerBytes]
	if trailerSum(b, n) != binary.LittleEndian.Uint64(end) {
		return nil, fmt.Errorf("%w: %s, the index", ErrDamaged, p.name)
	}
	return parseIndex(b, size-int64(trailerBytes)-int64(n))
}

// scan makes an index from the frames of a pack and calls bad, if it is not nil,
// with each place at which there is no sound frame. What lies in damaged frames is
// not in the index. It stops where no frame follows.
func (s *Store) scan(p *packFile, size int64, bad func(at int64, err error)) (*index, int64, error) {
	x := &index{}
	var stream unstream
	at := int64(len(magic))
	for at+frameHeader <= size {
		var head [frameHeader]byte
		if err := s.readAt(p, head[:], at); err != nil {
			return x, at, err
		}
		f, _, err := parseHeader(head[:])
		if err != nil || at+frameHeader+int64(f.length) > size {
			break // the index, or damage: nothing tells where the next frame is
		}
		f.at, f.start = at, stream.start
		raw, err := s.readFrame(p, &f)
		if err != nil && !errors.Is(err, ErrDamaged) {
			return x, at, err
		}
		if err != nil && bad != nil {
			bad(at, err)
		}
		x.frames = append(x.frames, f)
		stream.frame(&f, raw, x)
		at = f.end()
	}
	return x, at, nil //nolint:nilerr // where frames end is what is returned
}

// unstream finds the objects in a stream whose index is lost.
type unstream struct {
	start  int64 // in the stream, of the next frame
	object []byte
	at     int64 // where the object that is going on began, after its length
	want   int   // its length; 0: none is going on
	lost   bool  // until a frame begins with an object
}

// frame takes the next frame; raw is nil if it is damaged.
func (u *unstream) frame(f *frame, raw []byte, x *index) {
	start := u.start
	u.start += int64(f.raw)
	switch {
	case raw == nil:
		u.lost, u.want = true, 0
		return
	case f.begins:
		u.lost, u.want = false, 0
	case u.lost || u.want == 0:
		u.lost = true
		return
	}
	for len(raw) > 0 {
		if u.want == 0 {
			n, k := binary.Uvarint(raw)
			if k <= 0 || n == 0 || n > MaxObject {
				u.lost = true
				return
			}
			start, raw = start+int64(k), raw[k:]
			u.want, u.at, u.object = int(n), start, u.object[:0]
		}
		n := min(u.want-len(u.object), len(raw))
		u.object = append(u.object, raw[:n]...)
		start, raw = start+int64(n), raw[n:]
		if len(u.object) == u.want {
			x.add(IDOf(u.object), u.at, u.want)
			u.want = 0
		}
	}
}
