package climate_test

import (
	"errors"
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/climate"
	"strata/pregen/worldgen/oracletest"
)

// chunkGround is the ground of one real chunk.
type chunkGround struct{ c *chunk.Chunk }

var errOutside = errors.New("a chunk that is not there")

func (g chunkGround) Heights(x, z int) (h climate.Heights, err error) {
	if pos := g.c.Pos(); int(pos.X) != x>>4 || int(pos.Z) != z>>4 {
		return h, errOutside
	}
	for _, kind := range []struct {
		heightmap chunk.Heightmap
		y         *int
	}{{chunk.MotionBlocking, &h.MotionBlocking}, {chunk.WorldSurface, &h.WorldSurface}, {chunk.OceanFloor, &h.OceanFloor}} {
		y, ok := g.c.HeightAt(kind.heightmap, x, z)
		if !ok {
			return h, errOutside
		}
		*kind.y = y - 1
	}
	return h, nil
}

func (g chunkGround) Block(x, y, z int) block.State { return g.c.Block(x, y, z) }

func TestSettleGivesTheSpawnOfARealWorld(t *testing.T) {
	chunks := oracletest.Chunks(t, chunk.NewTables(), "stages-26.1.2", "overworld", "full")
	if len(chunks) != 1 {
		t.Fatalf("%d full chunks, want that of the spawn", len(chunks))
	}
	landing := climate.Landing{MinY: -64, SpawnHeight: climate.NoiseSpawnHeight}
	x, y, z, err := climate.Settle(chunkGround{chunks[0]}, landing, 4, -7)
	if err != nil || x != 0 || y != 104 || z != -16 {
		t.Errorf("%d %d %d, %v, want 0 104 -16", x, y, z, err)
	}
}

// plain is ground of one block at a height, with exceptions by column.
type plain struct {
	height  int
	columns map[[2]int][]block.State // from the height up
	base    []block.State
	asked   [][2]int
	last    []block.State
}

func (g *plain) Heights(x, z int) (h climate.Heights, err error) {
	g.asked = append(g.asked, [2]int{x, z})
	g.last = g.base
	if column, ok := g.columns[[2]int{x, z}]; ok {
		g.last = column
	}
	h = climate.Heights{MotionBlocking: -65, WorldSurface: -65, OceanFloor: -65}
	for i, state := range g.last {
		y := g.height + i
		if state.MotionBlocking() {
			h.MotionBlocking = y
		}
		if state.WorldSurface() {
			h.WorldSurface = y
		}
		if state.OceanFloor() {
			h.OceanFloor = y
		}
	}
	return h, nil
}

func (g *plain) Block(_, y, _ int) block.State {
	if i := y - g.height; i >= 0 && i < len(g.last) {
		return g.last[i]
	}
	return 0
}

func states(names ...string) (list []block.State) {
	for _, name := range names {
		list = append(list, block.MustParse(name))
	}
	return list
}

func TestSettleLandsOnWhatOneCanStandOn(t *testing.T) {
	landing := climate.Landing{MinY: -64, SpawnHeight: 64}
	for _, test := range []struct {
		name   string
		base   []block.State
		column []block.State
		y      int // where one stands in the column; 0 if one cannot
	}{
		{"stone", nil, states("stone"), 71},
		{"leaves and grass", nil, states("oak_leaves[persistent=true]", "short_grass"), 71},
		{"snow on stone", nil, states("stone", "snow[layers=1]"), 71},
		{"upper slab", nil, states("stone", "oak_slab[type=top]"), 72},
		{"lower slab", nil, states("stone", "oak_slab[type=bottom]"), 71},
		{"stairs upside down", nil, states("oak_stairs[half=top]"), 71},
		{"water", states("stone"), states("stone", "water"), 0},
		{"slab in water", nil, states("stone", "oak_slab[type=bottom,waterlogged=true]"), 0},
		{"fence", nil, states("oak_fence"), 0},
	} {
		g := &plain{height: 70, base: states("water"), columns: map[[2]int][]block.State{{37, -60}: test.column}}
		x, y, z, err := climate.Settle(g, landing, 0, 0)
		if test.y == 0 {
			if err != nil || x != 8 || y != 64 || z != 8 {
				t.Errorf("%s: %d %d %d, %v, want the middle of the first chunk", test.name, x, y, z, err)
			}
			if len(g.asked) != 121*256 {
				t.Errorf("%s: asked for %d columns, want those of 121 chunks", test.name, len(g.asked))
			}
			continue
		}
		if err != nil || x != 37 || y != test.y || z != -60 {
			t.Errorf("%s: %d %d %d, %v, want 37 %d -60", test.name, x, y, z, err, test.y)
		}
	}
}

func TestSettleGoesAroundTheFirstChunk(t *testing.T) {
	g := &plain{height: 0, base: states("water")}
	if _, _, _, err := climate.Settle(g, climate.Landing{MinY: 0, SpawnHeight: -1}, -1, 17); err != nil {
		t.Fatal(err)
	}
	seen := make(map[[2]int]bool)
	for i, column := range g.asked[:121*256] {
		chunk := [2]int{column[0]>>4 + 1, column[1]>>4 - 1}
		seen[chunk] = true
		if max(chunk[0], -chunk[0], chunk[1], -chunk[1]) > 5 {
			t.Fatalf("column %d is in chunk %d", i, chunk)
		}
	}
	first := [][2]int{{0, 0}, {1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}, {2, -1}}
	for i, want := range first {
		if column := g.asked[i*256]; column != [2]int{(want[0] - 1) * 16, (want[1] + 1) * 16} {
			t.Errorf("chunk %d begins at %d, want that of %d", i, column, want)
		}
	}
	if g.asked[1] != [2]int{-16, 17} || len(seen) != 121 {
		t.Errorf("second column %d, %d chunks", g.asked[1], len(seen))
	}
}
