package terrain

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/anvil/block"
	"strata/bench/testbed"
	"strata/pregen/worldgen/density"
	"strata/pregen/worldgen/noise"
)

// fake is a router of constants, or of values that look random.
type fake struct {
	values  [functions]float64
	random  bool
	surface func(x, z int) int
}

func (f *fake) Value(function Function, x, y, z int) float64 {
	if !f.random {
		return f.values[function]
	}
	h := uint64(x)*0x9e3779b97f4a7c15 ^ uint64(y)*0xc2b2ae3d27d4eb4f ^ uint64(z)*0x165667b19e3779f9 ^ uint64(function)<<32
	h ^= h >> 29
	h *= 0xbf58476d1ce4e5b9
	return float64(h>>11)/(1<<52) - 1
}

func (f *fake) PreliminarySurface(x, z int) int { return f.surface(x, z) }

func flat(y int) func(x, z int) int { return func(int, int) int { return y } }

// newAquifer returns an aquifer of the overworld's shape over a fake router, at
// a chunk.
func newAquifer(s *Settings, router Router, chunkX, chunkZ int32) *Aquifer {
	shape := density.Shape{MinY: -64, Height: 384, CellWidth: 4, CellHeight: 8}
	a := NewAquifer(s, shape, noise.NewSet(5, s.LegacyRandom, nil))
	a.Begin(chunkX, chunkZ, router)
	return a
}

func overworld() *Settings {
	return &Settings{SeaLevel: 63, DefaultBlock: block.MustParse("stone"), DefaultFluid: water, Aquifers: true}
}

func TestWithoutAquifersTheSeaFillsWhatIsOpen(t *testing.T) {
	s := overworld()
	s.Aquifers = false
	a := newAquifer(s, nil, 3, 4)
	for _, test := range []struct {
		y       int
		density float64
		state   block.State
		solid   bool
	}{
		{0, 0.1, 0, true}, {0, 0, water, false}, {62, -1, water, false}, {63, -1, 0, false},
		{-54, -1, water, false}, {-55, -1, lava, false}, {-64, -0.5, lava, false},
	} {
		if state, solid, mark := a.At(50, test.y, 70, test.density); state != test.state || solid != test.solid || mark {
			t.Errorf("%+v: %v, %t, %t", test, state, solid, mark)
		}
	}
}

// A sea below the height of lava leaves no lava between.
func TestLowSeaMovesTheLava(t *testing.T) {
	s := overworld()
	s.SeaLevel, s.Aquifers = -60, false
	a := newAquifer(s, nil, 0, 0)
	for y, want := range map[int]block.State{-62: lava, -61: lava, -60: 0, -55: 0} {
		if state, _, _ := a.At(0, y, 0, -1); state != want {
			t.Errorf("%d: %v, want %v", y, state, want)
		}
	}
}

// Under a surface far above, one kind of centre fills everything.
func TestFluidFollowsTheNoises(t *testing.T) {
	for name, test := range map[string]struct {
		values [functions]float64
		y      int
		want   block.State
	}{
		"dry":                   {[functions]float64{Floodedness: -1}, 10, 0},
		"flooded":               {[functions]float64{Floodedness: 0.9}, 10, water},
		"flooded above the sea": {[functions]float64{Floodedness: 0.9}, 63, 0},
		"flooded with lava":     {[functions]float64{Floodedness: 0.9, Lava: -0.4}, 10, water}, // its level is above -10
		"spread, below":         {[functions]float64{Floodedness: 0.5}, 19, water},             // level 20 of 0 to 39
		"spread, above":         {[functions]float64{Floodedness: 0.5}, 20, 0},
		"spread lower":          {[functions]float64{Floodedness: 0.5, Spread: -0.65}, 10, water}, // 20 + 3*floor(-6.5/3)
		"spread lower, above":   {[functions]float64{Floodedness: 0.5, Spread: -0.65}, 11, 0},
		"lava":                  {[functions]float64{Floodedness: 0.5, Lava: 0.31}, -21, lava}, // level -20 of -40 to -1
		"no lava":               {[functions]float64{Floodedness: 0.5, Lava: 0.3}, -21, water},
		"deep dark":             {[functions]float64{Floodedness: 0.9, Erosion: -0.23, Depth: 0.91}, -21, 0},
		"not dark":              {[functions]float64{Floodedness: 0.9, Erosion: -0.22, Depth: 0.91}, -21, water},
		"not deep":              {[functions]float64{Floodedness: 0.9, Erosion: -0.23, Depth: 0.89}, -21, water},
	} {
		a := newAquifer(overworld(), &fake{values: test.values, surface: flat(200)}, -7, 12)
		// The smallest density below zero that the barrier can not lift: what
		// is near 0 may be ground between two levels.
		if state, solid, _ := a.At(-7*16+5, test.y, 12*16+9, -1e6); state != test.want || solid {
			t.Errorf("%s: %v, want %v", name, state, test.want)
		}
	}
}

