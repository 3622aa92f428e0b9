package pregen

import (
	"time"

	"golang.org/x/sys/unix"
)

// threadTime is the processor time of the calling goroutine's thread, which
// fake work is measured by.
func threadTime() time.Duration {
	var ts unix.Timespec
	if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts) != nil {
		return 0
	}
	return time.Duration(ts.Nano())
}
