package level

import (
	"errors"
	"fmt"
)

// What is wrong with a data file. A [FileError] says of which. That it is
// absent is fs.ErrNotExist.
var (
	// ErrDamaged: not a document, truncated, or beyond a limit. The error of
	// package nbt that says why is wrapped beside it.
	ErrDamaged = errors.New("damaged")
	// ErrShape: a sound document that is not what this file holds, or a value
	// set inside of something that is no compound.
	ErrShape = errors.New("not of the expected form")
	// ErrSymlink: the file itself is a symbolic link. It is read, but replacing
	// it would put a file in the place of the link.
	ErrSymlink = errors.New("is a symbolic link, which is not replaced")
)

// FileError is an error of one file.
type FileError struct {
	Op   string // "read", "write"
	Path string
	Err  error
}

func (e *FileError) Error() string { return e.Op + " " + e.Path + ": " + e.Err.Error() }

// Unwrap returns the reason.
func (e *FileError) Unwrap() error { return e.Err }

// damaged makes err match ErrDamaged as well.
func damaged(err error) error { return fmt.Errorf("%w: %w", ErrDamaged, err) }
