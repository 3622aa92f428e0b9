package protocol

import (
	"encoding/binary"
	"fmt"
	"math"
	"unicode/utf8"

	"strata/nbt"
)

// Reader reads the fields of one packet from its frame. Its methods take the
// name of the field for the error; after the first error, which Err returns,
// all give zero values. Byte arrays and NBT are views of the frame.
//
// The zero value is a reader of an empty frame; Reset gives it one.
type Reader struct {
	data []byte
	pos  int
	err  error
	tape nbt.Tape // checks NBT
	c    coder
	// supply, in tests, appends to data what is to be read next.
	supply func(r *Reader, k kind, n int, field string)
}

// kind is what is read next, for supply. Its n is the largest number that is
// allowed for kindNumber and kindLength, and a size in bytes for kindFixed.
type kind uint8

const (
	kindVarInt kind = iota
	kindVarLong
	kindHolder // as kindVarInt, before a value if it is 0
	kindNumber // a VarInt from 0 to n
	kindByteNumber
	kindLength // a VarInt, the number of bytes or elements that follow
	kindBool
	kindFloat
	kindDouble
	kindFixed
	kindText // a whole text with its length
	kindNBT
	kindOptionalNBT
	kindRest // all the bytes that follow
	kindMore // a byte whose highest bit says that another element follows
	kindIndex
	kindLowPrecision
)

// NewReader returns a reader of a frame.
func NewReader(frame []byte) *Reader { return &Reader{data: frame} }

// Reset makes the reader read another frame.
func (r *Reader) Reset(frame []byte) { r.data, r.pos, r.err = frame, 0, nil }

// Err returns the first error since Reset, a [*FieldError].
func (r *Reader) Err() error { return r.err }

// Offset returns how many bytes were read.
func (r *Reader) Offset() int { return r.pos }

// Remaining returns how many bytes are left.
func (r *Reader) Remaining() int { return len(r.data) - r.pos }

// End reports an error if bytes are left.
func (r *Reader) End() error {
	if r.err == nil && r.pos < len(r.data) {
		r.fail("", fmt.Errorf("%d of %d: %w", len(r.data)-r.pos, len(r.data), ErrTrailing))
	}
	return r.err
}

func (r *Reader) fail(field string, err error) {
	if r.err == nil {
		r.err = &FieldError{Field: r.c.where(field), Offset: r.pos, Err: err}
	}
}

func (r *Reader) want(k kind, n int, field string) {
	if r.supply != nil && r.err == nil {
		r.supply(r, k, n, field)
	}
}

// take returns the next n bytes, or nil.
func (r *Reader) take(field string, n int) []byte {
	if r.err != nil {
		return nil
	}
	if n > len(r.data)-r.pos {
		r.fail(field, fmt.Errorf("%d of %d bytes left: %w", len(r.data)-r.pos, n, ErrTruncated))
		return nil
	}
	r.pos += n
	return r.data[r.pos-n : r.pos : r.pos]
}

// uvarint reads a number of at most limit bytes of 7 bits.
func (r *Reader) uvarint(field string, limit int) uint64 {
	var v uint64
	if r.err != nil {
		return 0
	}
	for i, b := range r.data[r.pos:] {
		if i == limit {
			r.fail(field, ErrVarInt)
			return 0
		}
		v |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			r.pos += i + 1
			return v
		}
	}
	if r.Remaining() >= limit {
		r.fail(field, ErrVarInt)
	} else {
		r.fail(field, ErrTruncated)
	}
	return 0
}

// VarInt reads a number of 1 to 5 bytes. Bits over the 32nd are ignored, as
// the game does.
func (r *Reader) VarInt(field string) int32 {
	r.want(kindVarInt, 0, field)
	return int32(uint32(r.uvarint(field, 5)))
}

// VarLong reads a number of 1 to 10 bytes.
func (r *Reader) VarLong(field string) int64 {
	r.want(kindVarLong, 0, field)
	return int64(r.uvarint(field, 10))
}

// holder reads what stands before a holder.
func (r *Reader) holder(field string) int32 {
	r.want(kindHolder, 0, field)
	return int32(uint32(r.uvarint(field, 5)))
}

// number reads a VarInt from 0 to largest.
func (r *Reader) number(field string, largest int) int32 {
	r.want(kindNumber, largest, field)
	v := int32(uint32(r.uvarint(field, 5)))
	if v < 0 || int(v) > largest {
		r.fail(field, fmt.Errorf("%d of 0 to %d: %w", v, largest, ErrRange))
		return 0
	}
	return v
}

// length reads how many elements of at least one byte each follow.
func (r *Reader) length(field string, limit int) int { return r.lengthPlus(field, limit, 0) }

// lengthPlus reads the number of elements, plus a constant.
func (r *Reader) lengthPlus(field string, limit, plus int) int {
	r.want(kindLength, limit, field)
	n := int(int32(uint32(r.uvarint(field, 5))))
	switch {
	case r.err != nil:
		return 0
	case n < 0 || n > limit:
		r.fail(field, fmt.Errorf("%d, limit %d: %w", n, limit, ErrTooLong))
		return 0
	case n-plus > r.Remaining() && r.supply == nil:
		r.fail(field, fmt.Errorf("%d elements in %d bytes: %w", n-plus, r.Remaining(), ErrTruncated))
		return 0
	}
	return n
}

