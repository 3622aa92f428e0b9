//go:build !linux

package surface

import "time"

var started = time.Now()

// cpuTime is the time that passed, for want of the thread's.
func cpuTime() time.Duration { return time.Since(started) }
