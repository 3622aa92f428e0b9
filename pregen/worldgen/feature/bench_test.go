package feature_test

import (
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/feature"
)

// BenchmarkDecorate decorates a chunk of the overworld with the features that
// are here; copying the nine chunks back is not counted.
func BenchmarkDecorate(b *testing.B) {
	w := newWorld(b, 6854583389113976052, "overworld")
	var chunks [9]*feature.Chunk
	var blocks [9][]block.State
	for i := range chunks {
		c := w.make(w.carved, int32(i%3)+97, int32(i/3)+202, chunk.StatusCarvers)
		blocks[i] = append([]block.State(nil), c.Blocks...)
		chunks[i] = feature.NewChunk(c)
	}
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		for i, c := range chunks {
			copy(c.Blocks, blocks[i])
			c.Marks = c.Marks[:0]
			c.Reset()
		}
		b.StartTimer()
		w.decorator.Decorate(chunks, nil)
	}
}
