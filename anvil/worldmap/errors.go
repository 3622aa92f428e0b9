package worldmap

import "errors"

// Errors about what was asked for.
var (
	// ErrScale: a scale that is no power of two up to MaxScale.
	ErrScale = errors.New("scale is not 1, 2, 4, ... 512")
	// ErrTooLarge: a picture with a side of more than MaxSide pixels.
	ErrTooLarge = errors.New("picture is too large")
	// ErrEmpty: there is no chunk to draw.
	ErrEmpty = errors.New("no chunk to draw")
	// ErrArea: a rectangle of chunks that has none, or is beyond MaxChunk.
	ErrArea = errors.New("not an area of a world")
	// ErrNotMap: a folder for tiles that holds other things.
	ErrNotMap = errors.New("folder is neither empty nor a map")
)
