package nbt

import (
	"errors"
	"strconv"
)

// What is wrong with a document. A [SyntaxError] says where.
var (
	// ErrTruncated: the document ends within a tag.
	ErrTruncated = errors.New("ends within a tag")
	// ErrType: a byte that is none of the thirteen types, or elements in a list
	// of type End.
	ErrType = errors.New("no such tag type")
	// ErrLength: a count below zero.
	ErrLength = errors.New("count below zero")
	// ErrRoot: no tag where the root should be.
	ErrRoot = errors.New("no root tag")

	// The limits, see [Limits].

	// ErrDepth: compounds and lists nested deeper than Limits.Depth.
	ErrDepth = errors.New("nested too deeply")
	// ErrSize: a document larger than Limits.Bytes, or a list or array to be
	// written that has more elements than an int counts.
	ErrSize = errors.New("too large")
	// ErrTags: more tags than Limits.Tags.
	ErrTags = errors.New("too many tags")
)

// What cannot be written.
var (
	// ErrStringLength: a string of more than 65,535 bytes in modified UTF-8.
	ErrStringLength = errors.New("string longer than 65,535 bytes")
	// ErrElementType: an element of another type than its list.
	ErrElementType = errors.New("element of another type than its list")
	// ErrUnbalanced: an End without a compound or list, one that is missing, a
	// tag without a name in a compound, or fewer or more elements than a list
	// announced.
	ErrUnbalanced = errors.New("writer calls do not make a document")
)

// SyntaxError is a defect of a document, or a limit that it oversteps.
type SyntaxError struct {
	// Offset in the document, in bytes, of the tag or count at fault.
	Offset int
	// Path of the tag as the game writes paths, "" at the root.
	Path string
	// Err is one of the sentinels of this package.
	Err error
}

func (e *SyntaxError) Error() string {
	at := "nbt: offset " + strconv.Itoa(e.Offset)
	if e.Path != "" {
		at += ", " + e.Path
	}
	return at + ": " + e.Err.Error()
}

// cutAt makes a document that was cut off at Limits.Bytes one that is too
// large.
func (e *SyntaxError) cutAt(limit bool) *SyntaxError {
	if limit && errors.Is(e.Err, ErrTruncated) {
		e.Err = ErrSize
	}
	return e
}

// Unwrap returns the sentinel.
func (e *SyntaxError) Unwrap() error { return e.Err }
