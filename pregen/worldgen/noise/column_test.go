package noise_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"strata/bench/testbed"
	"strata/pregen/worldgen/noise"
	"strata/pregen/worldgen/rng"
)

// shapes are stacks with gaps, with high and low octaves.
var shapes = []noise.Parameters{
	offsetNoise,
	{FirstOctave: -10, Amplitudes: []float64{1.5, 0, 1, 0, 0, 0}},
	{FirstOctave: -9, Amplitudes: []float64{1, 1, 2, 2, 2, 1, 1, 1, 1}},
	{FirstOctave: 0, Amplitudes: []float64{1, 1, 1}},
	{FirstOctave: -3, Amplitudes: []float64{0, 0, 0}},
	{FirstOctave: -16, Amplitudes: []float64{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}},
}

// rowHeights are the columns that a stack is tried on: steps that stay in a
// cell, that leave it each row and that are beyond where coordinates wrap.
func rowHeights(random *rand.Rand) [][]float64 {
	var columns [][]float64
	for _, step := range []float64{0, 0.0625, 1, 8, 8.125, 1e6, 3e7} {
		for _, rows := range []int{1, 49, blockRows, blockRows + 1, 3*blockRows - 1} {
			ys, first := make([]float64, rows), float64(random.IntN(200)-100)
			for i := range ys {
				ys[i] = first + step*float64(i)
			}
			columns = append(columns, ys)
		}
	}
	mixed := make([]float64, 200)
	for i := range mixed {
		mixed[i] = (random.Float64() - 0.5) * math.Ldexp(1, random.IntN(40)-10)
	}
	return append(columns, mixed, nil)
}

const blockRows = 64

// place is a coordinate: of an origin, a plain, the border of the world.
func place(random *rand.Rand) float64 {
	switch random.IntN(4) {
	case 0:
		return 0
	case 1:
		return float64(random.IntN(60_000_000) - 30_000_000)
	case 2:
		return random.NormFloat64() * 1e8
	}
	return random.NormFloat64() * 1000
}

func sameBits(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Float64bits(got) != math.Float64bits(want) {
		t.Fatalf("%s: %v (%#x), the point has %v (%#x)", what, got, math.Float64bits(got), want, math.Float64bits(want))
	}
}

func TestColumnsAndBatchesGiveThePointsBits(t *testing.T) {
	seed := testbed.Seed(t)
	random := rand.New(rand.NewPCG(uint64(seed), 2))
	for s, shape := range shapes {
		normal := normalOf(t, random.Int64(), "minecraft:test", shape)
		source := rng.NewXoroshiro(random.Int64())
		perlin, err := noise.NewPerlin(&source, shape)
		if err != nil {
			t.Fatal(err)
		}
		for _, ys := range rowHeights(random) {
			x, z := place(random), place(random)
			for name, n := range map[string]sampler{"normal": normal, "perlin": perlin} {
				checkSampler(t, fmt.Sprintf("%s %d at %v,%v", name, s, x, z), n, x, ys, z)
			}
		}
	}
}

type sampler interface {
	At(x, y, z float64) float64
	Column(x float64, ys []float64, z float64, out []float64)
	Batch(xs, ys, zs, out []float64)
}

func checkSampler(t *testing.T, name string, n sampler, x float64, ys []float64, z float64) {
	t.Helper()
	out, batch := make([]float64, len(ys)), make([]float64, len(ys))
	xs, zs := make([]float64, len(ys)), make([]float64, len(ys))
	for i := range out {
		out[i], batch[i] = math.NaN(), math.NaN() // what is there must not matter
		xs[i], zs[i] = x+float64(i), z-float64(i)
	}
	n.Column(x, ys, z, out)
	n.Batch(xs, ys, zs, batch)
	for i, y := range ys {
		sameBits(t, fmt.Sprintf("%s: row %d of %d, y %v", name, i, len(ys), y), out[i], n.At(x, y, z))
		sameBits(t, fmt.Sprintf("%s: point %d of %d", name, i, len(ys)), batch[i], n.At(xs[i], y, zs[i]))
	}
}

func TestBlendedColumnsGiveThePointsBits(t *testing.T) {
	seed := testbed.Seed(t)
	random := rand.New(rand.NewPCG(uint64(seed), 3))
	classes := map[string]int{}
	for _, data := range []noise.BlendedParameters{netherBlend, endBlend, overworldBlend,
		{XZScale: 1, YScale: 3, XZFactor: 0.5, YFactor: 700, SmearScale: 1}} {
		n := legacyBlended(t, random.Int64(), data)
		for range 150 {
			x, z := random.IntN(60_000_000)-30_000_000, random.IntN(60_000_000)-30_000_000
			if random.IntN(2) == 0 {
				x, z = x%1000, z%1000
			}
			low, step := random.IntN(400)-200, random.IntN(17)-8
			out := make([]float64, random.IntN(140))
			n.Column(x, low, step, z, out)
			for i := range out {
				want := n.At(x, low+i*step, z)
				sameBits(t, fmt.Sprintf("%d,%d,%d", x, low+i*step, z), out[i], want)
				classes[n.Chosen(x, low+i*step, z)]++
			}
		}
	}
	t.Logf("rows by limit: %v", classes)
	for _, class := range []string{"low", "high", "both"} {
		if classes[class] == 0 {
			t.Errorf("no row took %s", class)
		}
	}
}

func TestNothingAllocates(t *testing.T) {
	normal := normalOf(t, 1, "minecraft:test", shapes[2])
	blended := legacyBlended(t, 1, overworldBlend)
	islands := noise.NewIslands(1)
	ys, out := make([]float64, 100), make([]float64, 100)
	allocations := testing.AllocsPerRun(10, func() {
		normal.Column(1, ys, 2, out)
		normal.Batch(ys, ys, ys, out)
		blended.Column(1, -64, 8, 2, out)
		out[0] = islands.At(3000, 2000) + normal.At(1, 2, 3) + blended.At(1, 2, 3)
	})
	if allocations != 0 {
		t.Errorf("%v allocations", allocations)
	}
}
