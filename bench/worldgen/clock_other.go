//go:build !linux

package worldgen

import "time"

var began = time.Now()

// threadTime is wall time here.
func threadTime() time.Duration { return time.Since(began) }

// processTime is not known here.
func processTime() time.Duration { return 0 }
