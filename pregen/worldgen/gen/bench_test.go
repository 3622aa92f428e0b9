package gen_test

import (
	"runtime"
	"testing"
	"time"

	"strata/anvil/chunk"
	"strata/pregen/worldgen/oracletest"
)

// BenchmarkStages takes the chunks of a square of 16 by 16 through all stages,
// and says what each took of the thread's CPU time, a chunk.
func BenchmarkStages(b *testing.B) {
	for _, dimension := range oracletest.Dimensions {
		b.Run(dimension, func(b *testing.B) {
			d := dimensionOf(b, worldOf(b, 1234, native), dimension)
			maker, c := d.NewMaker(), d.New()
			statuses := []chunk.Status{chunk.StatusEmpty, chunk.StatusBiomes, chunk.StatusNoise, chunk.StatusSurface, chunk.StatusCarvers}
			took := make([]time.Duration, len(statuses))
			b.ReportAllocs()
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			i := 0
			for b.Loop() {
				c.Reset(int32(i&15)+100*int32(i>>8), int32(i>>4&15))
				i++
				for s, status := range statuses[1:] {
					start := cpuTime()
					if err := maker.Advance(c, statuses[s], status); err != nil {
						b.Fatal(err)
					}
					took[s+1] += cpuTime() - start
				}
			}
			sum := time.Duration(0)
			for s, status := range statuses[1:] {
				b.ReportMetric(float64(took[s+1].Microseconds())/float64(i), status.String()+"-us")
				sum += took[s+1]
			}
			b.ReportMetric(float64(sum.Microseconds())/float64(i), "cpu-us")
		})
	}
}

// BenchmarkStore turns finished chunks into NBT.
func BenchmarkStore(b *testing.B) {
	d := dimensionOf(b, worldOf(b, 1234, native), "overworld")
	maker, c := d.NewMaker(), d.New()
	c.Reset(3, 4)
	if err := maker.Advance(c, chunk.StatusEmpty, chunk.StatusCarvers); err != nil {
		b.Fatal(err)
	}
	form, err := d.Form(chunk.NewTables())
	if err != nil {
		b.Fatal(err)
	}
	var encoder chunk.Encoder
	var out []byte
	b.ReportAllocs()
	for b.Loop() {
		stored, err := c.Store(form, chunk.StatusCarvers)
		if err != nil {
			b.Fatal(err)
		}
		if out, err = encoder.Encode(out[:0], stored); err != nil {
			b.Fatal(err)
		}
	}
}
