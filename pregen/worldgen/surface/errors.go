package surface

import (
	"errors"
	"fmt"
	"strings"
)

// ErrRule is wrapped by the errors of Parse that are about the document.
var ErrRule = errors.New("invalid surface rule")

// ErrSettings is wrapped by the errors of New that are about its numbers.
var ErrSettings = errors.New("invalid surface settings")

// atPath is an error at a place in a document.
type atPath struct {
	path string
	err  error
}

func (e *atPath) Error() string { return e.path + ": " + e.err.Error() }

func (e *atPath) Unwrap() error { return e.err }

// within puts a step of the JSON path before an error.
func within(step string, err error) error {
	if err == nil {
		return nil
	}
	inner := new(atPath)
	if !errors.As(err, &inner) {
		return &atPath{step, err}
	}
	if strings.HasPrefix(inner.path, "[") {
		return &atPath{step + inner.path, inner.err}
	}
	return &atPath{step + "." + inner.path, inner.err}
}

// invalid is an error that wraps ErrRule.
func invalid(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrRule, fmt.Sprintf(format, args...))
}
