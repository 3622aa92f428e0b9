package snbt

import (
	"errors"
	"strconv"
)

// What is wrong with a text. A [SyntaxError] says where. The limits have the
// sentinels of package nbt: ErrDepth, ErrSize, ErrTags; a string that NBT
// cannot hold is its ErrStringLength.
var (
	// ErrSyntax: something else stands where the grammar wants Expected.
	ErrSyntax = errors.New("unexpected text")
	// ErrEnd: the text ends within a value.
	ErrEnd = errors.New("text ends within a value")
	// ErrTrailing: text follows the value.
	ErrTrailing = errors.New("text after the value")
	// ErrNumber: a number that its type cannot hold.
	ErrNumber = errors.New("number out of range")
	// ErrLeadingZero: a decimal integer with a zero before other digits.
	ErrLeadingZero = errors.New("leading zero")
	// ErrUnderscore: an underscore at the start or end of a run of digits.
	ErrUnderscore = errors.New("underscore not between digits")
	// ErrElement: an element that its array cannot hold.
	ErrElement = errors.New("no element for an array of this type")
	// ErrEscape: an escape in a quoted string that does not exist.
	ErrEscape = errors.New("no such escape")
	// ErrCharacterName: \N{name} with a name that no character has.
	ErrCharacterName = errors.New("no character has this name")
	// ErrOperation: an operation that does not exist.
	ErrOperation = errors.New("no such operation")
	// ErrArgument: an argument that an operation does not take.
	ErrArgument = errors.New("operation does not take this argument")
	// ErrJSON: JSON that is well formed and yet not the typed form of a tag.
	ErrJSON = errors.New("not a tag in JSON")
)

// SyntaxError is a defect of a text, or a limit that it oversteps.
type SyntaxError struct {
	// Offset in the text, in bytes from 0.
	Offset int
	// Line and Column in the text, both from 1, the column in characters.
	Line, Column int
	// Expected says what the grammar wants there, "" if Err says enough.
	Expected string
	// Err is one of the sentinels of this package or of package nbt.
	Err error
}

func (e *SyntaxError) Error() string {
	text := "snbt: line " + strconv.Itoa(e.Line) + ", column " + strconv.Itoa(e.Column) + ": " + e.Err.Error()
	if e.Expected != "" {
		text += ", want " + e.Expected
	}
	return text
}

// Unwrap returns the sentinel.
func (e *SyntaxError) Unwrap() error { return e.Err }

// syntaxError finds line and column of an offset.
func syntaxError(text string, offset int, err error, expected string) *SyntaxError {
	offset = min(offset, len(text))
	e := &SyntaxError{Offset: offset, Line: 1, Column: 1, Expected: expected, Err: err}
	start := 0
	for i := range offset {
		if text[i] == '\n' {
			e.Line++
			start = i + 1
		}
	}
	for range text[start:offset] {
		e.Column++
	}
	return e
}
