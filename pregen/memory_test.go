package pregen

import (
	"runtime/debug"
	"testing"
)

// TestTheCollectorKeepsTheLimit: and less of it where a generator keeps nothing
// between chunks, so that large areas take no more than small ones.
func TestTheCollectorKeepsTheLimit(t *testing.T) {
	const limit = 300 << 20
	before := debug.SetMemoryLimit(-1)
	for _, c := range []struct {
		name    string
		profile Profile
		rim     int
		most    int64
	}{
		{"low", Low, 0, limit * lightHeapPart / 100},
		{"low, with features", Low, 1, limit - programBytes},
		{"throughput", Throughput, 0, limit - programBytes},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFake()
			f.facts.Rim = c.rim
			o := Options{Profile: c.profile, MemoryLimit: limit, Targets: []Target{{}, {}}}
			o.Targets[0].Generator, o.Targets[1].Generator = newFake(), f
			undo := o.limitMemory()
			got := debug.SetMemoryLimit(-1)
			undo()
			if got > c.most || got < c.most*9/10 {
				t.Errorf("the collector keeps %d bytes, want about %d", got, c.most)
			}
			if after := debug.SetMemoryLimit(-1); after != before {
				t.Errorf("a limit of %d is left, was %d", after, before)
			}
		})
	}
}
