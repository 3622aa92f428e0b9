//go:build unix && !linux

package main

import "golang.org/x/sys/unix"

// niceness is what --nice adds.
const niceness = 10

// lowerPriority makes the process give way to others.
func lowerPriority() error { return unix.Setpriority(unix.PRIO_PROCESS, 0, niceness) }
