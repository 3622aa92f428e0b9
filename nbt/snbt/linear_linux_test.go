package snbt

import (
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"strata/nbt"
)

// threadTime is the CPU time of the thread, which other programs on the
// machine do not add to. getrusage(2) knows it by the tick only.
func threadTime(t *testing.T) time.Duration {
	const threadCPU = 3 // CLOCK_THREAD_CPUTIME_ID, clock_gettime(2)
	var now syscall.Timespec
	if _, _, err := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, threadCPU, uintptr(unsafe.Pointer(&now)), 0); err != 0 {
		t.Fatal(err)
	}
	return time.Duration(now.Nano())
}

func TestParsingTakesLinearTime(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	for name, text := range map[string]func(n int) string{
		"white space": func(n int) string { return "[" + strings.Repeat("1"+strings.Repeat(" ", 100)+",", n/100) + "]" },
		"mixed lists": func(n int) string {
			return strings.Repeat("[", 200) + strings.Repeat("0,0b,", n/5) + strings.Repeat(",a]", 200)[1:]
		},
		"long numbers": func(n int) string { return "[" + strings.Repeat("1_", n/2) + "1]" },
		"escapes":      func(n int) string { return "[" + strings.Repeat(`"\"`+strings.Repeat(`\n`, 1000)+`",`, n/2000) + "]" },
		"bare words":   func(n int) string { return "[" + strings.Repeat("a ,", n/3) + "]" },
	} {
		t.Run(name, func(t *testing.T) {
			runtime.LockOSThread() // a subtest has a goroutine of its own
			defer runtime.UnlockOSThread()
			run := func(n int) time.Duration {
				text := text(n)
				best := time.Hour
				for range 3 {
					start := threadTime(t)
					_, err := Parse(text, nbt.Limits{})
					if _, ok := err.(*SyntaxError); err != nil && !ok {
						t.Fatal(err)
					}
					best = min(best, threadTime(t)-start)
				}
				return best
			}
			small, large := run(40_000), run(400_000)
			if large > 60*small+20*time.Millisecond {
				t.Errorf("%v for 40 kB, %v for 400 kB", small, large)
			}
		})
	}
}