func TestGroundUnderTheSeaIsFlooded(t *testing.T) {
	// The surface is below the sea level: centres near it have the sea itself.
	a := newAquifer(overworld(), &fake{values: [functions]float64{Floodedness: -1}, surface: flat(30)}, 0, 0)
	for y, want := range map[int]block.State{62: water, 45: water, -20: 0} {
		if state, _, _ := a.At(3, y, 3, -1e6); state != want {
			t.Errorf("%d: %v, want %v", y, state, want)
		}
	}
}

func TestPressure(t *testing.T) {
	a := newAquifer(overworld(), &fake{values: [functions]float64{BarrierAlone: 0.25}, surface: flat(200)}, 0, 0)
	wet, dry, hot := fluid{30, water}, fluid{noFluid, water}, fluid{30, lava}
	for _, test := range []struct {
		name       string
		y          int32
		one, other fluid
		want       float64
	}{
		{"equal levels", 10, wet, wet, 0},
		{"water and lava", 10, wet, hot, 2},
		{"lava above its level", 40, wet, hot, 0},
		{"far inside", 10, wet, dry, 2 * (16271 - (10.5 + 16241)) / 1.5},
		{"below the middle", 24, fluid{30, water}, fluid{20, water}, 2 * (5 - 0.5 + 3) / 3}, // above 2: no noise
		{"above the middle", 26, fluid{30, water}, fluid{20, water}, 2 * (5 - 1.5) / 1.5},
		{"above both", 31, fluid{30, water}, fluid{20, water}, 2 * (0.25 + (5-6.5)/2.5)},
		{"below both", 11, fluid{30, water}, fluid{20, water}, 2 * (0.25 + (5-13.5+3)/10)},
	} {
		a.asked = false
		got := a.pressure(5, test.y, 5, test.one, test.other)
		a.asked = false
		if swapped := a.pressure(5, test.y, 5, test.other, test.one); swapped != got {
			t.Errorf("%s: %v and %v", test.name, got, swapped)
		}
		if diff := got - test.want; diff > 1e-12 || diff < -1e-12 {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// bruteNearest sorts all twelve centres.
func bruteNearest(a *Aquifer, x, y, z int32) (want nearest) {
	type candidate struct{ distance, cell int32 }
	var list []candidate
	cornerX, cornerY, cornerZ := (x-5)>>4, floorDiv(y+1, 12), (z-5)>>4
	for i := range int32(12) {
		cellX, cellY, cellZ := cornerX+i/6, cornerY+i/2%3-1, cornerZ+i%2
		index := a.index(cellX, cellY, cellZ)
		var c centre
		c.place(&a.factory, cellX, cellY, cellZ)
		dx, dy, dz := c.x-x, c.y-y, c.z-z
		list = append(list, candidate{dx*dx + dy*dy + dz*dz, index})
	}
	for i := range want.distance {
		best := 0
		for j := range list {
			if list[j].distance <= list[best].distance {
				best = j
			}
		}
		want.distance[i], want.entry[i] = list[best].distance, entry{list[best].cell, a.filled(list[best].cell)}
		list[best].distance = 1 << 30
	}
	return want
}

func TestNearestCentresAreFound(t *testing.T) {
	random := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 1))
	for _, legacy := range []bool{false, true} {
		s := overworld()
		s.LegacyRandom = legacy
		const chunkX, chunkZ = -3, 8
		a := newAquifer(s, &fake{random: true, surface: flat(100)}, chunkX, chunkZ)
		var r vicinity
		for range 300 {
			box := Box{
				MinX: chunkX*16 + int32(random.IntN(16)), MinY: int32(random.IntN(384)) - 64, MinZ: chunkZ*16 + int32(random.IntN(16)),
			}
			box.MaxX = extent(box.MinX, min(box.MinX+int32(random.IntN(16)), chunkX*16+15)+1, offsetX, cellX) - 1
			box.MaxY = extent(box.MinY, min(box.MinY+int32(random.IntN(16)), 319)+1, offsetY, cellY) - 1
			box.MaxZ = extent(box.MinZ, min(box.MinZ+int32(random.IntN(16)), chunkZ*16+15)+1, offsetZ, cellZ) - 1
			a.gather(&r, &box)
			for x := box.MinX; x <= box.MaxX; x++ {
				for z := box.MinZ; z <= box.MaxZ; z++ {
					var c column
					c.set(&r, x, z)
					for y := box.MinY; y <= box.MaxY; y++ {
						want := bruteNearest(a, x, y, z)
						if got := a.nearest(x, y, z); got != want {
							t.Fatalf("%d, %d, %d: %v, want %v", x, y, z, got, want)
						}
						keys := r.nearest(&c, y)
						if got := r.named(&keys); got != want {
							t.Fatalf("%d, %d, %d in a vicinity: %v, want %v", x, y, z, got, want)
						}
					}
				}
			}
		}
	}
}

// What lies above the highest surface is decided without a look at centres;
// the look gives the same.
func TestSkippingChangesNothing(t *testing.T) {
	router := &fake{random: true, surface: func(x, z int) int { return 40 + (x>>2*7+z>>2*13)&31 }}
	a, plain := newAquifer(overworld(), router, 2, -5), newAquifer(overworld(), router, 2, -5)
	plain.skip, plain.skipped = 1<<20, true
	random := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 2))
	skipped := 0
	for range 20000 {
		x, y, z := 32+random.IntN(16), random.IntN(200)-64, -80+random.IntN(16)
		value := -random.Float64() * 0.1
		state, solid, mark := a.At(x, y, z, value)
		state2, solid2, mark2 := plain.At(x, y, z, value)
		if state != state2 || solid != solid2 || mark != mark2 {
			t.Fatalf("%d, %d, %d: %v %t %t, without %v %t %t", x, y, z, state, solid, mark, state2, solid2, mark2)
		}
		if int32(y) > a.skip {
			skipped++
		}
	}
	if skipped < 1000 {
		t.Errorf("only %d blocks were skipped", skipped)
	}
}

