package control

import (
	"errors"
	"fmt"
)

// What a caller can test for.
var (
	// ErrNoEndpoint: the world has no file strata/control.
	ErrNoEndpoint = errors.New("no control endpoint")
	// ErrStale: it has one, but nobody answers who knows its token, so whoever
	// wrote it is dead; or it was copied along with the files of another world.
	ErrStale = errors.New("control endpoint of a process that is gone")
	// ErrDamaged: the file makes no sense.
	ErrDamaged = errors.New("damaged control file")
	// ErrNotPrivate: others could read the file.
	ErrNotPrivate = errors.New("the file system cannot keep others from reading the control file")
	// ErrBusy: the holder answers, but has no room for another connection.
	ErrBusy = errors.New("too many control connections")
	// ErrClosed: the connection has ended.
	ErrClosed = errors.New("control connection closed")
	// ErrTooLong: a line of more than MaxLine bytes.
	ErrTooLong = errors.New("control line is too long")
)

// Codes of errors that the transport itself reports. Handlers have their own.
const (
	CodeUnknown = "unknown_op"  // no handler for the operation
	CodeBad     = "bad_request" // arguments that make no sense
	CodeFailed  = "failed"      // an error without a code
)

// Error is how a call has failed on the side of the holder. A handler returns
// one to give its code to the client; any other error becomes CodeFailed.
type Error struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (e *Error) Error() string { return fmt.Sprintf("%s (%s)", e.Message, e.Code) }
