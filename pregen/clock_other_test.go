//go:build !linux

package pregen

import "time"

var began = time.Now()

// threadTime stands for the processor time of a thread.
func threadTime() time.Duration { return time.Since(began) }
