//go:build linux || darwin

package bench

import "golang.org/x/sys/unix"

// dsync makes each write wait until its data is durable.
const dsync = unix.O_DSYNC
