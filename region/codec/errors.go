package codec

import (
	"errors"
	"fmt"
)

// What callers branch on with errors.Is. All but ErrUnknownLevel come wrapped
// in an [Error] when a stream caused them.
var (
	// ErrUnknownScheme: no codec for this type byte. The stream may be sound;
	// keep it.
	ErrUnknownScheme = errors.New("unknown compression scheme")
	// ErrUnknownLevel: not 1 to 12 nor sector.
	ErrUnknownLevel = errors.New("unknown compression level")
	// ErrCorrupt: the stream breaks its format.
	ErrCorrupt = errors.New("corrupt stream")
	// ErrTruncated: the stream is sound so far and ends too early.
	ErrTruncated = errors.New("truncated stream")
	// ErrChecksum: the stream decodes, but its checksum is that of other data.
	ErrChecksum = errors.New("checksum mismatch")
	// ErrLimit: the payload is larger than the caller, or this package,
	// allows.
	ErrLimit = errors.New("payload exceeds limit")
)

// Error says where in a stream a codec stopped and why.
type Error struct {
	Scheme Scheme
	Offset int    // bytes of the stream that were read before the fault, as far as known
	Err    error  // one of the package's sentinels
	Detail string // more about the fault; may be empty
}

func (e *Error) Error() string {
	s := fmt.Sprintf("%v stream: %v at offset %d", e.Scheme, e.Err, e.Offset)
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	return s
}

// Unwrap returns the sentinel.
func (e *Error) Unwrap() error { return e.Err }

func limitError(s Scheme, offset, limit int) *Error {
	return &Error{Scheme: s, Offset: offset, Err: ErrLimit, Detail: fmt.Sprintf("limit %d bytes", limit)}
}
