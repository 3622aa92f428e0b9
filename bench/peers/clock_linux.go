package main

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

const threadClock = "thread_cpu"

// threadTime is the CPU time that the calling thread has used.
func threadTime() time.Duration { return readClock(unix.CLOCK_THREAD_CPUTIME_ID) }

// processTime is the CPU time that all threads have used.
func processTime() time.Duration { return readClock(unix.CLOCK_PROCESS_CPUTIME_ID) }

func readClock(id int32) time.Duration {
	var ts unix.Timespec
	if err := unix.ClockGettime(id, &ts); err != nil {
		// It can fail only for a clock that does not exist, and Linux has
		// these two.
		panic(fmt.Sprintf("read clock %d: %v", id, err))
	}
	return time.Duration(ts.Nano())
}
