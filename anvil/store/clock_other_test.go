//go:build !linux

package store

import "time"

// clock measures time where the processor time of a thread is not to be had.
type clock struct{ start time.Time }

func startClock() clock { return clock{time.Now()} }

func (c clock) stop() time.Duration { return time.Since(c.start) }

func processTime() time.Duration { return time.Since(time.Time{}) }
