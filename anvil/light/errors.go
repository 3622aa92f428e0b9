package light

import "errors"

var (
	// ErrRange: heights, sizes or positions that an engine does not take.
	ErrRange = errors.New("outside of what can be lit")
	// ErrMismatch: chunks of one area that differ in height.
	ErrMismatch = errors.New("chunks of different heights")
)

// Limits of the input.
const (
	// MaxSections is the greatest height of a chunk, in sections: the
	// game's limit of 4,064 blocks.
	MaxSections = 254
	// MaxArea is the greatest number of chunks in an area.
	MaxArea = 1156
)
