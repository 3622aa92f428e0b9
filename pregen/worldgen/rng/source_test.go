package rng_test

import (
	"math"
	"testing"

	"strata/pregen/worldgen/rng"
)

func sources(seed int64) map[string]func() rng.Source {
	return map[string]func() rng.Source{
		"legacy":             func() rng.Source { s := rng.NewLegacy(seed); return &s },
		"xoroshiro":          func() rng.Source { s := rng.NewXoroshiro(seed); return &s },
		"worldgen legacy":    func() rng.Source { s := rng.NewWorldgenLegacy(seed); return &s },
		"worldgen xoroshiro": func() rng.Source { s := rng.NewWorldgenXoroshiro(seed); return &s },
	}
}

func TestConsumeSkipsAsManyIntegers(t *testing.T) {
	for name, source := range sources(-77) {
		for _, n := range []int{0, 1, 2, 3, 262, 17292} {
			skipped, drawn := source(), source()
			skipped.Consume(n)
			for range n {
				drawn.Int()
			}
			if a, b := skipped.Long(), drawn.Long(); a != b {
				t.Errorf("%s: after %d steps %d, after as many draws %d", name, n, a, b)
			}
		}
	}
}

func TestSetSeedRestarts(t *testing.T) {
	for name, source := range sources(5) {
		used, fresh := source(), source()
		used.Long()
		used.Float()
		used.SetSeed(5)
		if a, b := used.Long(), fresh.Long(); a != b {
			t.Errorf("%s: %d after SetSeed, %d when new", name, a, b)
		}
	}
}

// The game's Worldgen source alone does not clear its Gaussian pair.
func TestOnlyWorldgenKeepsHalfAGaussianPairOverASeed(t *testing.T) {
	for name, source := range sources(9) {
		s, reference := source(), source()
		s.Gaussian()
		s.SetSeed(9)
		first := reference.Gaussian()
		second := reference.Gaussian()
		want := first
		if name == "worldgen legacy" || name == "worldgen xoroshiro" {
			want = second
		}
		if got := s.Gaussian(); got != want {
			t.Errorf("%s: Gaussian after SetSeed is %v, want %v", name, got, want)
		}
	}
}

func TestWorldgenOverXoroshiroComposesFromTopBits(t *testing.T) {
	worldgen, inner := rng.NewWorldgenXoroshiro(1234), rng.NewXoroshiro(1234)
	top := func(bits uint) int64 { return int64(uint64(inner.Long()) >> (64 - bits)) }
	if got, want := worldgen.Int(), int32(top(32)); got != want {
		t.Errorf("Int is %d, want %d", got, want)
	}
	if got, want := worldgen.Long(), top(32)<<32+int64(int32(top(32))); got != want {
		t.Errorf("Long is %d, want %d", got, want)
	}
	if got, want := worldgen.IntN(16), int32(top(31)>>27); got != want {
		t.Errorf("IntN(16) is %d, want %d", got, want)
	}
	if got, want := worldgen.IntN(1000), int32(top(31)%1000); got != want {
		t.Errorf("IntN(1000) is %d, want %d", got, want)
	}
	high := top(26) << 27
	if got, want := worldgen.Double(), math.Ldexp(float64(high+top(27)), -53); got != want {
		t.Errorf("Double is %v, want %v", got, want)
	}
	if worldgen.Count() != 7 {
		t.Errorf("counted %d steps, want 7", worldgen.Count())
	}
}

func TestBoundedDrawsAreEven(t *testing.T) {
	const draws, bound = 60000, 6
	for name, source := range sources(31) {
		s := source()
		var seen [bound]int
		for range draws {
			seen[s.IntN(bound)]++
		}
		for value, n := range seen {
			if n < 9500 || n > 10500 { // more than five deviations off 10,000
				t.Errorf("%s: drew %d %d times of %d", name, value, n, draws)
			}
		}
	}
}

// This bound rejects a quarter of all steps.
func TestXoroshiroRejectsWhatWouldBias(t *testing.T) {
	const bound = 3 << 29
	x, steps := rng.NewXoroshiro(3), rng.NewXoroshiro(3)
	drawn := 0
	for range 1000 {
		got := x.IntN(bound)
		for {
			product := uint64(uint32(steps.Int())) * bound
			drawn++
			if uint32(product) < (1<<32-bound)%bound {
				continue
			}
			if want := int32(product >> 32); got != want {
				t.Fatalf("drew %d, want %d", got, want)
			}
			break
		}
	}
	if drawn < 1250 || drawn > 1420 {
		t.Errorf("%d steps for 1000 draws, want about 1333", drawn)
	}
}

func TestForksAndFactoriesDependOnNameAndPlaceOnly(t *testing.T) {
	for name, source := range sources(99) {
		factory := source().Positional()
		first := factory.At(1, -2, 3).Long()
		factory.Hash("minecraft:terrain").Long()
		if again := factory.At(1, -2, 3).Long(); again != first {
			t.Errorf("%s: one place drew %d and then %d", name, first, again)
		}
		seen := map[int64]string{first: "place", factory.At(3, -2, 1).Long(): "other place",
			factory.Hash("minecraft:terrain").Long(): "name", factory.Hash("octave_1").Long(): "other name",
			factory.Seed(7).Long(): "number", source().Fork().Long(): "fork"}
		if len(seen) != 6 {
			t.Errorf("%s: sources coincide: %v", name, seen)
		}
	}
}

