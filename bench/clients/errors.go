package clients

import "errors"

// ErrNoAnswer is returned when a judge crashed, hung, or answered what was
// not asked. It says nothing about the library's opinion.
var ErrNoAnswer = errors.New("the judge gave no answer")

// ErrTooLarge is returned for a request over the limit of a line.
var ErrTooLarge = errors.New("the request is larger than a judge takes")

// Refusal is the error of a library that was asked and would not: what it
// threw.
type Refusal struct {
	Op   string // what it was to do
	Text string // the library's words
}

func (r *Refusal) Error() string { return r.Op + ": " + r.Text }
