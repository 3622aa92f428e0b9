package main

import (
	"errors"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// niceness is what --nice adds.
const niceness = 10

// lowerPriority makes the process give way to others. On Linux a priority is
// a thread's, and new threads have that of the one that starts them.
func lowerPriority() error {
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return err
	}
	for _, task := range tasks {
		id, err := strconv.Atoi(task.Name())
		if err != nil {
			continue
		}
		if err := unix.Setpriority(unix.PRIO_PROCESS, id, niceness); err != nil && !errors.Is(err, unix.ESRCH) {
			return err
		}
	}
	return nil
}