// A factory is seeded by what its source draws next.
func TestFactoriesMixWhatTheyDrew(t *testing.T) {
	const x, y, z = 5, -60, 1 << 20
	position := rng.PositionSeed(x, y, z)

	legacy, reference := rng.NewLegacy(44), rng.NewLegacy(44)
	factory, seed := legacy.Factory(), reference.Long()
	if legacy.Long() != reference.Long() {
		t.Error("a legacy factory takes other than one long")
	}
	for name, pair := range map[string][2]rng.Legacy{
		"place":  {factory.ValueAt(x, y, z), rng.NewLegacy(position ^ seed)},
		"name":   {factory.ValueHash("a"), rng.NewLegacy('a' ^ seed)},
		"number": {factory.ValueSeed(9), rng.NewLegacy(9)},
	} {
		if pair[0] != pair[1] {
			t.Errorf("legacy source of a %s is %v, want %v", name, pair[0], pair[1])
		}
	}

	xoroshiro, drawn := rng.NewXoroshiro(44), rng.NewXoroshiro(44)
	wide := xoroshiro.Factory()
	low, high := uint64(drawn.Long()), uint64(drawn.Long())
	if xoroshiro.Long() != drawn.Long() {
		t.Error("a factory takes other than two longs")
	}
	// The MD5 digest of "a", from RFC 1321.
	const digestLow, digestHigh = 0x0cc175b9c0f1b6a8, 0x31c399e269772661
	for name, pair := range map[string][2]rng.Xoroshiro{
		"place":  {wide.ValueAt(x, y, z), rng.XoroshiroFromState(uint64(position)^low, high)},
		"name":   {wide.ValueHash("a"), rng.XoroshiroFromState(digestLow^low, digestHigh^high)},
		"number": {wide.ValueSeed(9), rng.XoroshiroFromState(9^low, 9^high)},
	} {
		if pair[0] != pair[1] {
			t.Errorf("source of a %s is %v, want %v", name, pair[0], pair[1])
		}
	}
}

func TestXoroshiroLeavesZero(t *testing.T) {
	x := rng.XoroshiroFromState(0, 0)
	if first, second := x.Long(), x.Long(); first == 0 || first == second {
		t.Errorf("the state of all zeros was kept: %d, %d", first, second)
	}
}

func TestBoundsBelowOnePanic(t *testing.T) {
	for name, source := range sources(0) {
		for _, bound := range []int32{0, -1, math.MinInt32} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s: IntN(%d) did not panic", name, bound)
					}
				}()
				source().IntN(bound)
			}()
		}
	}
}

// Values worked out with integers that do not wrap.
func TestPositionSeedWrapsAsJavaDoes(t *testing.T) {
	tests := []struct {
		x, y, z int32
		want    int64
	}{
		{0, 0, 0, 0},
		{0, 1, 0, (42317861 + 11) >> 16},
		{0, 0, 1, -20769809646864},
		{0, -1, 0, (42317861 - 11) >> 16},
		{1000000, 0, 0, -90083476572840},
	}
	for _, test := range tests {
		if got := rng.PositionSeed(test.x, test.y, test.z); got != test.want {
			t.Errorf("PositionSeed(%d,%d,%d) = %d, want %d", test.x, test.y, test.z, got, test.want)
		}
	}
}

// Values worked out with integers that wrap only where Java's do.
func TestSlimeChunksWrapAsJavaDoes(t *testing.T) {
	tests := []struct {
		world int64
		x, z  int32
		want  int32
	}{
		{0, 0, 0, 7},
		{0, 3, -7, 1},
		{0, -1200, 900, 9},
		{0, 1875000, -1875000, 4},
		{0, 70000, 70001, 1},
		{-1, 0, 0, 6},
		{-1, 3, -7, 6},
		{-1, -1200, 900, 6},
		{-1, 1875000, -1875000, 4},
		{-1, 70000, 70001, 4},
		{6854583389113976052, 0, 0, 8},
		{6854583389113976052, 3, -7, 9},
		{6854583389113976052, -1200, 900, 7},
		{6854583389113976052, 1875000, -1875000, 6},
		{6854583389113976052, 70000, 70001, 8},
	}
	for _, test := range tests {
		source := rng.NewSlime(test.world, test.x, test.z)
		if got := source.IntN(10); got != test.want {
			t.Errorf("world %d, chunk %d,%d draws %d, want %d", test.world, test.x, test.z, got, test.want)
		}
		if got := rng.IsSlimeChunk(test.world, test.x, test.z); got != (test.want == 0) {
			t.Errorf("world %d, chunk %d,%d: slimes %v", test.world, test.x, test.z, got)
		}
	}
}

func TestNothingAllocates(t *testing.T) {
	allocations := testing.AllocsPerRun(100, func() {
		l, x := rng.NewLegacy(1), rng.NewXoroshiro(1)
		w := rng.NewWorldgenXoroshiro(1)
		a, b := l.Factory().ValueAt(1, 2, 3), x.Factory().ValueHash("minecraft:continentalness_large")
		w.SetFeatureSeed(w.SetDecorationSeed(1, 16, 32), 3, 4)
		if a.Long() == b.Long() && w.Gaussian() == 0 {
			panic("chance")
		}
	})
	if allocations != 0 {
		t.Errorf("%v allocations", allocations)
	}
}
