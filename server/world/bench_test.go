package world

import (
	"testing"

	"strata/anvil/chunk"
	"strata/server/stream"
)

// BenchmarkSaveTicks is what a cut costs when 200 ticks have changed in each of the
// chunks of a view of distance 2.
func BenchmarkSaveTicks(b *testing.B) {
	r := memoryRig(b)
	r.put(4, floor)
	r.open(stream.View{Distance: 2})
	defer r.close()
	for b.Loop() {
		b.StopTimer()
		for pos, t := range r.d.ticks.chunks {
			for i := range int32(200) {
				at := chunk.BlockPos{X: pos.X*16 + i%16, Y: 63, Z: pos.Z*16 + i/16}
				r.d.ticks.put(t, tickKey{pos: at, id: 1}, r.d.now+1000, 0)
			}
			r.d.ticks.change(pos, t)
		}
		b.StartTimer()
		if err := r.d.SaveTicks(); err != nil {
			b.Fatal(err)
		}
	}
}
