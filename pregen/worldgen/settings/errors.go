package settings

import "errors"

// Errors a caller can test for with errors.Is. What a source does not have is
// fs.ErrNotExist.
var (
	// ErrVersion says that the binary holds no tables of a data version.
	ErrVersion = errors.New("no world generation tables of this data version")
	// ErrDocument says that a document or a tag of a data pack is not what it
	// should be. The text names the registry, the id and the pack.
	ErrDocument = errors.New("bad document")
)
