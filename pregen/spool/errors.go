package spool

import "errors"

// What a caller can test for.
var (
	// ErrOtherRun: the file is a spool, but of another run or region.
	ErrOtherRun = errors.New("spool of another run")
	// ErrTooLarge: a payload, or a file, is larger than the limit.
	ErrTooLarge = errors.New("spool is too large")
	// ErrDamaged: a record that was read before has changed on the disk.
	ErrDamaged = errors.New("spool record is damaged")
	// ErrAbsent: there is no such record.
	ErrAbsent = errors.New("no such record")
)
