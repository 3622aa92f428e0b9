package flate

import (
	"errors"
	"strconv"
)

// What can be wrong with a stream. Every error of a Decoder is an *Error that
// wraps exactly one of these.
var (
	// ErrCorrupt: the bytes break the rules of the DEFLATE format.
	ErrCorrupt = errors.New("corrupt data")
	// ErrTruncated: the input ends before the stream does.
	ErrTruncated = errors.New("input ends too early")
	// ErrChecksum: the stream decodes, but its checksum or its length field
	// says that other bytes went in.
	ErrChecksum = errors.New("checksum mismatch")
	// ErrHeader: the zlib or gzip header is not one.
	ErrHeader = errors.New("bad header")
	// ErrDictionary: the zlib stream needs a preset dictionary.
	ErrDictionary = errors.New("preset dictionary not supported")
	// ErrLimit: the stream holds more bytes than the caller allows.
	ErrLimit = errors.New("output limit reached")
)

// Error says where a stream went wrong.
type Error struct {
	Format string // "deflate", "zlib" or "gzip"
	Offset int    // bytes of the input before the place where it was noticed
	Reason string // what was found there, for people
	Err    error  // one of the sentinels of this package
}

// Error gives format, offset, kind and reason in one line.
func (e *Error) Error() string {
	s := e.Format + " offset " + strconv.Itoa(e.Offset) + ": " + e.Err.Error()
	if e.Reason != "" {
		s += ": " + e.Reason
	}
	return s
}

// Unwrap returns the sentinel.
func (e *Error) Unwrap() error { return e.Err }
