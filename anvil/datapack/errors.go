package datapack

import "errors"

// Errors a caller can test for with errors.Is. Something absent, be it a file
// of a pack, an id in a stack or an imported version, is fs.ErrNotExist.
var (
	// ErrNotPack says that what was opened is none of the forms that this
	// package reads, or not the game's own data where these are asked for.
	ErrNotPack = errors.New("not a pack")
	// ErrVersion says that the data are of a game version that Strata does not
	// run or know.
	ErrVersion = errors.New("unsupported game version")
	// ErrNoVersion says that the data hold nothing to tell their version from.
	ErrNoVersion = errors.New("game version not known")
	// ErrDamaged says that bytes are not what they should be: a checksum, a
	// length or the form of a file is wrong.
	ErrDamaged = errors.New("damaged")
	// ErrLimit says that something is larger than the Limits allow.
	ErrLimit = errors.New("over the limit")
)

// Error is an error about one pack, and one entry of it where Entry is set.
// Its cause is one of the errors above or one of the file system.
type Error struct {
	Pack  string // name of the pack
	Entry string // slash-separated path inside it, or ""
	Err   error
}

// Error returns "pack NAME: ENTRY: reason".
func (e *Error) Error() string {
	if e.Entry == "" {
		return "pack " + e.Pack + ": " + e.Err.Error()
	}
	return "pack " + e.Pack + ": " + e.Entry + ": " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// inPack wraps err once: what is an *Error already names its pack.
func inPack(pack, entry string, err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*Error](err); ok {
		return err
	}
	return &Error{Pack: pack, Entry: entry, Err: err}
}
