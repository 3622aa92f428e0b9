package stream

import (
	"math/rand/v2"
	"slices"
	"testing"

	"strata/bench/testbed"
	"strata/region"
)

func TestViewsHaveTheShapeOfTheGames(t *testing.T) {
	// A view of 2 is too small to have round corners: it reaches 3 chunks.
	v := View{region.ChunkPos{X: 10, Z: -10}, 2}
	for z := int32(-6); z <= 6; z++ {
		for x := int32(-6); x <= 6; x++ {
			ax, az := max(x, -x), max(z, -z)
			want := ax <= 3 && az <= 3
			if got := v.Contains(region.ChunkPos{X: 10 + x, Z: -10 + z}); got != want {
				t.Errorf("%d,%d: %v", x, z, got)
			}
		}
	}
	// At 10 it reaches 11 along the axes, and corners are round.
	v = View{Distance: 10}
	for _, c := range []struct {
		x, z int32
		in   bool
	}{{11, 0, true}, {12, 0, false}, {-11, 6, true}, {11, 7, false}, {9, 9, true}, {10, 8, false}, {9, 10, false}, {0, -11, true}} {
		if v.Contains(region.ChunkPos{X: c.x, Z: c.z}) != c.in {
			t.Errorf("%d,%d: want %v", c.x, c.z, c.in)
		}
	}
	if (View{}).Contains(region.ChunkPos{}) || (View{Distance: -1}).Len() != 0 {
		t.Error("a view of nothing has something")
	}
	if (View{Distance: 1000}).Len() != (View{Distance: MaxDistance}).Len() {
		t.Error("a view is greater than the greatest")
	}
	far := View{region.ChunkPos{X: 1<<31 - 1, Z: -1 << 31}, 32}
	if far.Contains(region.ChunkPos{X: -1 << 31, Z: 1<<31 - 1}) {
		t.Error("the ends of the world see each other")
	}
}

func TestDifferencesLeadFromViewToView(t *testing.T) {
	rng := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 1))
	seen := make(map[region.ChunkPos]bool)
	var old View
	for range testbed.Runs(t, 200) {
		v := View{region.ChunkPos{X: rng.Int32N(40), Z: rng.Int32N(40)}, rng.IntN(14)}
		enter, leave := v.Diff(old, nil, nil)
		last := int32(0)
		for _, p := range enter {
			if seen[p] || !v.Contains(p) {
				t.Fatalf("%v enters %+v twice, or is not in it", p, v)
			}
			seen[p] = true
			dx, dz := p.X-v.Center.X, p.Z-v.Center.Z
			if d := dx*dx + dz*dz; d < last {
				t.Fatalf("%v comes after one that is farther away", p)
			} else {
				last = d
			}
		}
		for _, p := range leave {
			if !seen[p] || v.Contains(p) {
				t.Fatalf("%v leaves %+v without having been in it", p, v)
			}
			delete(seen, p)
		}
		all := v.Append(nil)
		if len(all) != len(seen) || len(all) != v.Len() || slices.ContainsFunc(all, func(p region.ChunkPos) bool { return !seen[p] }) {
			t.Fatalf("%+v has %d chunks, %d are seen", v, len(all), len(seen))
		}
		old = v
	}
}
