//go:build !unix && !windows

package pregen

import "time"

// cpuTime is not known here.
func cpuTime() time.Duration { return 0 }