// Byte reads a byte.
func (r *Reader) Byte(field string) uint8 {
	r.want(kindFixed, 1, field)
	if b := r.take(field, 1); b != nil {
		return b[0]
	}
	return 0
}

// Bool reads a byte that is 0 or 1.
func (r *Reader) Bool(field string) bool {
	r.want(kindBool, 1, field)
	b := r.take(field, 1)
	if b == nil {
		return false
	}
	if b[0] > 1 {
		r.fail(field, fmt.Errorf("truth value %d: %w", b[0], ErrEncoding))
	}
	return b[0] == 1
}

// Short reads two bytes.
func (r *Reader) Short(field string) uint16 {
	r.want(kindFixed, 2, field)
	if b := r.take(field, 2); b != nil {
		return binary.BigEndian.Uint16(b)
	}
	return 0
}

// Int reads four bytes.
func (r *Reader) Int(field string) int32 {
	r.want(kindFixed, 4, field)
	return r.int(field)
}

func (r *Reader) int(field string) int32 {
	if b := r.take(field, 4); b != nil {
		return int32(binary.BigEndian.Uint32(b))
	}
	return 0
}

// Long reads eight bytes.
func (r *Reader) Long(field string) int64 {
	r.want(kindFixed, 8, field)
	return r.long(field)
}

func (r *Reader) long(field string) int64 {
	if b := r.take(field, 8); b != nil {
		return int64(binary.BigEndian.Uint64(b))
	}
	return 0
}

// Float reads a float. It may be infinite or no number.
func (r *Reader) Float(field string) float32 {
	r.want(kindFloat, 4, field)
	return math.Float32frombits(uint32(r.int(field)))
}

// Double reads a double. It may be infinite or no number.
func (r *Reader) Double(field string) float64 {
	r.want(kindDouble, 8, field)
	return math.Float64frombits(uint64(r.long(field)))
}

// Fixed reads n bytes, a view of the frame.
func (r *Reader) Fixed(field string, n int) []byte {
	r.want(kindFixed, n, field)
	return r.take(field, n)
}

// String reads a text of at most limit UTF-16 units.
func (r *Reader) String(field string, limit int) string {
	r.want(kindText, limit, field)
	b := r.take(field, r.bounded(field, 3*limit))
	if len(b) == 0 {
		return ""
	}
	switch {
	case !utf8.Valid(b):
		r.fail(field, fmt.Errorf("text: %w", ErrEncoding))
		return ""
	case len(b) > limit && units(b) > limit:
		r.fail(field, fmt.Errorf("%d UTF-16 units, limit %d: %w", units(b), limit, ErrTooLong))
		return ""
	}
	return string(b)
}

// bounded reads a length in bytes without asking supply.
func (r *Reader) bounded(field string, limit int) int {
	n := int(int32(uint32(r.uvarint(field, 5))))
	if r.err == nil && (n < 0 || n > limit) {
		r.fail(field, fmt.Errorf("%d bytes, limit %d: %w", n, limit, ErrTooLong))
		return 0
	}
	return n
}

// units returns how many UTF-16 units valid UTF-8 is.
func units[T string | []byte](s T) int {
	n := 0
	for _, r := range string(s) {
		if r >= 1<<16 {
			n++
		}
		n++
	}
	return n
}

// ByteArray reads at most limit bytes after their number, a view of the frame.
func (r *Reader) ByteArray(field string, limit int) []byte {
	n := r.length(field, limit)
	r.want(kindFixed, n, field)
	return r.take(field, n)
}

// Rest reads all that is left, at most limit bytes, a view of the frame.
func (r *Reader) Rest(field string, limit int) []byte {
	r.want(kindRest, limit, field)
	if n := r.Remaining(); n > limit {
		r.fail(field, fmt.Errorf("%d bytes, limit %d: %w", n, limit, ErrTooLong))
	}
	return r.take(field, r.Remaining())
}

// NBT reads a document in the network form, a view of the frame. The end mark
// alone, which is no document, is nil if absent says that it may be.
func (r *Reader) NBT(field string, absent bool) NBT {
	if absent {
		r.want(kindOptionalNBT, 0, field)
	} else {
		r.want(kindNBT, 0, field)
	}
	if r.err != nil {
		return nil
	}
	if absent && r.pos < len(r.data) && r.data[r.pos] == 0 {
		r.pos++
		return nil
	}
	if r.pos < len(r.data) && r.data[r.pos] == 0 {
		r.fail(field, fmt.Errorf("no document: %w", ErrNBT))
		return nil
	}
	r.tape.Limits = nbtLimits
	document := r.data[r.pos:]
	if len(document) > MaxNBTBytes {
		document = document[:MaxNBTBytes]
	}
	if err := r.tape.ParseNetwork(document); err != nil {
		r.fail(field, fmt.Errorf("%w: %v", ErrNBT, err))
		return nil
	}
	return r.take(field, r.tape.Size())
}

var nbtLimits = nbt.Limits{Depth: MaxNBTDepth, Bytes: MaxNBTBytes, Tags: MaxNBTBytes / 4}
