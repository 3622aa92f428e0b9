package block

import "errors"

// Errors of parsing and interning.
var (
	// ErrUnknown says that a text names no block, property or value of the
	// native table.
	ErrUnknown = errors.New("unknown block state")
	// ErrSyntax says that a text is not of the form name[key=value,...].
	ErrSyntax = errors.New("malformed block state")
	// ErrFull says that [States] has no room for another entry. The chunk
	// that needs it can be handled as NBT, not as blocks.
	ErrFull = errors.New("block state table is full")
)
