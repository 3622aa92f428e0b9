package noise_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"strata/bench/testbed"
	"strata/pregen/worldgen/noise"
	"strata/pregen/worldgen/rng"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

func TestParametersThatMakeNoNoiseAreErrors(t *testing.T) {
	source := rng.NewXoroshiro(1)
	for name, p := range map[string]noise.Parameters{
		"no amplitudes":  {FirstOctave: -3},
		"too many":       {FirstOctave: -3, Amplitudes: make([]float64, noise.MaxOctaves+1)},
		"octave too low": {FirstOctave: -1000, Amplitudes: []float64{1}},
		"NaN":            {FirstOctave: -3, Amplitudes: []float64{1, math.NaN()}},
		"infinite":       {FirstOctave: -3, Amplitudes: []float64{math.Inf(1)}},
	} {
		if _, err := noise.NewNormal(&source, p); !errors.Is(err, noise.ErrParameters) {
			t.Errorf("NewNormal, %s: %v", name, err)
		}
		if _, err := noise.NewLegacyPerlin(&source, p); !errors.Is(err, noise.ErrParameters) {
			t.Errorf("NewLegacyPerlin, %s: %v", name, err)
		}
	}
	if _, err := noise.NewLegacyNormal(&source, noise.Parameters{FirstOctave: -1, Amplitudes: []float64{1, 1, 1}}); !errors.Is(err, noise.ErrParameters) {
		t.Errorf("a legacy noise with an octave above 0: %v", err)
	}
	for _, octaves := range [][]int{nil, {-65, 0}, {65}} {
		if _, err := noise.NewPerlinSimplex(&source, octaves); !errors.Is(err, noise.ErrParameters) {
			t.Errorf("NewPerlinSimplex of %v: %v", octaves, err)
		}
	}
	for _, change := range []func(*noise.BlendedParameters){
		func(p *noise.BlendedParameters) { p.XZScale = 0 },
		func(p *noise.BlendedParameters) { p.YScale = math.NaN() },
		func(p *noise.BlendedParameters) { p.XZFactor = 1001 },
		func(p *noise.BlendedParameters) { p.YFactor = -1 },
		func(p *noise.BlendedParameters) { p.SmearScale = 8.5 },
	} {
		p := overworldBlend
		change(&p)
		if _, err := noise.NewBlended(&source, p); !errors.Is(err, noise.ErrParameters) {
			t.Errorf("NewBlended of %+v: %v", p, err)
		}
	}
}

// An octave's seed is its name, which says the octave and not the index.
func TestOctavesAreSeededByTheirNumber(t *testing.T) {
	build := func(first int, amplitudes ...float64) *noise.Perlin {
		source := rng.NewXoroshiro(17)
		n, err := noise.NewPerlin(&source, noise.Parameters{FirstOctave: first, Amplitudes: amplitudes})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	padded, plain := build(-5, 0, 1, 1), build(-4, 1, 1)
	a, b := padded.At(10, 20, 30), plain.At(10, 20, 30)
	if !near(a*(2.0/3), b*(2.0/7)) || a == 0 {
		t.Errorf("octaves -4 and -3 give %v with weight 2/7 and %v with 2/3", a, b)
	}
}

// An absent octave takes as many steps as a present one.
func TestLegacyOctavesDoNotDependOnAbsentOnes(t *testing.T) {
	at := func(amplitudes ...float64) float64 {
		source := rng.NewLegacy(17)
		n, err := noise.NewLegacyPerlin(&source, noise.Parameters{FirstOctave: -4, Amplitudes: amplitudes})
		if err != nil {
			t.Fatal(err)
		}
		return n.At(11, 22, 33)
	}
	sum := 0.0
	for i := range 5 {
		var one [5]float64
		one[i] = 1
		value := at(one[:]...)
		if value == 0 {
			t.Errorf("octave %d alone is 0", i)
		}
		sum += value
	}
	if all := at(1, 1, 1, 1, 1); !near(all, sum) {
		t.Errorf("all octaves give %v, and one by one %v", all, sum)
	}
}

func TestValuesStayWithinMax(t *testing.T) {
	random := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 4))
	for i, shape := range shapes {
		n := normalOf(t, random.Int64(), "minecraft:test", shape)
		largest := 0.0
		for range 2000 {
			largest = max(largest, math.Abs(n.At(place(random), place(random), place(random))))
		}
		if largest > n.Max() || n.Max() > 0 && largest < n.Max()/20 {
			t.Errorf("shape %d: values reach %v, Max is %v", i, largest, n.Max())
		}
	}
	// The game's bound for the overworld's noise, which its files also name.
	if got := legacyBlended(t, 1, overworldBlend).Max(); math.Abs(got-87.55) > 0.01 {
		t.Errorf("Max of the overworld's terrain noise is %v", got)
	}
}

