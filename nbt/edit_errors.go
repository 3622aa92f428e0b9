package nbt

import (
	"errors"
	"strconv"
)

// What an [Edit] refuses, beside [ErrElementType] and what is wrong with a
// value itself. An [EditError] says where.
var (
	// ErrOverlap: two edits of one tag, or an edit within a tag that another
	// edit replaces or removes.
	ErrOverlap = errors.New("overlaps another edit")
	// ErrPlace: a tag that does not exist, belongs to another tape or is not
	// of the type that the edit needs; an index outside its list; the removal of
	// the root.
	ErrPlace = errors.New("no such place to edit")
	// ErrTrailing: a value with bytes after its end.
	ErrTrailing = errors.New("bytes after the value's end")
)

// EditError is an edit that cannot be made.
type EditError struct {
	// Op is the method's name in lower case, such as "set".
	Op string
	// Path in the document of the tag that the edit is about: of the compound
	// or list for one that adds to it.
	Path string
	// Offset of a defect in the value that was given, in bytes, else -1.
	Offset int
	// Err is one of the sentinels of this package.
	Err error
}

func (e *EditError) Error() string {
	msg := "nbt: " + e.Op
	if e.Path != "" {
		msg += " " + e.Path
	}
	if e.Offset >= 0 {
		msg += ": offset " + strconv.Itoa(e.Offset) + " of the value"
	}
	return msg + ": " + e.Err.Error()
}

// Unwrap returns the sentinel.
func (e *EditError) Unwrap() error { return e.Err }
