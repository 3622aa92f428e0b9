package diff

import "errors"

// What a caller can test for.
var (
	// ErrNothing: a folder holds neither a world nor region files.
	ErrNothing = errors.New("neither a world nor a folder of region files")
	// ErrKinds: a world is compared with a folder, or folders of different kinds.
	ErrKinds = errors.New("a world and a folder of region files, or folders of different kinds, cannot be compared")
	// ErrNoChunks: there is nothing to draw.
	ErrNoChunks = errors.New("no chunks to draw")
)
