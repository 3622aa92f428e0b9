package journal

import (
	"errors"
	"fmt"

	"strata/region"
)

// When an epoch is made or committed. Unless it is one of the first two, an
// error of Commit means that nothing of the epoch has happened.
var (
	// ErrIncomplete: the epoch is acknowledged, but a step after that failed.
	// Opening the world again completes it.
	ErrIncomplete = errors.New("epoch is acknowledged and not completed")
	// ErrInDoubt: the record's flush failed and the record could not be erased
	// either. Whether the epoch has happened shows when the world is opened
	// again: all of it or nothing.
	ErrInDoubt = errors.New("epoch may or may not be durable")
	// ErrFlush: a flush failed, and so did the second try through a reopened
	// file.
	ErrFlush = errors.New("flush failed")
	// ErrBroken: an earlier epoch ended with ErrIncomplete or ErrInDoubt.
	ErrBroken = errors.New("journal takes no epochs until the world is opened again")
	// ErrTooLarge: the record would be longer than MaxRecord.
	ErrTooLarge = errors.New("journal record is too large")
	// ErrPath: a path is not inside a root, or names a file that no epoch may
	// change.
	ErrPath = errors.New("path is not the journal's to change")
	// ErrSymlink: a path leads through a symbolic link.
	ErrSymlink = errors.New("path leads through a symbolic link")
	// ErrTwice: a file occurs twice in one epoch.
	ErrTwice = errors.New("file occurs twice in one epoch")
	// ErrDone: the epoch was already committed or aborted.
	ErrDone = errors.New("epoch is done")
	// ErrClosed: the journal is closed.
	ErrClosed = errors.New("journal is closed")
)

// When a world is opened.
var (
	// ErrInUse: another holder has the journal open for writing.
	ErrInUse = errors.New("journal is in use")
	// errDamaged: bytes that are no record.
	errDamaged = errors.New("damaged journal record")
)

// Mismatch says why a record is not replayed: a file is neither as it was
// before the epoch nor as the epoch would leave it.
type Mismatch struct {
	// Path is the file's.
	Path string
	// Slot is the entry's, -1 if it is not about one; Chunk is the slot's
	// position.
	Slot  int
	Chunk region.ChunkPos
	// Problem says what is wrong with it.
	Problem string
}

func (m *Mismatch) Error() string {
	if m.Slot >= 0 {
		return fmt.Sprintf("chunk %s (slot %d) in %s: %s", m.Chunk, m.Slot, m.Path, m.Problem)
	}
	return m.Path + ": " + m.Problem
}
