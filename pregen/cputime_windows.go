package pregen

import (
	"time"

	"golang.org/x/sys/windows"
)

// cpuTime is the CPU time that the process has taken.
func cpuTime() time.Duration {
	var created, ended, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(windows.CurrentProcess(), &created, &ended, &kernel, &user); err != nil {
		return 0
	}
	// Filetime counts units of 100 ns; its Nanoseconds is about dates.
	ticks := func(t windows.Filetime) int64 { return int64(t.HighDateTime)<<32 | int64(t.LowDateTime) }
	return time.Duration(100 * (ticks(kernel) + ticks(user)))
}
