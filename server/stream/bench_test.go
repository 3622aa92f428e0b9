package stream

import (
	"testing"

	"strata/anvil/chunk"
	"strata/anvil/registry"
)

// BenchmarkAppendChunk encodes chunks of the corpus, without compression; an
// operation is a chunk.
func BenchmarkAppendChunk(b *testing.B) {
	tables := chunk.NewTables()
	chunks := corpusChunks(b, tables, 4)
	for _, v := range registry.Versions() {
		b.Run(v.Info().Name, func(b *testing.B) {
			e := newEncoder(b, v, tables)
			var data []byte
			total, n := 0, 0
			b.ReportAllocs()
			for b.Loop() {
				var err error
				c := chunks[n%len(chunks)]
				if data, err = e.AppendChunk(data[:0], c, shapeOf(c)); err != nil {
					b.Fatal(err)
				}
				total += len(data)
				n++
			}
			b.ReportMetric(float64(total)/float64(n), "B/packet")
		})
	}
}

// BenchmarkFrame makes compressed frames of them.
func BenchmarkFrame(b *testing.B) {
	tables := chunk.NewTables()
	chunks := corpusChunks(b, tables, 16)
	for _, level := range []int{1, 3, 4, 6} {
		b.Run("level="+string(rune('0'+level)), func(b *testing.B) {
			builder := newBuilder(&CacheOptions{Encoder: EncoderOptions{Tables: tables}, Threshold: 256, Level: level})
			total, n := 0, 0
			b.ReportAllocs()
			for b.Loop() {
				c := chunks[n%len(chunks)]
				frame, err := builder.build(registry.V26_1, c, shapeOf(c))
				if err != nil {
					b.Fatal(err)
				}
				total += len(frame)
				n++
			}
			b.ReportMetric(float64(total)/float64(n), "B/frame")
		})
	}
}
