package pack

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/cespare/xxhash/v2"
)

// ID names an object by its content.
type ID [sha256.Size]byte

// IDOf is the ID of an object.
func IDOf(object []byte) ID { return sha256.Sum256(object) }

// String is the ID in hexadecimal digits.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// PrefixBytes of an ID tell it from all others of a store: Put sees to it.
const PrefixBytes = 16

// IsZero reports whether the ID is none.
func (id ID) IsZero() bool { return id == ID{} }

const (
	// FrameBytes is the longest part of a stream that is compressed as one.
	FrameBytes = 128 << 10
	// MaxObject is the largest object.
	MaxObject = 1 << 30

	packBytes    = 24 << 20 // a pack ends when it is as long
	maxPackBytes = packBytes + MaxObject + 1<<20
	magic        = "STRPACK1"
	endMagic     = "STRPEND1"
	frameHeader  = 16
	trailerBytes = 8 + 4 + len(endMagic)

	storedFlag = 1 << 31
	beginsFlag = 1 << 30
	lengthMask = beginsFlag - 1
)

// ErrAbsent says that the store has no such object.
var ErrAbsent = errors.New("no such object")

// ErrCollision says that two objects have IDs that begin with the same bytes, which
// takes somebody who makes them so.
var ErrCollision = errors.New("objects with the same beginning of their IDs")

// ErrDamaged says that something of a pack is not what was written.
var ErrDamaged = errors.New("damaged pack")

// frame is where a part of the stream lies in a pack.
type frame struct {
	at     int64 // of its header in the pack
	length uint32
	raw    uint32
	start  int64 // in the stream
	stored bool
	begins bool
}

func (f *frame) end() int64 { return f.at + frameHeader + int64(f.length) }

// appendHeader appends the header of a frame with that data.
func (f *frame) appendHeader(b, data []byte) []byte {
	word := f.length
	if f.stored {
		word |= storedFlag
	}
	if f.begins {
		word |= beginsFlag
	}
	at := len(b)
	b = binary.LittleEndian.AppendUint32(b, word)
	b = binary.LittleEndian.AppendUint32(b, f.raw)
	return binary.LittleEndian.AppendUint64(b, frameSum(b[at:at+8], data))
}

func frameSum(header, data []byte) uint64 {
	var d xxhash.Digest
	d.Reset()
	d.Write(header) //nolint:errcheck // never fails
	d.Write(data)   //nolint:errcheck // never fails
	return d.Sum64()
}

// parseHeader reads a frame's header. What it says is within the limits.
func parseHeader(b []byte) (f frame, sum uint64, err error) {
	word := binary.LittleEndian.Uint32(b)
	f.length, f.stored, f.begins = word&lengthMask, word&storedFlag != 0, word&beginsFlag != 0
	f.raw = binary.LittleEndian.Uint32(b[4:])
	return f, binary.LittleEndian.Uint64(b[8:]), f.check()
}

func (f *frame) check() error {
	if f.raw == 0 || f.raw > FrameBytes || f.length == 0 || f.length > f.raw || f.stored != (f.length == f.raw) {
		return fmt.Errorf("%w: a frame of %d bytes for %d", ErrDamaged, f.length, f.raw)
	}
	return nil
}

// index is what the end of a pack lists.
type index struct {
	frames []frame
	ids    []byte  // of all objects, one behind the other
	starts []int64 // of the objects in the stream, after their lengths
	sizes  []uint32
}

func (x *index) objects() int { return len(x.starts) }

func (x *index) id(i int) ID { return ID(x.ids[i*len(ID{}):]) }

func (x *index) add(id ID, start int64, size int) {
	x.ids = append(x.ids, id[:]...)
	x.starts = append(x.starts, start)
	x.sizes = append(x.sizes, uint32(size))
}

// append appends the index and the trailer.
func (x *index) append(b []byte) []byte {
	at := len(b)
	b = binary.AppendUvarint(b, uint64(len(x.frames)))
	for i := range x.frames {
		f := &x.frames[i]
		word := uint64(f.length) << 2
		if f.stored {
			word |= 2
		}
		if f.begins {
			word |= 1
		}
		b = binary.AppendUvarint(b, word)
		b = binary.AppendUvarint(b, uint64(f.raw))
	}
	b = binary.AppendUvarint(b, uint64(x.objects()))
	for i := range x.starts {
		id := x.id(i)
		b = append(b, id[:]...)
		b = binary.AppendUvarint(b, uint64(x.sizes[i]))
	}
	n := uint32(len(b) - at)
	sum := trailerSum(b[at:], n)
	b = binary.LittleEndian.AppendUint64(b, sum)
	b = binary.LittleEndian.AppendUint32(b, n)
	return append(b, endMagic...)
}

func trailerSum(index []byte, n uint32) uint64 {
	return frameSum(binary.LittleEndian.AppendUint32(nil, n), index)
}

// reader takes numbers off bytes that may be damaged.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) uvarint(limit uint64) uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 || v > limit {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) take(n int) []byte {
	if n > len(r.b) {
		r.bad, r.b = true, nil
		return nil
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

// parseIndex reads an index that begins at a place of its pack. All it says is
// checked against that place.
func parseIndex(b []byte, at int64) (*index, error) {
	r := reader{b: b}
	x := &index{}
	place, start := int64(len(magic)), int64(0)
	for range r.uvarint(uint64(len(b))) {
		word := r.uvarint(lengthMask << 2)
		f := frame{at: place, length: uint32(word >> 2), stored: word&2 != 0, begins: word&1 != 0, start: start}
		f.raw = uint32(r.uvarint(FrameBytes))
		if err := f.check(); r.bad || err != nil {
			return nil, fmt.Errorf("%w: index of frames", ErrDamaged)
		}
		place, start = f.end(), start+int64(f.raw)
		x.frames = append(x.frames, f)
	}
	if place != at {
		return nil, fmt.Errorf("%w: frames end at %d, index begins at %d", ErrDamaged, place, at)
	}
	objects := r.uvarint(uint64(len(b) / len(ID{})))
	place = 0
	for range objects {
		id := r.take(len(ID{}))
		size := r.uvarint(MaxObject)
		if r.bad || size == 0 {
			return nil, fmt.Errorf("%w: index of objects", ErrDamaged)
		}
		place += int64(uvarintLen(size))
		x.add(ID(id), place, int(size))
		place += int64(size)
	}
	if r.bad || len(r.b) > 0 || place != start {
		return nil, fmt.Errorf("%w: index does not fit to its frames", ErrDamaged)
	}
	return x, nil
}

func uvarintLen(v uint64) int {
	var b [binary.MaxVarintLen64]byte
	return binary.PutUvarint(b[:], v)
}
