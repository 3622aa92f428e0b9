package region

import (
	"errors"
	"fmt"
	"strings"
)

// Results of reading and writing that a caller tests for with errors.Is.
var (
	// ErrAbsent: the slot is empty. Never returned for a chunk that is there
	// but cannot be read.
	ErrAbsent = errors.New("chunk is absent")
	// ErrUnreadable refuses a write over a record that cannot be read; the
	// Overwrite flag of Write allows it. The class of what is wrong with the
	// record is wrapped beside it.
	ErrUnreadable = errors.New("slot holds a record that cannot be read")
	// ErrChanged: the entry is not the one Write.If asked for.
	ErrChanged = errors.New("slot has changed")
	// ErrFull: the record would lie at or beyond 2 GiB even in a compacted file.
	ErrFull = errors.New("region file is full")
	// ErrFlush: a flush failed, and so did the second try through a reopened
	// file. What was being written is not acknowledged.
	ErrFlush = errors.New("flush failed")
	// ErrPinned: a pin forbids what was asked (compaction, replacement).
	ErrPinned = errors.New("region file is pinned")
	// ErrPinRevoked: the pin held back too much space and was given up, or
	// its file was closed; the snapshot that uses it must be discarded.
	ErrPinRevoked = errors.New("pin was revoked")
	// ErrStranded: a journal's record names a group that could not be
	// published; nothing is written until the file is opened again, after the
	// journal's replay.
	ErrStranded = errors.New("region file waits for the replay of its journal")
	// ErrBusy: groups are staged and not yet published.
	ErrBusy = errors.New("region file has staged groups")
	// ErrNeedsRepair: the file has defects of severity error, so it is not
	// rewritten. Check lists them, Repair mends them.
	ErrNeedsRepair = errors.New("region file needs repair")
	// ErrReplaced: another file has taken the path of the open one.
	ErrReplaced = errors.New("region file was replaced by another program")
	// ErrReadOnly: the file was opened for reading.
	ErrReadOnly = errors.New("region file is open for reading only")
	// ErrClosed: the file or folder is closed.
	ErrClosed = errors.New("region file is closed")
	// ErrDone: the group was already published or aborted.
	ErrDone = errors.New("group is done")
	// ErrNoPosition: the file's name gives no region position, which external
	// chunks need.
	ErrNoPosition = errors.New("file name gives no region position")
)

// Error says where an operation on a region file went wrong. Fields that do
// not apply are negative or empty.
type Error struct {
	Op     string   // "read chunk", "publish", ...
	Path   string   // region file or external file
	Chunk  ChunkPos // of the slot, if Slot >= 0
	Slot   int      // -1: not about one slot
	Offset int64    // byte in the file, -1: unknown
	Class  Class    // "" unless it is a defect of the file
	Err    error    // cause, may be nil if Class says all
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Op)
	if e.Slot >= 0 {
		fmt.Fprintf(&b, " chunk %s (slot %d)", e.Chunk, e.Slot)
	}
	b.WriteString(" in " + e.Path)
	if e.Offset >= 0 {
		fmt.Fprintf(&b, " at byte %d", e.Offset)
	}
	if e.Class != "" {
		b.WriteString(": " + string(e.Class))
	}
	if e.Err != nil {
		b.WriteString(": " + e.Err.Error())
	}
	return b.String()
}

// Unwrap gives the class and the cause to errors.Is and errors.As.
func (e *Error) Unwrap() []error {
	var errs []error
	if e.Class != "" {
		errs = append(errs, e.Class)
	}
	if e.Err != nil {
		errs = append(errs, e.Err)
	}
	return errs
}

// Class names a kind of defect of a region file. It is an error, so that
// errors.Is(err, region.ShortHeader) tells what made a read fail.
type Class string

func (c Class) Error() string { return string(c) }
