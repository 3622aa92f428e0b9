package bench

import (
	"time"

	"golang.org/x/sys/unix"
)

// processTime is the CPU time of all threads of this process, 0 if it is not
// known.
func processTime() time.Duration {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &ts); err != nil {
		return 0
	}
	return time.Duration(ts.Nano())
}
