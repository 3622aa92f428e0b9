package noise_test

import (
	"fmt"
	"testing"

	"strata/pregen/worldgen/noise"
	"strata/pregen/worldgen/rng"
)

// Benchmarks report the time of one Improved sample, of which the noises take
// many a value: ns/sample.

const benchRows = 49 // corners of an overworld chunk's column

func perSample(b *testing.B, samplesEach int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(samplesEach), "ns/sample")
}

func BenchmarkImproved(b *testing.B) {
	source := rng.NewXoroshiro(1)
	n := noise.NewImproved(&source)
	x, sum := 0.0, 0.0
	for b.Loop() {
		x += 17.31
		sum += n.At(x, x*0.37, x*0.73)
	}
	perSample(b, 1)
	if sum == 0 {
		b.Fatal("sum is 0")
	}
}

// One octave: rows that leave their cell each time, and rows that seldom do.
func BenchmarkPerlinColumn(b *testing.B) {
	source := rng.NewXoroshiro(1)
	n, err := noise.NewPerlin(&source, noise.Parameters{Amplitudes: []float64{1}})
	if err != nil {
		b.Fatal(err)
	}
	ys, out := make([]float64, 64), make([]float64, 64)
	for _, step := range []float64{1.37, 0.05} {
		for i := range ys {
			ys[i] = float64(i) * step
		}
		b.Run(fmt.Sprint("step=", step), func(b *testing.B) {
			for b.Loop() {
				n.Column(3.7, ys, -911.2, out)
			}
			perSample(b, len(ys))
		})
	}
}

func benchNormal(b *testing.B) (*noise.Normal, int) {
	return normalOf(b, 1, "minecraft:test", noise.Parameters{FirstOctave: -7, Amplitudes: []float64{1, 1, 1, 1}}), 8 * benchRows
}

func BenchmarkNormalColumn(b *testing.B) {
	n, samples := benchNormal(b)
	ys, out := make([]float64, benchRows), make([]float64, benchRows)
	for i := range ys {
		ys[i] = float64(i*8 - 64)
	}
	x := 0.0
	for b.Loop() {
		x += 4
		n.Column(x, ys, -x, out)
	}
	perSample(b, samples)
}

func BenchmarkNormalPoints(b *testing.B) {
	n, samples := benchNormal(b)
	out := make([]float64, benchRows)
	x := 0.0
	for b.Loop() {
		x += 4
		for i := range out {
			out[i] = n.At(x, float64(i*8-64), -x)
		}
	}
	perSample(b, samples)
}

func BenchmarkNormalBatch(b *testing.B) {
	n, samples := benchNormal(b)
	xs, ys, zs, out := make([]float64, benchRows), make([]float64, benchRows), make([]float64, benchRows), make([]float64, benchRows)
	for i := range xs {
		xs[i], zs[i] = float64(i%7*4), float64(i/7*4)
	}
	for b.Loop() {
		xs[0]++
		n.Batch(xs, ys, zs, out)
	}
	perSample(b, samples)
}

func BenchmarkBlended(b *testing.B) {
	n := legacyBlended(b, 1, overworldBlend)
	out := make([]float64, benchRows)
	samples := 0
	for i := range benchRows {
		samples += 8
		switch n.Chosen(40, i*8-64, 40) {
		case "both":
			samples += 32
		default:
			samples += 16
		}
	}
	b.Run("column", func(b *testing.B) {
		for b.Loop() {
			n.Column(40, -64, 8, 40, out)
		}
		perSample(b, samples)
	})
	b.Run("points", func(b *testing.B) {
		for b.Loop() {
			for i := range out {
				out[i] = n.At(40, i*8-64, 40)
			}
		}
		perSample(b, samples)
	})
}

func BenchmarkIslands(b *testing.B) {
	n := noise.NewIslands(1)
	for name, at := range map[string]func(x, z int32) float64{"point": n.At, "view": n.View().At} {
		b.Run(name, func(b *testing.B) {
			i, sum := int32(0), 0.0
			for b.Loop() { // rows of 24 places, 8 blocks apart
				i++
				sum += at(2000+i%24*8, 1500+i/24%4096*8)
			}
			if sum == 0 {
				b.Fatal("sum is 0")
			}
		})
	}
}
