package pregen

import (
	"errors"
	"fmt"
	"strings"

	"strata/region"
)

// What a caller can test for. Nothing of a world was changed after the ones of
// the first group.
var (
	// ErrOptions: options that make no sense.
	ErrOptions = errors.New("invalid options")
	// ErrMismatch: an interrupted run has other settings; see MismatchError.
	ErrMismatch = errors.New("an interrupted run has other settings")
	// ErrRunFile: the file of an interrupted run cannot be read.
	ErrRunFile = errors.New("the file of the interrupted run cannot be read")
	// ErrRefused: the world is none that chunks can be generated in; see
	// RefusedError.
	ErrRefused = errors.New("cannot generate in this world")

	// ErrBlending is the reason of a chunk that the game would blend with its
	// old neighbours.
	ErrBlending = errors.New("the game would blend it with a chunk from before 1.18 nearby")
	// ErrGenerator: a generator did not make what it was asked for.
	ErrGenerator = errors.New("the generator broke its contract")
)

// Difference is a setting that is not what it was.
type Difference struct {
	Name string `json:"name"`
	Was  string `json:"was"`
	Is   string `json:"is"`
}

// MismatchError says in what an interrupted run differs from the present one.
// It wraps ErrMismatch.
type MismatchError struct{ Differences []Difference }

func (e *MismatchError) Error() string {
	var b strings.Builder
	b.WriteString(ErrMismatch.Error())
	for i, d := range e.Differences {
		if i == 0 {
			b.WriteString(": ")
		} else {
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, "%s was %s, is %s", d.Name, orNone(d.Was), orNone(d.Is))
	}
	return b.String()
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// Unwrap returns ErrMismatch.
func (e *MismatchError) Unwrap() error { return ErrMismatch }

// ChunkError is about one chunk of a run.
type ChunkError struct {
	Dimension string
	Pos       region.ChunkPos
	Err       error
}

func (e *ChunkError) Error() string {
	return fmt.Sprintf("chunk %v of %s: %v", e.Pos, e.Dimension, e.Err)
}

// Unwrap returns the reason.
func (e *ChunkError) Unwrap() error { return e.Err }
