package surface

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"strata/pregen/worldgen/oracletest"
)

// BenchmarkBuild is the surface of a chunk, without its biomes and the
// preliminary surface, which are computed before.
func BenchmarkBuild(b *testing.B) {
	for _, d := range oracletest.Dumps(b, "noise") {
		w := newWorld(b, d.Dimension, d.Seed)
		view, from := w.view(d.X, d.Z), w.load(d)
		c := w.load(d)
		heights := *c
		b.Run(fmt.Sprintf("%s/seed=%d/at=%d,%d", d.Dimension, d.Seed, d.X, d.Z), func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			var spent time.Duration
			for b.Loop() {
				copy(c.Blocks, from.Blocks)
				*c = heights
				start := cpuTime()
				w.builder.Build(c, view, w.density)
				spent += cpuTime() - start
			}
			b.ReportMetric(float64(spent.Nanoseconds())/1000/float64(b.N), "cpu-µs/chunk")
		})
	}
}

func BenchmarkNew(b *testing.B) {
	w := newWorld(b, "overworld", 1)
	for b.Loop() {
		if _, err := New(w.system.settings); err != nil {
			b.Fatal(err)
		}
	}
}
