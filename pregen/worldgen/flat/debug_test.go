package flat

import (
	"errors"
	"testing"

	"strata/anvil/block"
	"strata/pregen/worldgen/proto"
)

func debug(t testing.TB, dataVersion int32) *Debug {
	t.Helper()
	d, err := NewDebug(dataVersion)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestGridsAreAsLargeAsTheGames(t *testing.T) {
	// Figures of the wiki: 7,770 states in 87 rows of 89 and one of 27; 5,359
	// in 72 rows of 74 and a short one; 213 by 211 blocks in 1.14.2, which has
	// some 11,300 states.
	for count, want := range map[int]grid{
		7770:  {7770, 89, 88},
		5359:  {5359, 74, 73},
		11300: {11300, 107, 106},
		32366: {32366, 180, 180},
		29873: {29873, 173, 173},
	} {
		if got := newGrid(count); got != want {
			t.Errorf("%d states: %+v, want %+v", count, got, want)
		}
	}
	if 87*89+27 != 7770 || 2*107-1 != 213 || 2*106-1 != 211 {
		t.Error("the figures do not fit each other")
	}
}

func TestDebugWorldsShowEveryState(t *testing.T) {
	for _, c := range []struct {
		dataVersion int32
		count       int
		side        int // states in a row, and rows
	}{{4903, block.StateCount, 180}, {4790, 29873, 173}, {4786, 29873, 173}} {
		d := debug(t, c.dataVersion)
		seen := map[block.State]int{}
		last, blocks := -1, 0
		for x := -20; x < 2*c.side+20; x++ {
			for z := -20; z < 2*c.side+20; z++ {
				state := d.At(x, z)
				i, ok := d.index(x, z)
				if !ok {
					if state != 0 {
						t.Fatalf("%v at %d, %d, where there is none", state, x, z)
					}
					continue
				}
				if x <= 0 || z <= 0 || x%2 == 0 || z%2 == 0 {
					t.Fatalf("a place at %d, %d", x, z)
				}
				// Rows from west to east, each from north to south, and at the
				// end of each the first of the next once more.
				if repeats := z/2 == c.side; i != last+1 && !repeats && i != last {
					t.Fatalf("state %d at %d, %d after %d", i, x, z, last)
				}
				last = i
				seen[state]++
				blocks++
			}
		}
		if len(seen) != c.count {
			t.Errorf("version %d: %d states, want %d", c.dataVersion, len(seen), c.count)
		}
		if blocks != c.count+c.side-1 {
			t.Errorf("version %d: %d places", c.dataVersion, blocks)
		}
		if twice := seen[d.states[c.side]]; twice != 2 || seen[d.states[c.side+1]] != 1 {
			t.Errorf("version %d: the first of the second row stands %d times", c.dataVersion, twice)
		}
	}
}

func TestVersionsHaveTheirOwnOrder(t *testing.T) {
	older, newer := debug(t, 4790), debug(t, 4903)
	if older.At(1, 3) != newer.At(1, 3) || newer.At(1, 3) != block.MustParse("stone") || newer.At(1, 1) != 0 {
		t.Errorf("%v and %v", older.At(1, 3), newer.At(1, 3))
	}
	// Numbers from 24,687 on are others in 26.2: 26.1 lacks the blocks that are
	// new there.
	if older.states[24686] != newer.states[24686] || older.states[24687] == newer.states[24687] {
		t.Error("the versions do not part at 24,687")
	}
	if _, err := NewDebug(4000); !errors.Is(err, ErrVersion) {
		t.Error(err)
	}
}

func TestDebugChunksHaveBarriersAndStates(t *testing.T) {
	d := debug(t, 4903)
	for _, at := range [][2]int32{{0, 0}, {-1, 0}, {3, 22}, {22, 22}, {1 << 20, 5}} {
		c := proto.New(-64, 384)
		c.Reset(at[0], at[1])
		d.Terrain(c)
		for i, state := range c.Blocks {
			if state != 0 {
				t.Fatalf("chunk %v: %v at %d before it is decorated", at, state, i)
			}
		}
		d.Decorate(c)
		states := 0
		for y := -64; y < 320; y++ {
			for z := range 16 {
				for x := range 16 {
					want := block.State(0)
					switch y {
					case 60:
						want = block.MustParse("barrier")
					case 70:
						if want = d.At(int(at[0])*16+x, int(at[1])*16+z); want != 0 {
							states++
						}
					}
					if got := c.Block(x, y, z); got != want {
						t.Fatalf("chunk %v: %v at %d, %d, %d, want %v", at, got, x, y, z, want)
					}
				}
			}
		}
		// All 64 places of 0, 0 but the first, which shows air.
		if want := map[[2]int32]int{{0, 0}: 63, {3, 22}: 40}[at]; at[0] < 4 && states != want {
			t.Errorf("chunk %v shows %d states, want %d", at, states, want)
		}
		if c.HeightAt(proto.WorldSurface, 4, 4) != -64 || d.Biomes()[c.Biomes[9]] != "minecraft:plains" {
			t.Errorf("chunk %v: height %d", at, c.HeightAt(proto.WorldSurface, 4, 4))
		}
	}
	// A dimension that is too low has what fits.
	low := proto.New(0, 64)
	low.Reset(0, 0)
	d.Terrain(low)
	d.Decorate(low)
	if low.Block(2, 60, 2) != block.MustParse("barrier") {
		t.Error("no barriers in a low dimension")
	}
	lower := proto.New(0, 16)
	lower.Reset(0, 0)
	d.Decorate(lower)
	if lower.Block(2, 15, 2) != 0 {
		t.Error("blocks in a dimension below the grid")
	}
}

func BenchmarkDebug(b *testing.B) {
	d := debug(b, 4903)
	c := proto.New(-64, 384)
	b.ReportAllocs()
	for b.Loop() {
		c.Reset(3, 3)
		d.Terrain(c)
		d.Decorate(c)
	}
}
