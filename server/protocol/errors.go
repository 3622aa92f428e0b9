package protocol

import (
	"errors"
	"fmt"
)

// What can be wrong with a packet. Each is wrapped in a [*FieldError] that
// says where.
var (
	// ErrTruncated: the frame ends inside the field.
	ErrTruncated = errors.New("frame ends too early")
	// ErrTrailing: bytes are left after the last field.
	ErrTrailing = errors.New("bytes after the last field")
	// ErrVarInt: a variable-length number has more than 5 or 10 bytes.
	ErrVarInt = errors.New("number too long")
	// ErrTooLong: a text, list or byte array is longer than its limit, or its
	// length is negative.
	ErrTooLong = errors.New("length over the limit")
	// ErrTooDeep: values nest deeper than MaxDepth.
	ErrTooDeep = errors.New("nested too deep")
	// ErrEncoding: a text is not UTF-8, or a truth value neither 0 nor 1.
	ErrEncoding = errors.New("not an allowed encoding")
	// ErrRange: an enumeration has no such value.
	ErrRange = errors.New("no such value")
	// ErrNBT: not one NBT document, or one over the limits.
	ErrNBT = errors.New("bad NBT")
	// ErrUnsupported: the protocol version has no such packet or value.
	ErrUnsupported = errors.New("not in this protocol version")
	// ErrMismatch: what is encoded contradicts itself: the value of a variant
	// is not of the type that its kind says. Only encoding gives it.
	ErrMismatch = errors.New("value does not fit its kind")
)

// What can be wrong with a frame.
var (
	// ErrFrameLength: the length before a frame is not a number of 1 to 3
	// bytes from 1 to MaxFrame.
	ErrFrameLength = errors.New("bad frame length")
	// ErrCompression: the compressed form breaks its rules: a size below the
	// threshold or over MaxInflated, a body that does not inflate to exactly
	// the size it declares, or an uncompressed one of threshold or more.
	ErrCompression = errors.New("bad compressed frame")
)

// FieldError says which field of a packet an error is about.
type FieldError struct {
	Field  string // the path to it, such as "set_equipment.slots[1].item.count"
	Offset int    // in the frame when reading, of the output when writing
	Err    error
}

// Error returns "FIELD at byte OFFSET: ERR".
func (e *FieldError) Error() string {
	return fmt.Sprintf("%s at byte %d: %v", e.Field, e.Offset, e.Err)
}

// Unwrap returns Err.
func (e *FieldError) Unwrap() error { return e.Err }
