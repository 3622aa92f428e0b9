package server

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"syscall"
)

// releaseText has the system take the program's code out of the process, but for what
// runs: of a server that nobody is on that is little. The rest comes back from the
// file, mostly from the system's cache of it, when it is called again. Code is never
// written to, so that nothing can be lost. What cannot be done is left.
func releaseText() {
	exe, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return
	}
	for lines := bufio.NewScanner(bytes.NewReader(maps)); lines.Scan(); {
		var from, to uintptr
		var mode, offset, device, path string
		var inode uint64
		n, _ := fmt.Sscanf(lines.Text(), "%x-%x %s %s %s %d %s", &from, &to, &mode, &offset, &device, &inode, &path)
		if n == 7 && mode == "r-xp" && path == exe {
			_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, from, to-from, syscall.MADV_DONTNEED)
		}
	}
}
