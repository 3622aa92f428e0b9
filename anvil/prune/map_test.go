package prune

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/bench/testbed"
	"strata/region"
)

// brute decides as the documentation says, chunk by chunk.
func brute(flags map[region.ChunkPos]Flags, margin int) (d Decided, gone map[region.ChunkPos]bool) {
	gone = map[region.ChunkPos]bool{}
	for pos, f := range flags {
		if f&Picked == 0 {
			continue
		}
		d.Picked++
		if f&Protected != 0 {
			d.Protected++
			continue
		}
		near := false
		for other, g := range flags {
			stays := g&Picked == 0 || g&Protected != 0
			if stays && g&Decorated != 0 && max(abs(pos.X-other.X), abs(pos.Z-other.Z)) <= int32(margin) {
				near = true
			}
		}
		if near && f&Touched != 0 && margin > 0 {
			d.Margin++
			continue
		}
		d.Remove++
		gone[pos] = true
	}
	return d, gone
}

func abs(n int32) int32 { return max(n, -n) }

func TestDecisionsAreThoseOfBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 7))
	for run := range testbed.Runs(t, 150) {
		var m Map
		flags := map[region.ChunkPos]Flags{}
		side := int32(3 + rng.IntN(20))
		share := 1 + rng.IntN(30)
		for range rng.IntN(300) {
			// Around the corner of four regions, or far from it at times.
			pos := region.ChunkPos{X: rng.Int32N(2*side) - side, Z: rng.Int32N(2*side) - side}
			if rng.IntN(20) == 0 {
				pos.X += 3000
			}
			f := Flags(rng.IntN(4)) << 2
			if rng.IntN(share) > 0 {
				f |= Picked
			}
			if rng.IntN(share) == 0 {
				f |= Protected
			}
			flags[pos] |= f
			m.Add(pos, f)
		}
		margin := rng.IntN(5)
		gone := map[region.ChunkPos]bool{}
		got := m.Decide(margin, func(pos region.ChunkPos) { gone[pos] = true })
		want, wantGone := brute(flags, margin)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("run %d: %s", run, diff)
		}
		if diff := cmp.Diff(wantGone, gone); diff != "" {
			t.Fatalf("run %d: %s", run, diff)
		}
	}
}

func TestGrowthWrapsNowhereAndReachesEachRingOnce(t *testing.T) {
	s := set{}
	s.add(region.ChunkPos{X: -1, Z: 31})
	s.grow(40)
	n := 0
	for x := int32(-60); x < 60; x++ {
		for z := int32(-60); z < 90; z++ {
			pos := region.ChunkPos{X: x, Z: z}
			if want := max(abs(x+1), abs(z-31)) <= 40; s.has(pos) != want {
				t.Fatalf("%v: %v", pos, !want)
			} else if want {
				n++
			}
		}
	}
	if n != 81*81 {
		t.Errorf("%d chunks", n)
	}
}

func TestCirclesProtectWhatTheyTouch(t *testing.T) {
	c := Circle{X: 8, Z: -8, Radius: 20}
	for pos, want := range map[region.ChunkPos]bool{
		{X: 0, Z: -1}: true, {X: 1, Z: -1}: true, {X: 2, Z: -1}: false, {X: -1, Z: 0}: true, {X: 1, Z: 1}: false, {X: 0, Z: 0}: true,
	} {
		if c.Has(pos) != want {
			t.Errorf("%v: %v", pos, !want)
		}
	}
	point := Circle{X: -1, Z: -1}
	if !point.Has(region.ChunkPos{X: -1, Z: -1}) || point.Has(region.ChunkPos{}) {
		t.Error("a point protects another chunk than its own")
	}
}

func TestHistogramSaysWhenOneValueDominates(t *testing.T) {
	rng := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 8))
	for name, c := range map[string]struct {
		fixed, spread, zero int
		want                *Dominant
	}{
		"fixed by the server":  {fixed: 6000, spread: 4000, want: &Dominant{Ticks: 12345}},
		"beside fresh chunks":  {fixed: 600, spread: 400, zero: 9000, want: &Dominant{Ticks: 12345}},
		"all fresh":            {zero: 500, want: &Dominant{}},
		"as players make them": {fixed: 10, spread: 4000, zero: 9000},
		"less than half":       {fixed: 4900, spread: 5100},
		"too few to say":       {fixed: 20, zero: 20},
	} {
		t.Run(name, func(t *testing.T) {
			values := make([]int64, 0, c.fixed+c.spread+c.zero)
			for i := range c.fixed + c.spread + c.zero {
				switch {
				case i < c.fixed:
					values = append(values, 12345)
				case i < c.fixed+c.spread:
					values = append(values, 1+rng.Int64N(1<<40))
				default:
					values = append(values, 0)
				}
			}
			rng.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
			var h Histogram
			for _, v := range values {
				h.add(v)
			}
			h.finish()
			if (h.Dominant == nil) != (c.want == nil) || c.want != nil && h.Dominant.Ticks != c.want.Ticks {
				t.Fatalf("dominant %+v, want %+v", h.Dominant, c.want)
			}
			sum := int64(0)
			for _, row := range h.Rows {
				sum += row.Chunks
			}
			if sum != int64(len(values)) || h.Chunks != sum {
				t.Errorf("%d in rows, %d counted, %d values", sum, h.Chunks, len(values))
			}
			if c.want != nil && c.want.Ticks > 0 && (h.Dominant.Chunks > int64(c.fixed) || h.Dominant.Chunks < int64(c.fixed-c.spread/fewValues-1)) {
				t.Errorf("counted %d of %d", h.Dominant.Chunks, c.fixed)
			}
		})
	}
}
