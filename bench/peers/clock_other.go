//go:build !linux

package main

import "time"

const threadClock = clockWall

var origin = time.Now()

func threadTime() time.Duration { return time.Since(origin) }

// processTime is not known.
func processTime() time.Duration { return 0 }
