package density

import (
	"errors"
	"fmt"
)

// Causes of errors about documents; each is wrapped by an *Error.
var (
	// ErrFormat: a field is missing or of the wrong type or range, or a
	// function's type is unknown.
	ErrFormat = errors.New("malformed density function")
	// ErrCycle: a function refers to itself.
	ErrCycle = errors.New("cycle of density functions")
	// ErrLimit: functions are nested too deep or too many.
	ErrLimit = errors.New("density functions beyond the limit")
)

// Error tells where in which document a fault is.
type Error struct {
	Registry string // such as "worldgen/density_function"
	ID       string
	Path     string // of fields, such as "argument1.input"; "" for the document
	Err      error
}

func (e *Error) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("%s %s: %v", e.Registry, e.ID, e.Err)
	}
	return fmt.Sprintf("%s %s, %s: %v", e.Registry, e.ID, e.Path, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
