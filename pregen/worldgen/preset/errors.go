package preset

import (
	"errors"
	"fmt"
	"io/fs"

	"strata/pregen/worldgen/settings"
)

// ErrUnknown says that a generator or a biome source is of a type that Strata
// does not have. The text names it.
var ErrUnknown = errors.New("type not known")

// Problem is a dimension that cannot be generated.
type Problem struct {
	Dimension string
	Err       error
}

// Error returns "dimension ID: reason".
func (p *Problem) Error() string { return "dimension " + p.Dimension + ": " + p.Err.Error() }

// Unwrap returns the cause.
func (p *Problem) Unwrap() error { return p.Err }

// bad is an error about the form of something.
func bad(path, format string, args ...any) error {
	return fmt.Errorf("%s: %w: %s", path, settings.ErrDocument, fmt.Sprintf(format, args...))
}

func unknown(path, what, id string) error {
	return fmt.Errorf("%s: %s %q: %w", path, what, id, ErrUnknown)
}

// notExist is for entries of a registry that something names.
func notExist(path, registry, id string) error {
	return fmt.Errorf("%s: %s %s: %w", path, registry, id, fs.ErrNotExist)
}
