package carve_test

import (
	"runtime"
	"testing"
	"time"

	"strata/anvil/block"
	"strata/pregen/worldgen/proto"
)

// BenchmarkCarve digs chunks full of stone, or of air, where only the mask is
// made, with an aquifer that always answers air: tile after tile of 8 by 8
// chunks side by side, or chunks that have no starts in common. It reports
// thread CPU time.
func BenchmarkCarve(b *testing.B) {
	stone, netherrack := block.MustParse("stone"), block.MustParse("netherrack")
	for _, c := range []struct {
		name  string
		d     dimension
		rock  block.State
		place func(n int32) (x, z int32)
	}{
		{"overworld/tiles", overworld, stone, inTiles},
		{"overworld/tiles/mask", overworld, 0, inTiles},
		{"overworld/lone", overworld, stone, alone},
		{"nether/tiles", nether, netherrack, inTiles},
	} {
		b.Run(c.name, func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			worker := load(b, c.d).NewWorker(1234, nil)
			chunk := proto.New(c.d.minY, c.d.height)
			rock := make([]block.State, len(chunk.Blocks))
			for i := range 256 * int(c.d.span.Height) {
				rock[i] = c.rock
			}
			var spent time.Duration
			b.ReportAllocs()
			for n := int32(0); b.Loop(); n++ {
				x, z := c.place(n)
				chunk.Reset(x, z)
				copy(chunk.Blocks, rock)
				start := cpuTime()
				worker.Carve(chunk, pool{}, pool{})
				spent += cpuTime() - start
			}
			b.ReportMetric(float64(spent.Nanoseconds())/float64(b.N), "cpu-ns/chunk")
		})
	}
}

// inTiles numbers the chunks of a row of tiles.
func inTiles(n int32) (x, z int32) { return n/64*8 + n&7, n >> 3 & 7 }

// alone numbers chunks that are far apart.
func alone(n int32) (x, z int32) { return n * 20, 0 }
