package anvil

import (
	"errors"
	"fmt"
)

// What a caller can test for.
var (
	// ErrNoWorld: the folder has no level.dat and no level.dat_old.
	ErrNoWorld = errors.New("not a world: no level.dat")
	// ErrNotEmpty: a world cannot be created in a folder that holds something.
	ErrNotEmpty = errors.New("the folder is not empty")
	// ErrOptions: options that make no sense.
	ErrOptions = errors.New("invalid options")
	// ErrReadOnly: the world was opened for reading.
	ErrReadOnly = errors.New("the world is open for reading only")
	// ErrNoDimension: the world has no dimension of that id.
	ErrNoDimension = errors.New("no such dimension")
	// ErrDimensionType: the heights of a dimension are not known.
	ErrDimensionType = errors.New("unknown dimension type")
	// ErrVersion: a version does not allow it. A [VersionError] says which.
	ErrVersion = errors.New("not possible with this version")
)

// Rule is a rule about versions that was broken.
type Rule uint8

// The rules.
const (
	// ChunkNewerThanWorld: older games stop at such a chunk, or read what they
	// do not know as air.
	ChunkNewerThanWorld Rule = iota + 1
	// ChunkTooOld: chunks before 26.1 are shown and edited as NBT only.
	ChunkTooOld
	// TooNew: a version that this build does not know.
	TooNew
	// WorldOlder: what is generated would be newer than the world.
	WorldOlder
	// NoConversion: there is no list of conversions from one to the other.
	NoConversion
)

// VersionError says which two versions do not go together. It wraps ErrVersion.
type VersionError struct {
	Rule Rule
	Have int32 // data version of the chunk or world
	Want int32 // the version that sets the limit
}

func (e *VersionError) Error() string {
	have, want := Describe(e.Have), Describe(e.Want)
	switch e.Rule {
	case ChunkNewerThanWorld:
		return fmt.Sprintf("chunk of %s in a world of %s: a chunk must not be newer than its world", have, want)
	case ChunkTooOld:
		return fmt.Sprintf("chunk of %s: chunks are written from %s on, older ones are edited as NBT only", have, want)
	case TooNew:
		return fmt.Sprintf("version %s is newer than %s, the newest that this build knows", have, want)
	case WorldOlder:
		return fmt.Sprintf("world of %s: generating makes chunks of %s; the world has to be upgraded first", have, want)
	case NoConversion:
		return fmt.Sprintf("from %s to %s: there is no list of conversions", have, want)
	}
	return fmt.Sprintf("%s and %s: %v", have, want, ErrVersion)
}

// Unwrap returns ErrVersion.
func (e *VersionError) Unwrap() error { return ErrVersion }