func TestSmearingWithoutAStepIsPlain(t *testing.T) {
	random := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 5))
	source := rng.NewXoroshiro(random.Int64())
	n := noise.NewImproved(&source)
	differ := 0
	for range 1000 {
		x, y, z := random.NormFloat64()*100, random.NormFloat64()*100, random.NormFloat64()*100
		sameBits(t, "no step", n.Smeared(x, y, z, 0, y), n.At(x, y, z))
		if n.Smeared(x, y, z, 0.25, y) != n.At(x, y, z) {
			differ++
		}
	}
	if differ < 650 || differ > 850 { // the lowest quarter of a cell stays
		t.Errorf("steps of a quarter change %d of 1000 values", differ)
	}
}

// A wrong corner or neighbour would make a step where simplices meet.
func TestSimplexIsContinuous(t *testing.T) {
	random := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 6))
	source := rng.NewXoroshiro(random.Int64())
	n := noise.NewSimplex(&source)
	const step, steepest = 1e-3, 12
	for range 200 {
		x, y, z := random.NormFloat64()*50, random.NormFloat64()*50, random.NormFloat64()*50
		dx, dy, dz := random.NormFloat64(), random.NormFloat64(), random.NormFloat64()
		length := math.Sqrt(dx*dx+dy*dy+dz*dz) / step
		dx, dy, dz = dx/length, dy/length, dz/length
		last2, last3 := n.At2(x, y), n.At3(x, y, z)
		moved := false
		for range 2000 {
			x, y, z = x+dx, y+dy, z+dz
			next2, next3 := n.At2(x, y), n.At3(x, y, z)
			if math.Abs(next2-last2) > step*steepest || math.Abs(next3-last3) > step*steepest {
				t.Fatalf("a jump at %v,%v,%v: %v to %v and %v to %v", x, y, z, last2, next2, last3, next3)
			}
			if math.Abs(next2) > 1.01 || math.Abs(next3) > 1.01 {
				t.Fatalf("%v and %v at %v,%v,%v", next2, next3, x, y, z)
			}
			moved = moved || next2 != last2 && next3 != last3
			last2, last3 = next2, next3
		}
		if !moved {
			t.Fatalf("constant around %v,%v,%v", x, y, z)
		}
	}
}

func TestPerlinSimplexSumsItsOctaves(t *testing.T) {
	source, parts := rng.NewLegacy(3456), rng.NewLegacy(3456)
	n, err := noise.NewPerlinSimplex(&source, []int{-3, -1, 0})
	if err != nil {
		t.Fatal(err)
	}
	zero, first := noise.NewSimplex(&parts), noise.NewSimplex(&parts)
	noise.NewSimplex(&parts) // octave -2 is absent, but drawn past
	third := noise.NewSimplex(&parts)
	x, y := 123.25, -77.5
	want := (zero.At2(x, y) + 2*first.At2(x/2, y/2) + 8*third.At2(x/8, y/8)) / 15
	if got := n.At(x, y, false); !near(got, want) || got == 0 {
		t.Errorf("the sum is %v, its octaves give %v", got, want)
	}
	if source.Long() != parts.Long() {
		t.Error("the stack left its source elsewhere than its octaves do")
	}
	if n.At(x, y, true) == n.At(x, y, false) {
		t.Error("offsets change nothing")
	}
}

