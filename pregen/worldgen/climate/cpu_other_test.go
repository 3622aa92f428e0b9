//go:build !linux

package climate_test

import "time"

var start = time.Now()

// threadTime is time itself where threads have no clock that we know.
func threadTime() time.Duration { return time.Since(start) }
