package surface

import (
	"math"
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/noise"
	"strata/pregen/worldgen/oracletest"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/settings"
)

// The game interpolates in floating point and rounds down.
func TestMinimumSurfaceLevelIsInterpolatedAndRoundedDown(t *testing.T) {
	s := newSystem(t, builtin(t), "minecraft:overworld", noise.NewSet(1, false, settings.Noises(builtin(t))), make([]Biome, 1))
	b := s.NewBuilder()
	lerp := func(share, from, to float64) float64 { return from + float64(share*(to-from)) }
	for _, p := range []corners{{60, 70, 64, -3}, {-40, -41, -37, -64}, {-1, 0, 0, -1}, {100, 100, 100, 100}} {
		for i := range 256 {
			x, z := i>>4, i&15
			b.Begin(proto.New(-64, 384), nil, p)
			b.enter(x, z)
			b.column.depth = int32(i % 7)
			shareX, shareZ := float64(float32(x)/16), float64(float32(z)/16)
			level := lerp(shareZ, lerp(shareX, float64(p[0]), float64(p[1])), lerp(shareX, float64(p[2]), float64(p[3])))
			if got, want := b.minSurface(), int(math.Floor(level))+i%7-8; got != want {
				t.Fatalf("%v: %d, not %d, at %d %d", p, got, want, x, z)
			}
		}
	}
}

func TestTemperatureFallsWithHeightAboveTheSea(t *testing.T) {
	taiga := Biome{Temperature: 0.25}
	if at := taiga.TemperatureAt(100, 80, 100, 63); at != 0.25 {
		t.Errorf("%v at 17 above the sea", at)
	}
	// Noise moves the height at which it snows by up to 8 blocks.
	for _, test := range []struct {
		y    int
		cold bool
	}{{81, false}, {150, false}, {151 + 18, true}, {300, true}} {
		for x := -500; x < 500; x += 50 {
			if taiga.ColdEnoughToSnow(x, test.y, -x, 63) != test.cold {
				t.Errorf("at %d %d the cold is not %v", x, test.y, test.cold)
			}
		}
	}
	warm, ocean := 0, Biome{Frozen: true}
	for x := range 1000 {
		switch at := ocean.TemperatureAt(x*13, 63, x*7, 63); at {
		case 0.2:
			warm++
		case 0:
		default:
			t.Fatalf("%v in a frozen ocean", at)
		}
	}
	if warm < 100 || warm > 900 {
		t.Errorf("%d of 1000 places of frozen ocean are warm", warm)
	}
}

func TestBandsGoOnBelowZero(t *testing.T) {
	var bands clayBands
	for i := range bands {
		bands[i] = block.State(i)
	}
	for _, test := range []struct {
		y      int
		offset float64
		want   block.State
	}{{0, 0, 0}, {191, 0, 191}, {192, 0, 0}, {-1, 0, 191}, {-400, 0, 176}, {10, 0.125, 11}, {10, 0.124, 10}, {10, -0.125, 10}, {10, -0.126, 9}, {10, 0.12499999999999999, 10}} {
		if got := bands.at(test.y, test.offset); got != test.want {
			t.Errorf("band %d, not %d, at %d moved by %v", got, test.want, test.y, test.offset)
		}
	}
}

// Chunks that carvers have left, which no structure or feature has touched but
// at their rims, have sulfur caves made by a noise of three dimensions.
func TestSulfurCavesFollowTheirNoise(t *testing.T) {
	cinnabar, sulfur := block.MustParse("cinnabar"), block.MustParse("sulfur")
	tables, seen := chunk.NewTables(), 0
	for _, w := range oracletest.Worlds {
		n, err := noise.NewSet(w.Seed, false, settings.Noises(builtin(t))).Named("minecraft:sulfur_cave_gradient")
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range oracletest.Chunks(t, tables, w.Folder, "overworld", "carvers") {
			baseX, baseZ := int(c.Pos().X)*16, int(c.Pos().Z)*16
			for i := range 256 * 384 {
				x, y, z := i&15, i>>8-64, i>>4&15
				state := c.Block(x, y, z)
				if state != cinnabar && state != sulfur {
					continue
				}
				seen++
				v := n.At(float64(baseX+x), float64(y), float64(baseZ+z))
				isSulfur := v >= 0 && v <= float64(float32(0.4))
				isCinnabar := v >= float64(float32(-0.4)) && v <= float64(float32(-0.1)) || v >= float64(float32(0.4))
				if state == sulfur && !isSulfur || state == cinnabar && !isCinnabar {
					t.Errorf("%s: %v at %d %d %d, where the noise is %v", w.Folder, state, baseX+x, y, baseZ+z, v)
				}
			}
		}
	}
	if seen < 1000 {
		t.Errorf("only %d blocks", seen)
	}
}

func TestBuildAllocatesNothing(t *testing.T) {
	for _, d := range oracletest.Dumps(t, "noise") {
		w := newWorld(t, d.Dimension, d.Seed)
		view, from := w.view(d.X, d.Z), w.load(d)
		c := w.load(d)
		heights := *c
		run := func() {
			copy(c.Blocks, from.Blocks)
			marks := c.Marks[:0]
			*c = heights
			c.Marks = marks
			w.builder.Build(c, view, w.density)
			w.builder.TopMaterial(int(c.X)<<4, 40, int(c.Z)<<4, true)
		}
		run()
		heights.Marks = c.Marks
		if n := testing.AllocsPerRun(3, run); n != 0 {
			t.Errorf("%s: %v allocations", d.Name, n)
		}
	}
}
