package flate_test

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// BenchmarkEncodeRatio runs the encoders in turn, pass by pass, and reports
// for each the median CPU time of this thread, in microseconds a chunk and as
// a share of the standard library's at level 6. Neighbours on the machine
// disturb all of them alike, so the shares hold where single timings do not.
// An operation is one pass of all: use it with -benchtime=9x or so. Of the
// encoders it takes those in STRATA_ENCODERS, as in "level=6 klauspost=5",
// when that is set.
func BenchmarkEncodeRatio(b *testing.B) {
	const reference = "stdlib=6"
	chunks := chunkCorpus(b)
	only := strings.Fields(os.Getenv("STRATA_ENCODERS"))
	var list []packer
	for _, p := range packers() {
		if p.name == reference || len(only) == 0 || slices.Contains(only, p.name) {
			list = append(list, p)
		}
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	dst := make([]byte, 0, 1<<20)
	pack := make([]func(dst, src []byte) []byte, len(list))
	times := make([][]time.Duration, len(list))
	for i, p := range list {
		pack[i] = p.make(b)
	}
	for b.Loop() {
		for i := range list {
			runtime.GC()
			start := threadTime(b)
			for _, c := range chunks {
				dst = pack[i](dst, c)
			}
			times[i] = append(times[i], threadTime(b)-start)
		}
	}
	medians := map[string]float64{}
	for i, p := range list {
		slices.Sort(times[i])
		medians[p.name] = float64(times[i][len(times[i])/2].Nanoseconds()) / 1e3 / float64(len(chunks))
	}
	for name, us := range medians {
		b.ReportMetric(us, name+"-us/chunk")
		b.ReportMetric(us/medians[reference], name+"/std6")
	}
}

func threadTime(b *testing.B) time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		b.Fatal(err)
	}
	return time.Duration(t.Nano())
}
