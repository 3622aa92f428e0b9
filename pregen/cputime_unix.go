//go:build unix

package pregen

import (
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime is the CPU time that the process has taken.
func cpuTime() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
