package plant_test

import (
	"maps"
	"slices"
	"testing"

	"strata/anvil/chunk"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/feature/cave"
	"strata/pregen/worldgen/feature/featuretest"
	"strata/pregen/worldgen/feature/plant"
	"strata/pregen/worldgen/feature/rock"
	"strata/pregen/worldgen/feature/tree"
	"strata/pregen/worldgen/oracletest"
)

func factories() map[string]feature.Factory {
	f := feature.Core()
	for _, more := range []map[string]feature.Factory{plant.Factories(), cave.Factories(), rock.Factories(), tree.Factories()} {
		maps.Copy(f, more)
	}
	return f
}

// onlyChunks are all chunks of a real world of 26.1.2 that were decorated, in the
// order in which they were: found by search, it is the only one of those tried
// that gives all blocks. One chunk is full, the others are at initialize_light;
// they have deep dark, dripstone caves, forest and jungle.
var onlyChunks = [][2]int32{{-1, 0}, {-1, -2}, {-1, -1}, {0, -2}, {0, -1}, {1, -2}, {0, 0}, {1, -1}, {1, 0}}

func TestAllThatDecorationMadeOfAWorldIsEqual(t *testing.T) {
	if testing.Short() {
		t.Skip("makes chunks")
	}
	from := oracletest.Worlds[3]
	const version = 4790
	ours := featuretest.NewWorldOf(t, version, from.Seed, "overworld", factories()).DecoratedAll(onlyChunks)
	tables, found := chunk.NewTables(), 0
	for _, stage := range []string{"full", "initialize_light"} {
		for _, saved := range oracletest.Chunks(t, tables, from.Folder, "overworld", stage) {
			pos := saved.Pos()
			c := ours[[2]int32{pos.X, pos.Z}]
			if c == nil || !slices.Contains(onlyChunks, [2]int32{pos.X, pos.Z}) {
				t.Errorf("chunk %d,%d is decorated", pos.X, pos.Z)
				continue
			}
			found++
			compareWhole(t, saved, c)
		}
	}
	if found != len(onlyChunks) {
		t.Errorf("%d chunks, want %d", found, len(onlyChunks))
	}
}

// compareWhole compares all that a chunk at initialize_light has of decoration:
// blocks, heights, block entities, blocks to update, and ticks.
func compareWhole(t *testing.T, saved *chunk.Chunk, c *feature.Chunk) {
	t.Helper()
	wrong := make(map[string]int)
	for i, got := range c.Blocks {
		if want := saved.Block(i&15, c.MinY+i>>8, i>>4&15); want != got {
			wrong[want.String()+" is "+got.String()]++
		}
	}
	if len(wrong) > 0 {
		t.Errorf("chunk %d,%d: %s", c.X, c.Z, featuretest.Top(wrong, 8))
	}
	for _, kind := range []chunk.Heightmap{chunk.WorldSurface, chunk.OceanFloor, chunk.MotionBlocking, chunk.MotionBlockingNoLeaves} {
		for column := range 256 {
			x, z := column&15, column>>4
			if y, ok := saved.HeightAt(kind, x, z); !ok || y != c.FinalHeight(kind, x, z) {
				t.Errorf("chunk %d,%d: %v at %d,%d is %d, want %d", c.X, c.Z, kind, x, z, c.FinalHeight(kind, x, z), y)
			}
		}
	}
	entities, err := saved.BlockEntities()
	if err != nil {
		t.Fatal(err)
	}
	var wantEntities, gotEntities []chunk.BlockPos // their ids come with the next status
	for _, e := range entities {
		wantEntities = append(wantEntities, e.Pos)
	}
	for _, e := range c.BlockEntities {
		gotEntities = append(gotEntities, chunk.BlockPos{X: e.X, Y: e.Y, Z: e.Z})
	}
	compareSets(t, c, "block entities", wantEntities, gotEntities)
	compareMarks(t, saved, c)
	compareTicks(t, saved, c)
}

func compareSets(t *testing.T, c *feature.Chunk, what string, want, got []chunk.BlockPos) {
	t.Helper()
	order := func(a, b chunk.BlockPos) int {
		return slices.Compare([]int32{a.X, a.Y, a.Z}, []int32{b.X, b.Y, b.Z})
	}
	slices.SortFunc(want, order)
	slices.SortFunc(got, order)
	if !slices.Equal(want, got) {
		t.Errorf("chunk %d,%d: %d %s, want %d or others", c.X, c.Z, len(got), what, len(want))
	}
}

// compareMarks compares the blocks to update, in each section in their order.
func compareMarks(t *testing.T, saved *chunk.Chunk, c *feature.Chunk) {
	t.Helper()
	marks, err := saved.Marks(chunk.PostProcessing)
	if err != nil {
		t.Fatal(err)
	}
	want, got := make(map[int32][]chunk.BlockPos), make(map[int32][]chunk.BlockPos)
	for _, p := range marks {
		want[p.Y>>4] = append(want[p.Y>>4], p)
	}
	for _, i := range c.Marks {
		p := chunk.BlockPos{X: c.X*16 + i&15, Y: int32(c.MinY) + i>>8, Z: c.Z*16 + i>>4&15}
		got[p.Y>>4] = append(got[p.Y>>4], p)
	}
	for y := int32(c.MinY >> 4); y < int32(c.MinY+c.Height)>>4; y++ {
		if !slices.Equal(want[y], got[y]) {
			t.Errorf("chunk %d,%d: %d blocks to update in section %d, want %d or others", c.X, c.Z, len(got[y]), y, len(want[y]))
		}
	}
}

// compareTicks compares the scheduled ticks in their order. The game keeps one
// of a block at a place, the first.
func compareTicks(t *testing.T, saved *chunk.Chunk, c *feature.Chunk) {
	t.Helper()
	type tick struct {
		name string
		pos  chunk.BlockPos
	}
	for kind, list := range map[chunk.TickKind][]feature.Tick{chunk.BlockTicks: c.BlockTicks, chunk.FluidTicks: c.FluidTicks} {
		ticks, err := saved.Ticks(kind)
		if err != nil {
			t.Fatal(err)
		}
		var want, got []tick
		for _, each := range ticks {
			want = append(want, tick{each.Name, each.Pos})
		}
		seen := make(map[tick]bool)
		for _, each := range list {
			if next := (tick{each.ID, chunk.BlockPos{X: each.X, Y: each.Y, Z: each.Z}}); !seen[next] {
				seen[next] = true
				got = append(got, next)
			}
		}
		if !slices.Equal(want, got) {
			t.Errorf("chunk %d,%d: %d ticks of kind %d, want %d or others", c.X, c.Z, len(got), kind, len(want))
		}
	}
}
