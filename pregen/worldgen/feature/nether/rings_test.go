package nether

import (
	"slices"
	"testing"

	"strata/pregen/worldgen/rng"
)

func TestRingsGoOutwards(t *testing.T) {
	var got [][3]int
	rings(1, 0, 2, func(dx, dy, dz, distance int) bool {
		if abs(dx)+abs(dy)+abs(dz) != distance {
			t.Errorf("%d,%d,%d is said to be at %d", dx, dy, dz, distance)
		}
		got = append(got, [3]int{dx, dy, dz})
		return distance < 3
	})
	want := [][3]int{
		{0, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}, {1, 0, 0},
		{-1, 0, 1}, {-1, 0, -1}, {0, 0, 2}, {0, 0, -2}, {1, 0, 1}, {1, 0, -1},
		{-1, 0, 2},
	}
	if !slices.Equal(got, want) {
		t.Errorf("the order is %v, want %v", got, want)
	}
}

func TestRingsVisitEachPlaceOnce(t *testing.T) {
	seen := make(map[[3]int]bool)
	rings(3, 2, 4, func(dx, dy, dz, _ int) bool {
		if seen[[3]int{dx, dy, dz}] || abs(dx) > 3 || abs(dy) > 2 || abs(dz) > 4 {
			t.Errorf("%d,%d,%d is visited", dx, dy, dz)
		}
		seen[[3]int{dx, dy, dz}] = true
		return true
	})
	if len(seen) != 7*5*9 {
		t.Errorf("%d places, want %d", len(seen), 7*5*9)
	}
}

func TestNothingIsDrawnWithoutAChoice(t *testing.T) {
	random := rng.NewWorldgenLegacy(1)
	if got := between(&random, 3, 3); got != 3 {
		t.Errorf("between 3 and 3 is %d", got)
	}
	fresh := rng.NewWorldgenLegacy(1)
	if random.Long() != fresh.Long() {
		t.Error("something was drawn")
	}
}
