package ui

import (
	"context"
	"errors"
	"fmt"
	"syscall"

	"strata/region/vfs"
)

// Code is the exit code of the process. Scripts rely on the numbers.
type Code int

// The exit codes.
const (
	OK          Code = 0
	Failed      Code = 1   // anything without a code of its own
	Usage       Code = 2   // wrong flags or arguments, or a refusal before any change
	Problems    Code = 3   // done, with problems found or items skipped
	Missing     Code = 10  // the world or repository does not exist
	Locked      Code = 11  // another process holds the lock or uses the file
	WrongKey    Code = 12  // the repository's key is another one
	NoSpace     Code = 13  // disk, quota or file size limit is full
	Interrupted Code = 130 // stopped by a signal, state saved
)

// Error is an error that ends the process with a code of its own.
type Error struct {
	Code Code
	Err  error
	Hint string // a line that says what to do next; may be empty
}

// Error returns the text of the wrapped error.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the wrapped error.
func (e *Error) Unwrap() error { return e.Err }

// Errorf returns an *Error with the code and the text that fmt.Errorf makes,
// %w included.
func Errorf(code Code, format string, args ...any) error {
	return &Error{Code: code, Err: fmt.Errorf(format, args...)}
}

// WithHint adds the line that says what to do next, and keeps the code that
// err has.
func WithHint(err error, format string, args ...any) error {
	return &Error{Code: CodeOf(err), Err: err, Hint: fmt.Sprintf(format, args...)}
}

// HintOf returns the hint of err, or "" if it has none.
func HintOf(err error) string {
	if coded, ok := errors.AsType[*Error](err); ok {
		return coded.Hint
	}
	return ""
}

// CodeOf returns the exit code for err: the one it carries, or the one that
// its cause has everywhere. Whether an absent file means Missing depends on
// which file it is, so commands say that themselves.
func CodeOf(err error) Code {
	if err == nil {
		return OK
	}
	if coded, ok := errors.AsType[*Error](err); ok {
		return coded.Code
	}
	switch {
	case errors.Is(err, context.Canceled):
		return Interrupted
	case errors.Is(err, vfs.ErrNoSpace), errors.Is(err, syscall.ENOSPC):
		return NoSpace
	case errors.Is(err, vfs.ErrLocked), errors.Is(err, vfs.ErrInUse):
		return Locked
	default:
		return Failed
	}
}
