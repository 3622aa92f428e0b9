package store

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// clock measures the processor time of the calling goroutine's thread.
type clock struct{ start time.Duration }

func startClock() clock {
	runtime.LockOSThread()
	return clock{threadTime()}
}

func (c clock) stop() time.Duration {
	defer runtime.UnlockOSThread()
	return threadTime() - c.start
}

func threadTime() time.Duration { return timeOf(unix.CLOCK_THREAD_CPUTIME_ID) }

// processTime is the processor time of all threads.
func processTime() time.Duration { return timeOf(unix.CLOCK_PROCESS_CPUTIME_ID) }

func timeOf(id int32) time.Duration {
	var ts unix.Timespec
	if unix.ClockGettime(id, &ts) != nil {
		return 0
	}
	return time.Duration(ts.Nano())
}
