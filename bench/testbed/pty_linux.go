package testbed

import (
	"os"
	"strconv"
	"syscall"
	"testing"
	"unsafe"
)

// Requests of ioctl for a pseudo terminal, from Linux's asm-generic/ioctls.h.
const (
	unlockPTY = 0x40045431
	numberPTY = 0x80045430
)

// OpenPTY returns both ends of a new terminal of so many columns and rows: what is
// written into the first is typed, what is read from it was printed. The test closes
// both when it ends, and is skipped where there are no terminals.
func OpenPTY(t testing.TB, columns, rows uint16) (keys, terminal *os.File) {
	t.Helper()
	keys, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		SkipOrFail(t, "there are no terminals here: %v", err)
	}
	t.Cleanup(func() { _ = keys.Close() })
	var lock, number int32
	ioctl(t, keys, unlockPTY, unsafe.Pointer(&lock))
	ioctl(t, keys, numberPTY, unsafe.Pointer(&number))
	terminal, err = os.OpenFile("/dev/pts/"+strconv.Itoa(int(number)), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = terminal.Close() })
	size := [4]uint16{rows, columns}
	ioctl(t, terminal, syscall.TIOCSWINSZ, unsafe.Pointer(&size))
	return keys, terminal
}

// ioctl leaves the file to the poller, so that closing it ends who reads it.
func ioctl(t testing.TB, f *os.File, request uintptr, arg unsafe.Pointer) {
	t.Helper()
	conn, err := f.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var errno syscall.Errno
	err = conn.Control(func(fd uintptr) {
		_, _, errno = syscall.Syscall(syscall.SYS_IOCTL, fd, request, uintptr(arg))
	})
	if err != nil || errno != 0 {
		t.Fatal(err, errno)
	}
}
