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
// a thread's, and new threads have that of the one that starts them: so this
// goes through the threads until there is none left that has its old one.
func lowerPriority() error {
	for range 100 {
		changed, err := lowerThreads()
		if err != nil || !changed {
			return err
		}
	}
	return errors.New("new threads keep coming")
}

func lowerThreads() (changed bool, err error) {
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return false, err
	}
	for _, task := range tasks {
		id, err := strconv.Atoi(task.Name())
		if err != nil {
			continue
		}
		// The system call returns 20 less the priority, as it must not be
		// negative.
		is, err := unix.Getpriority(unix.PRIO_PROCESS, id)
		if err == nil && 20-is < niceness {
			changed = true
			err = unix.Setpriority(unix.PRIO_PROCESS, id, niceness)
		}
		if err != nil && !errors.Is(err, unix.ESRCH) {
			return changed, err
		}
	}
	return changed, nil
}
