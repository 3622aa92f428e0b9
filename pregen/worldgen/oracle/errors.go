package oracle

import (
	"errors"
	"fmt"

	"strata/region"
)

// ErrNoOracle is returned by Open for a folder that holds no chunks in a form
// that is known.
var ErrNoOracle = errors.New("neither a world nor a folder of sample chunks or dumps")

// ErrFormat marks files of an oracle that are not what they should be.
var ErrFormat = errors.New("bad format")

// ChunkError says which chunk could not be read or compared.
type ChunkError struct {
	Folder, Dimension string
	Pos               region.ChunkPos
	Err               error
}

// Error implements error.
func (e *ChunkError) Error() string {
	return fmt.Sprintf("%s, %s, chunk %v: %v", e.Folder, e.Dimension, e.Pos, e.Err)
}

// Unwrap returns what is wrong with it.
func (e *ChunkError) Unwrap() error { return e.Err }
