package transplant

import (
	"errors"
	"fmt"
)

var (
	// ErrRange: a position that would lie outside of what the game takes.
	ErrRange = errors.New("outside the world")
	// ErrMisplaced: a document that gives another position than its own.
	ErrMisplaced = errors.New("gives another position")
	// ErrShape: a document that is no compound, or cannot be read.
	ErrShape = errors.New("not a document of a chunk")
	// ErrHeight: dimensions of different heights.
	ErrHeight = errors.New("dimensions have different heights")
	// ErrExternal: a record too large for a region file of a world from before
	// 1.15, whose games know no files for large records.
	ErrExternal = errors.New("too large for a world of that version")
	// ErrDimension: a dimension that the world does not have.
	ErrDimension = errors.New("the world has no such dimension")
)

func shapeError(err error) error { return fmt.Errorf("%w: %w", ErrShape, err) }
