package chunk

import (
	"math/rand"
	"slices"
	"testing"

	"strata/bench/testbed"
)

// TestContainerHoldsWhatAnArrayHolds sets cells at random, with few and with
// many values, and compares with a plain array.
func TestContainerHoldsWhatAnArrayHolds(t *testing.T) {
	r := rand.New(rand.NewSource(testbed.Seed(t)))
	work := new(scratch)
	for round := range testbed.Runs(t, 60) {
		n := []int{SectionCells, BiomeCells}[round%2]
		want := make([]uint16, n)
		c := uniform(0)
		var clone container
		var cloned []uint16
		below := []int{2, 5, 17, 40, 300, 3000}[r.Intn(6)]
		for step := range 6000 {
			i, v := r.Intn(n), uint16(r.Intn(below))
			if r.Intn(50) == 0 {
				v += uint16(r.Intn(60000))
			}
			if old := c.set(i, v, n); old != want[i] {
				t.Fatalf("step %d: cell %d was %d, not %d", step, i, old, want[i])
			}
			want[i] = v
			switch r.Intn(1500) {
			case 0:
				c.shared = true
				clone, cloned = c, slices.Clone(want)
			case 1:
				from, to := uint16(r.Intn(below)), uint16(r.Intn(below))
				c.replace(func(v uint16) uint16 {
					if v == from {
						return to
					}
					return v
				}, n, work)
				for i, v := range want {
					if v == from {
						want[i] = to
					}
				}
			case 2:
				c.setValues(want, work)
			}
		}
		check := func(c *container, want []uint16) {
			got := make([]uint16, n)
			c.values(got)
			if !slices.Equal(got, want) {
				t.Fatal("values differ")
			}
			if len(c.palette) > 256 || c.width != directWidth && len(c.palette) > 1<<c.width {
				t.Fatalf("palette of %d entries at width %d", len(c.palette), c.width)
			}
		}
		check(&c, want)
		if cloned != nil {
			check(&clone, cloned)
		}
		checkCounts(t, &c, want, work)
	}
}

func checkCounts(t *testing.T, c *container, want []uint16, work *scratch) {
	t.Helper()
	values, counts := c.counts(len(want), work)
	naive := map[uint16]int32{}
	for _, v := range want {
		naive[v]++
	}
	if len(values) != len(naive) {
		t.Fatalf("%d values counted, not %d", len(values), len(naive))
	}
	for i, v := range values {
		if counts[i] != naive[v] {
			t.Fatalf("value %d: %d cells, not %d", v, counts[i], naive[v])
		}
		if i > 0 && counts[i] > counts[i-1] {
			t.Fatal("not ordered by frequency")
		}
	}
}

// TestFullPalettesAreClearedBeforeCellsWiden keeps the number of values in use
// low while ever new ones come.
func TestFullPalettesAreClearedBeforeCellsWiden(t *testing.T) {
	c := uniform(0)
	for v := range uint16(10000) {
		c.set(int(v)%8, v, SectionCells)
	}
	if c.width != 4 {
		t.Errorf("9 values take %d bits", c.width)
	}
}
