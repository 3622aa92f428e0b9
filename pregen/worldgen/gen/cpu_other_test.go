//go:build !linux

package gen_test

import "time"

var began = time.Now()

// cpuTime returns the time that has gone by; thread times are Linux's.
func cpuTime() time.Duration { return time.Since(began) }
