//go:build !linux

package bench

import "time"

// Other systems give no thread CPU time that can be read without cgo or that
// is fine enough (Windows counts in ticks of 15.6 ms), so the monotonic clock
// stands in: run on an idle machine, and trust the fastest pass.
const threadClockKind = "wall"

var clockOrigin = time.Now()

func threadTime() time.Duration { return time.Since(clockOrigin) }
