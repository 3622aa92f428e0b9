package vfs

import "errors"

// ErrTooLarge says that a file is longer than the limit the caller gave.
var ErrTooLarge = errors.New("file is longer than the limit")

// tagged makes err match one of this package's sentinels as well, without
// changing its text: errors.Is finds the sentinel and the system's own error.
type tagged struct {
	tag error
	err error
}

func (e *tagged) Error() string   { return e.err.Error() }
func (e *tagged) Unwrap() []error { return []error{e.tag, e.err} }

// tag returns err, which is not nil, so that it matches sentinel too.
func tag(sentinel, err error) error { return &tagged{tag: sentinel, err: err} }