func TestPerlinSimplexSeedsOctavesAboveZeroByASample(t *testing.T) {
	source, other := rng.NewLegacy(1), rng.NewLegacy(1)
	with, err := noise.NewPerlinSimplex(&source, []int{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	without, err := noise.NewPerlinSimplex(&other, []int{0})
	if err != nil {
		t.Fatal(err)
	}
	if source.Long() != other.Long() {
		t.Error("an octave above 0 drew from the source")
	}
	if with.At(5.5, 6.5, false) == without.At(5.5, 6.5, false) {
		t.Error("an octave above 0 changes nothing")
	}
}

func TestIslandsEndInRings(t *testing.T) {
	n := noise.NewIslands(123)
	if got := n.At(0, 0); got != 0.5625 {
		t.Errorf("the centre is %v, want 0.5625", got)
	}
	if a, b := n.At(4000, -4000), n.At(4007, -4007); a != b {
		t.Errorf("one 8 by 8 square has %v and %v", a, b)
	}
	// 46,340 squared is the last square of 31 bits.
	if got := n.At(46340*8, 0); math.IsNaN(got) {
		t.Error("NaN before the product overflows")
	}
	if got := n.At(46341*8, 0); !math.IsNaN(got) {
		t.Errorf("%v where the product overflows", got)
	}
	lowest, highest := 1.0, -1.0
	for x := int32(1100); x < 9000; x += 8 {
		v := n.At(x, x/2)
		lowest, highest = min(lowest, v), max(highest, v)
	}
	if lowest < -0.84375 || highest > 0.5625 || highest < 0 {
		t.Errorf("values are %v to %v", lowest, highest)
	}
}

func TestViewOfIslandsGivesTheirBits(t *testing.T) {
	random := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 7))
	n := noise.NewIslands(random.Int64())
	view := n.View()
	above := 0
	for _, size := range []int32{40, 1000, 10_000, 30_000_000, math.MaxInt32 / 2} {
		for range 30 {
			baseX, baseZ := random.Int32N(2*size)-size, random.Int32N(2*size)-size
			for i := range int32(40) { // near each other, as a generator asks
				x, z := baseX+i*13, baseZ-i*7
				got, want := view.At(x, z), n.At(x, z)
				if math.IsNaN(want) && math.IsNaN(got) {
					continue
				}
				sameBits(t, "view", got, want)
				if want > 0 {
					above++
				}
			}
		}
	}
	if above < 50 {
		t.Errorf("only %d places are high", above)
	}
}

func TestCoordinatesBeyondReasonDoNotPanic(t *testing.T) {
	normal := normalOf(t, 1, "minecraft:test", shapes[2])
	source := rng.NewLegacy(1)
	improved, simplex := noise.NewImproved(&source), noise.NewSimplex(&source)
	values := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300, -1e300, 1 << 62, -1 << 63, 0}
	out := make([]float64, len(values))
	for _, x := range values {
		for _, z := range values {
			normal.Column(x, values, z, out)
			normal.Batch(values, values, values, out)
			for _, y := range values {
				normal.At(x, y, z)
				improved.Smeared(x, y, z, y, x)
				simplex.At3(x, y, z)
			}
			simplex.At2(x, z)
		}
	}
	blended, islands := legacyBlended(t, 1, overworldBlend), noise.NewIslands(1)
	for _, x := range []int{math.MinInt, math.MaxInt, math.MinInt32} {
		blended.Column(x, x, x, x, out)
		blended.At(x, x, x)
		islands.At(int32(x), int32(x))
		islands.View().At(int32(x), int32(-x))
	}
}