func TestRoundingDownSaturates(t *testing.T) {
	nan := 0.0
	nan /= nan
	for v, want := range map[float64]int32{1.9: 1, -1.1: -2, -3: -3, 1e300: 1<<31 - 1, -1e300: 1<<31 - 1} {
		if got := floorInt(v); got != want {
			t.Errorf("%v: %d, want %d", v, got, want)
		}
	}
	if floorInt(nan) != 0 {
		t.Error("NaN is not 0")
	}
	if d := cmp.Diff([]int32{-2, -1, -1, 0, 1}, []int32{floorDiv(-13, 12), floorDiv(-12, 12), floorDiv(-1, 12), floorDiv(11, 12), floorDiv(12, 12)}); d != "" {
		t.Error(d)
	}
}

func TestNearCentresDecide(t *testing.T) {
	a := newAquifer(overworld(), &fake{surface: flat(200)}, 0, 0)
	type fluids [4]fluid
	high, middle, low, dry := fluid{14, water}, fluid{13, water}, fluid{0, water}, fluid{noFluid, water}
	// At height 10 the pressure is 1/3 between high and middle, 14/3 between
	// high and low, 10/3 between middle and low.
	for _, test := range []struct {
		name      string
		distances [4]int32
		fluids    fluids
		y         int32
		density   float64
		state     block.State
		solid     bool
		mark      bool
	}{
		{"alone", [4]int32{100, 145, 145, 145}, fluids{high, dry, dry, dry}, 10, -1e-9, water, false, false},
		{"nearly alone", [4]int32{100, 144, 145, 145}, fluids{high, dry, dry, dry}, 10, -1e-9, water, false, true},
		{"nearly alone, of one kind", [4]int32{100, 144, 145, 145}, fluids{high, high, dry, dry}, 10, -1e-9, water, false, false},
		{"first and second", [4]int32{100, 110, 130, 130}, fluids{high, middle, low, low}, 10, -0.19, 0, true, false},
		{"too open for first and second", [4]int32{100, 110, 140, 140}, fluids{high, middle, low, low}, 10, -0.21, water, false, true},
		{"first and third", [4]int32{100, 100, 115, 130}, fluids{high, middle, low, low}, 10, -1.5, 0, true, false},
		{"second and third", [4]int32{100, 100, 115, 130}, fluids{middle, high, low, low}, 10, -1.5, 0, true, false},
		{"too open for all", [4]int32{100, 100, 115, 130}, fluids{high, middle, low, low}, 10, -1.9, water, false, true},
		{"third marks", [4]int32{100, 110, 144, 200}, fluids{high, high, dry, high}, 10, -1e9, water, false, true},
		{"third far from the first", [4]int32{100, 110, 146, 200}, fluids{high, high, dry, high}, 10, -1e9, water, false, true},
		{"third far from both", [4]int32{100, 110, 155, 200}, fluids{high, high, dry, high}, 10, -1e9, water, false, false},
		{"fourth marks", [4]int32{100, 110, 120, 144}, fluids{high, high, high, dry}, 10, -1e9, water, false, true},
		{"fourth too far", [4]int32{100, 110, 120, 145}, fluids{high, high, high, dry}, 10, -1e9, water, false, false},
		{"water over lava", [4]int32{100, 110, 120, 130}, fluids{high, high, high, high}, -54, -1e-9, water, false, true},
		{"water over water", [4]int32{100, 110, 120, 130}, fluids{high, high, high, high}, -53, -1e-9, water, false, false},
		{"air over lava", [4]int32{100, 110, 120, 130}, fluids{dry, dry, dry, dry}, -54, -1e-9, 0, false, false},
		{"water over lava, alone", [4]int32{100, 130, 130, 130}, fluids{high, high, high, high}, -54, -1e-9, water, false, false},
	} {
		near := nearest{distance: test.distances}
		for i, f := range test.fluids {
			near.entry[i].fluid = f
		}
		state, solid, mark := a.decide(&near, 3, test.y, 3, test.density)
		if state != test.state || solid != test.solid || mark != test.mark {
			t.Errorf("%s: %v, solid %t, mark %t", test.name, state, solid, mark)
		}
	}
}
