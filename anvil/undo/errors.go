package undo

import (
	"errors"
	"fmt"

	"strata/anvil/store"
	"strata/region"
	"strata/region/vfs"
)

var (
	// ErrNoChange: there is no change of that id, or none that can be undone.
	ErrNoChange = errors.New("no such change")
	// ErrUndone: the change has been undone already.
	ErrUndone = errors.New("has been undone already")
	// ErrSince: something has changed since, and would be overwritten. A
	// [ConflictError] has the list.
	ErrSince = errors.New("changed since")
	// ErrDamaged: a log or manifest is not what was written.
	ErrDamaged = errors.New("damaged")
	// ErrSymlink: the folder of the changes is a symbolic link.
	ErrSymlink = errors.New("is a symbolic link, which nothing is written through")
	// ErrState: the calls of a Change came in a wrong order.
	ErrState = errors.New("the change does not take this any more")
	// ErrDimension: a dimension that the world does not have.
	ErrDimension = errors.New("the world has no such dimension")
)

// Target is one thing that a change keeps: an object, or a data file by its
// path if Path is not "".
type Target struct {
	Dimension string          `json:"dimension,omitempty"`
	Kind      string          `json:"kind,omitempty"` // region, entities, poi
	Pos       region.ChunkPos `json:"pos,omitzero"`
	Path      string          `json:"path,omitempty"`
}

func (t Target) String() string {
	if t.Path != "" {
		return t.Path
	}
	what := "chunk"
	if t.Kind != store.Chunks.String() {
		what = t.Kind
	}
	return fmt.Sprintf("%s %v of %s", what, t.Pos, t.Dimension)
}

// ConflictError lists what has changed since, the first [MaxListed] of it. It
// wraps ErrSince.
type ConflictError struct {
	ID    string
	Count int64
	Some  []Target
}

func (e *ConflictError) Error() string {
	text := fmt.Sprintf("undo %s: %d changed since:", e.ID, e.Count)
	for i, t := range e.Some {
		if i == 10 {
			break
		}
		text += " " + t.String() + ";"
	}
	if e.Count > 10 {
		return text + " ..."
	}
	return text[:len(text)-1]
}

// Unwrap returns ErrSince.
func (e *ConflictError) Unwrap() error { return ErrSince }

// SpaceError says that what is to be kept does not fit on the disk. It wraps
// vfs.ErrNoSpace.
type SpaceError struct{ Space Space }

func (e *SpaceError) Error() string {
	return fmt.Sprintf("keeping what is to be changed takes %d bytes, and %d are free", e.Space.Need, e.Space.Free)
}

// Unwrap returns vfs.ErrNoSpace.
func (e *SpaceError) Unwrap() error { return vfs.ErrNoSpace }
