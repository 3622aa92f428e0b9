package session

import "errors"

// What a caller can test for.
var (
	// ErrLocked: somebody else holds the world. A [LockedError] says where.
	ErrLocked = errors.New("the world is locked by another process")
	// ErrLost: the lock is no longer the world's. Whoever writes must stop.
	ErrLost = errors.New("the lock of the world was lost")
	// ErrSymlink: session.lock is a symbolic link. What it leads to may be
	// anything, and is not written to.
	ErrSymlink = errors.New("the lock of the world is a symbolic link")
	// ErrReleased: the lock was given away before.
	ErrReleased = errors.New("the lock of the world was released")
)

// LockedError says which folder somebody else holds.
type LockedError struct {
	Folder string
}

func (e *LockedError) Error() string { return "lock " + e.Folder + ": " + ErrLocked.Error() }

// Unwrap returns ErrLocked.
func (e *LockedError) Unwrap() error { return ErrLocked }
