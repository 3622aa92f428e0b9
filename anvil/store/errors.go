package store

import (
	"errors"
	"fmt"

	"strata/region"
)

// What loading finds. Absent, unreadable, too new and in the wrong place are
// different answers; only the first one allows generating.
var (
	// ErrAbsent: there is no such chunk or entry.
	ErrAbsent = errors.New("absent")
	// ErrUnreadable: something is there and cannot be read. What is wrong is
	// wrapped beside it.
	ErrUnreadable = errors.New("cannot be read")
	// ErrTooNew: written by a newer game than the world's, or than we know.
	ErrTooNew = errors.New("from a newer version")
	// ErrTooOld: a chunk from before 1.13, which has no model; or, of a
	// change, one that is older than what we write.
	ErrTooOld = errors.New("from a version that is too old")
	// ErrWrongPosition: the chunk says that it belongs elsewhere.
	ErrWrongPosition = errors.New("belongs to another position")
)

// What changing and saving can answer.
var (
	// ErrReadOnly: the store was opened for reading.
	ErrReadOnly = errors.New("world is open for reading only")
	// ErrClosed: the store is closed.
	ErrClosed = errors.New("store is closed")
	// ErrFrozen: an object of this region file could not be saved and went to
	// the rescue folder; the file takes no more changes until the world is
	// opened again.
	ErrFrozen = errors.New("region is read-only since a save failed for good")
	// ErrUnsaved: Close could not save everything. The store stays open.
	ErrUnsaved = errors.New("not everything could be saved")
	// ErrHeld: raw access would change an object that is in use.
	ErrHeld = errors.New("in use")
	// ErrPath: not a data file of the world.
	ErrPath = errors.New("not a data file of the world")
	// ErrRange: a position or dimension that cannot be.
	ErrRange = errors.New("position or dimension out of range")
	// ErrKind: a chunk where a document is asked for, or the other way round.
	ErrKind = errors.New("of another kind")
	// ErrEncode: bytes that are no NBT document.
	ErrEncode = errors.New("not an NBT document")
)

// What asking the holder of a world can answer.
var (
	// ErrNotHeld: nobody has the world open.
	ErrNotHeld = errors.New("nobody has the world open")
	// ErrForeign: the world is locked, but not by Strata, or by one that
	// publishes no endpoint.
	ErrForeign = errors.New("another program has the world open")
	// ErrProtocol: the holder is of another version of Strata.
	ErrProtocol = errors.New("the holder of the world speaks another version of the protocol")
	// ErrNoPin: the pin has ended, or there was none.
	ErrNoPin = errors.New("no such pin")
	// ErrTooMany: more than is taken at a time.
	ErrTooMany = errors.New("too many at a time")
)

// Error is about one object of the world.
type Error struct {
	Op  string
	Ref Ref
	Err error
}

func (e *Error) Error() string { return fmt.Sprintf("%s %v: %v", e.Op, e.Ref, e.Err) }

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

// VersionError says which versions do not go together. It wraps ErrTooOld or
// ErrTooNew.
type VersionError struct {
	Version  int32 // of the chunk
	Min, Max int32 // that may be written into this world; Min is 0 for reading
}

func (e *VersionError) Error() string {
	if e.Min == 0 {
		return fmt.Sprintf("data version %d is above %d, the newest of this world", e.Version, e.Max)
	}
	return fmt.Sprintf("data version %d is not one of %d to %d, which are written into this world", e.Version, e.Min, e.Max)
}

// Unwrap returns ErrTooOld or ErrTooNew.
func (e *VersionError) Unwrap() error {
	if e.Version > e.Max {
		return ErrTooNew
	}
	return ErrTooOld
}

// PositionError is the ErrWrongPosition of a chunk.
type PositionError struct{ Says region.ChunkPos }

func (e *PositionError) Error() string { return "says that it is chunk " + e.Says.String() }

// Unwrap returns ErrWrongPosition.
func (e *PositionError) Unwrap() error { return ErrWrongPosition }

func (s *Store) fail(op string, ref Ref, err error) error {
	return &Error{Op: op, Ref: ref, Err: err}
}
