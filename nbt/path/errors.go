package path

import (
	"errors"
	"strconv"
)

// What is wrong with a path. A [SyntaxError] says where; what is wrong with a
// filter is a [*strata/nbt/snbt.SyntaxError] within it.
var (
	// ErrNode: no node where one should be.
	ErrNode = errors.New("want a name, [ or {")
	// ErrSeparator: two nodes without a dot between them.
	ErrSeparator = errors.New("want ., [ or the end")
	// ErrRootFilter: a filter without name or brackets that is not at the start.
	ErrRootFilter = errors.New("a filter of the root stands only at the start")
	// ErrQuote: a quoted name without its end.
	ErrQuote = errors.New("quoted name has no end")
	// ErrEscape: a backslash in quotes before anything but a quote of the same
	// kind or a backslash.
	ErrEscape = errors.New(`want \\ or the quote after \`)
	// ErrIndex: no whole number of 32 bits in brackets.
	ErrIndex = errors.New("want an index, { or ]")
	// ErrBracket: no ] where it should be.
	ErrBracket = errors.New("want ]")
	// ErrTrailing: text after the path.
	ErrTrailing = errors.New("text after the path")
	// ErrName: a name of more than 65,535 bytes, which no tag can have.
	ErrName = errors.New("name too long")
	// ErrLong: more than MaxBytes or MaxNodes.
	ErrLong = errors.New("path too long")
)

// What an edit through a path refuses, beside what package nbt does.
var (
	// ErrNotList: values to insert into a tag that is no list or array.
	ErrNotList = errors.New("not a list or array")
	// ErrNotCompound: a merge with a tag that is no compound, or of a value
	// that is none.
	ErrNotCompound = errors.New("not a compound")
	// ErrMixed: an item of a list of several types, when the edit makes no such
	// lists.
	ErrMixed = errors.New("list of several types")
)

// SyntaxError is a defect of a path.
type SyntaxError struct {
	// Offset in the text, in bytes from 0.
	Offset int
	// Err is one of the sentinels of this package, or a filter's error.
	Err error
}

func (e *SyntaxError) Error() string {
	return "path: offset " + strconv.Itoa(e.Offset) + ": " + e.Err.Error()
}

// Unwrap returns what is wrong there.
func (e *SyntaxError) Unwrap() error { return e.Err }
