package protocol

import (
	"encoding/binary"
	"math"
)

// Writer appends the encoding of packets to a buffer of its own. The zero
// value is ready; Reset keeps the buffer. After an error, which Err returns,
// what it holds is not a packet.
type Writer struct {
	buf []byte
	err error
	c   coder
}

// NewWriter returns a writer that appends to buf, whose room it uses.
func NewWriter(buf []byte) *Writer { return &Writer{buf: buf} }

// Reset empties the writer.
func (w *Writer) Reset() { w.buf, w.err = w.buf[:0], nil }

// Bytes returns what was written, valid until the next Reset.
func (w *Writer) Bytes() []byte { return w.buf }

// Len returns how many bytes were written.
func (w *Writer) Len() int { return len(w.buf) }

// Err returns the first error since Reset, a [*FieldError].
func (w *Writer) Err() error { return w.err }

// VarInt appends 1 to 5 bytes, 7 bits in each, lowest first.
func (w *Writer) VarInt(v int32) { w.buf = AppendVarInt(w.buf, v) }

// VarLong appends 1 to 10 bytes.
func (w *Writer) VarLong(v int64) { w.buf = binary.AppendUvarint(w.buf, uint64(v)) }

// Byte appends a byte.
func (w *Writer) Byte(v uint8) { w.buf = append(w.buf, v) }

// Bool appends 1 or 0.
func (w *Writer) Bool(v bool) {
	if v {
		w.buf = append(w.buf, 1)
	} else {
		w.buf = append(w.buf, 0)
	}
}

// Short appends two bytes, big end first, as all numbers here.
func (w *Writer) Short(v uint16) { w.buf = binary.BigEndian.AppendUint16(w.buf, v) }

// Int appends four bytes.
func (w *Writer) Int(v int32) { w.buf = binary.BigEndian.AppendUint32(w.buf, uint32(v)) }

// Long appends eight bytes.
func (w *Writer) Long(v int64) { w.buf = binary.BigEndian.AppendUint64(w.buf, uint64(v)) }

// Float appends the four bytes of a float.
func (w *Writer) Float(v float32) {
	w.buf = binary.BigEndian.AppendUint32(w.buf, math.Float32bits(v))
}

// Double appends the eight bytes of a double.
func (w *Writer) Double(v float64) {
	w.buf = binary.BigEndian.AppendUint64(w.buf, math.Float64bits(v))
}

// Raw appends bytes as they are.
func (w *Writer) Raw(v []byte) { w.buf = append(w.buf, v...) }

// String appends a text after its length in bytes. It does not check the
// limits; see MaxString.
func (w *Writer) String(v string) {
	w.VarInt(int32(len(v)))
	w.buf = append(w.buf, v...)
}

// ByteArray appends bytes after their number.
func (w *Writer) ByteArray(v []byte) {
	w.VarInt(int32(len(v)))
	w.buf = append(w.buf, v...)
}

func (w *Writer) fail(field string, err error) {
	if w.err == nil {
		w.err = &FieldError{Field: w.c.where(field), Offset: len(w.buf), Err: err}
	}
}

// AppendVarInt appends v as 1 to 5 bytes.
func AppendVarInt(dst []byte, v int32) []byte {
	return binary.AppendUvarint(dst, uint64(uint32(v)))
}

// VarIntSize returns how many bytes AppendVarInt appends.
func VarIntSize(v int32) int {
	size := 1
	for u := uint32(v) >> 7; u != 0; u >>= 7 {
		size++
	}
	return size
}
