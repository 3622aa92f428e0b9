package flate

import (
	"runtime"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// BenchmarkInflateRatio runs the decoders in turn, pass by pass, and reports
// the median CPU time of this thread for each, in microseconds a chunk and as a
// share of the standard library's. Neighbours on the machine disturb all of
// them alike, so the shares hold where single timings do not. Use it with
// -benchtime=15x or so: that is the number of passes.
func BenchmarkInflateRatio(b *testing.B) {
	streams, _ := zlibStreams(b, 998)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	unpack := make([]func([]byte) ([]byte, error), len(unpackers))
	times := make([][]time.Duration, len(unpackers))
	for i, u := range unpackers {
		unpack[i] = u.make()
	}
	for b.Loop() {
		for i := range unpackers {
			runtime.GC()
			start := threadTime(b)
			for _, s := range streams {
				if _, err := unpack[i](s); err != nil {
					b.Fatal(err)
				}
			}
			times[i] = append(times[i], threadTime(b)-start)
		}
	}
	medians := map[string]float64{}
	for i, u := range unpackers {
		slices.Sort(times[i])
		median := times[i][len(times[i])/2]
		medians[u.name] = float64(median.Nanoseconds()) / 1e3 / float64(len(streams))
	}
	for name, us := range medians {
		b.ReportMetric(us, name+"-us/chunk")
		if name != "stdlib" {
			b.ReportMetric(us/medians["stdlib"], name+"/stdlib")
		}
	}
}

func threadTime(b *testing.B) time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		b.Fatal(err)
	}
	return time.Duration(t.Nano())
}
