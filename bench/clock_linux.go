package bench

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

const threadClockKind = "thread_cpu"

// threadTime is the CPU time that the calling thread has used.
func threadTime() time.Duration {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts); err != nil {
		// The call can fail only for a clock that does not exist; Linux has
		// had this one since 2.6.12.
		panic(fmt.Sprintf("bench: thread CPU clock: %v", err))
	}
	return time.Duration(ts.Nano())
}
