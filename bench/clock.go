package bench

import (
	"runtime"
	"time"
)

// threadClock measures the CPU time of one goroutine by tying it to its
// thread, so that other programs on the machine do not count. What the thread
// does for the garbage collector meanwhile does.
type threadClock struct{ start time.Duration }

// startThreadClock locks the calling goroutine to its thread until stop.
func startThreadClock() threadClock {
	runtime.LockOSThread()
	return threadClock{threadTime()}
}

// elapsed is the time since start. Reading costs a fraction of a microsecond.
func (c threadClock) elapsed() time.Duration { return threadTime() - c.start }

func (c threadClock) stop() { runtime.UnlockOSThread() }
