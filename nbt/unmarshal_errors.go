package nbt

import (
	"errors"
	"reflect"
	"strconv"
)

// Why a tag and a Go value do not go together. A [TypeError] says where.
var (
	// ErrMismatch: a tag of a type that the Go type does not take.
	ErrMismatch = errors.New("types do not go together")
	// ErrRange: a number beyond the range of the Go type.
	ErrRange = errors.New("number out of range")
	// ErrCount: an array or list of another length than the Go array.
	ErrCount = errors.New("length is not that of the array")
	// ErrUnknown: a member for which the struct has no field, and
	// Decoder.Strict is set.
	ErrUnknown = errors.New("no field for this member")
	// ErrGoType: a Go type that no tag stands for, such as a channel, or a
	// struct whose tags are not understood.
	ErrGoType = errors.New("no tag for this Go type")
	// ErrNil: nothing where a tag is needed: a nil among the elements of a list,
	// or as root of a file.
	ErrNil = errors.New("nil where a tag is needed")
	// ErrTarget: what Unmarshal should fill is not a pointer, or nil.
	ErrTarget = errors.New("target is not a pointer to a value")
)

// TypeError says which tag and which Go value do not go together, in reading
// or in writing.
type TypeError struct {
	// Offset of the tag in the document, in bytes, when it was read; -1 when
	// it should be written. In a list of numbers it is that of the list.
	Offset int
	// Path of the tag as the game writes paths, "" at the root.
	Path string
	// Type of the tag; End where none was found or made yet.
	Type Type
	// GoType is the type of the Go value.
	GoType reflect.Type
	// Err is one of the sentinels of this package, or what an [Unmarshaler],
	// [Marshaler] or a method of the encoding package returned.
	Err error
}

func (e *TypeError) Error() string {
	text := "nbt: "
	if e.Offset >= 0 {
		text += "offset " + strconv.Itoa(e.Offset) + ", "
	}
	if e.Path != "" {
		text += e.Path + ": "
	}
	if e.Type != TypeEnd {
		text += e.Type.String() + " and "
	}
	if e.GoType != nil {
		text += e.GoType.String() + ": "
	}
	return text + e.Err.Error()
}

// Unwrap returns the reason.
func (e *TypeError) Unwrap() error { return e.Err }

// step is one step of the path to a tag at fault, kept while the calls return.
type step struct {
	name  []byte // of a member, in modified UTF-8
	index int    // of an element, -1 for a member
}

// pathOf writes the steps, innermost first, as the game writes paths.
func pathOf(steps []step) string {
	var path []byte
	for i := len(steps) - 1; i >= 0; i-- {
		if s := steps[i]; s.index >= 0 {
			path = appendPathIndex(path, s.index)
		} else {
			path = appendPathMember(path, s.name)
		}
	}
	return string(path)
}
