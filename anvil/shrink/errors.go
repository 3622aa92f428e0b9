package shrink

import "errors"

// ErrNoChange says that Recompress got neither a dry run nor a change to keep
// records in.
var ErrNoChange = errors.New("recompressing needs a change for undo")
