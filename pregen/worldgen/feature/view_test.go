package feature_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/bench/testbed"
	"strata/pregen/worldgen/climate"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
)

// flatView is a view of chunks of stone below y 8, of one biome.
func flatView(t testing.TB) (*feature.View, [9]*feature.Chunk) {
	t.Helper()
	cells := func(x, z int32) *proto.Chunk {
		c := proto.New(0, 64)
		c.Reset(x, z)
		return c
	}
	v := feature.NewView(0, 64, 10, climate.NewZoom(1), cells)
	var chunks [9]*feature.Chunk
	for i := range chunks {
		c := cells(int32(i%3)-1, int32(i/3)-1)
		for j := range 8 * 256 {
			c.Blocks[j] = block.Stone.Default()
		}
		c.ComputeHeights()
		chunks[i] = feature.NewChunk(c)
	}
	v.Reset(chunks)
	return v, chunks
}

func TestHeightsFollowWhatIsSet(t *testing.T) {
	random := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 0))
	v, _ := flatView(t)
	states := []block.State{
		0, block.Stone.Default(), block.OakLeaves.Default(), block.Water.Default(), block.ShortGrass.Default(), block.Lava.Default(),
	}
	kinds := map[chunk.Heightmap]func(block.State) bool{
		chunk.WorldSurface: block.State.WorldSurface, chunk.OceanFloor: block.State.OceanFloor,
		chunk.MotionBlocking: block.State.MotionBlocking, chunk.MotionBlockingNoLeaves: block.State.MotionBlockingNoLeaves,
	}
	for range 3000 {
		x, y, z := random.IntN(48)-16, random.IntN(20), random.IntN(48)-16
		if !v.Set(x, y, z, states[random.IntN(len(states))]) {
			t.Fatalf("%d %d %d cannot be written", x, y, z)
		}
		for kind, counts := range kinds {
			want := 63
			for want >= 0 && !counts(v.Block(x, want, z)) {
				want--
			}
			if got := v.Height(kind, x, z); got != want+1 {
				t.Fatalf("%v at %d,%d is %d, want %d", kind, x, z, got, want+1)
			}
		}
		if got := v.Height(chunk.WorldSurfaceWG, x, z); got != 8 {
			t.Fatalf("the heightmap of generation moved to %d", got)
		}
	}
}

func TestWritesEndAtTheNeighbours(t *testing.T) {
	v, chunks := flatView(t)
	for _, x := range []int{-17, 32} {
		if v.Set(x, 3, 0, 0) || v.CanWrite(0, x) || v.Block(x, 3, 0).String() != "minecraft:void_air" {
			t.Errorf("column %d belongs to the view", x)
		}
	}
	if !v.Set(-16, 64, 31, 0) || v.Block(0, -1, 0).String() != "minecraft:void_air" {
		t.Error("heights out of the dimension are not air that can be written to")
	}
	v.Set(-16, 9, 31, block.MagmaBlock.Default())
	v.Set(-15, 9, 31, block.RedMushroom.Default())
	v.Set(-14, 63, 31, block.MagmaBlock.Default())
	c := chunks[6]
	if want := []int32{int32(c.Index(0, 10, 15)), int32(c.Index(1, 9, 15))}; !slices.Equal(c.Marks, want) {
		t.Errorf("marked are %v, want %v: above magma, and a mushroom", c.Marks, want)
	}
}

func TestPlacesAreBuiltBeforeTheNextIsDrawn(t *testing.T) {
	v, _ := flatView(t)
	random := rng.NewWorldgenXoroshiro(5)
	c := &feature.Context{View: v, Random: &random, Span: provider.Span{Height: 64}}
	loader := feature.NewLoader(newPack(t, nil), feature.Core(), nil)
	// What is placed decides where the next goes: a column grows by one each
	// time, as the heightmap is asked again.
	p, err := loader.Placed(value(t, `{"feature":{"type":"simple_block","config":{"to_place":
		{"type":"simple_state_provider","state":{"Name":"stone"}}}},
		"placement":[{"type":"count","count":5},{"type":"heightmap","heightmap":"WORLD_SURFACE"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if !p.Place(c, 3, 0, 4) {
		t.Error("nothing was built")
	}
	if got := v.Height(chunk.WorldSurface, 3, 4); got != 13 {
		t.Errorf("the column is %d high, want 13", got)
	}
}

func TestHeightsAreComputedFromTheBlocks(t *testing.T) {
	random := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 1))
	_, chunks := flatView(t)
	c := chunks[0]
	states := []block.State{0, block.OakLeaves.Default(), block.Water.Default(), block.ShortGrass.Default(), block.Stone.Default()}
	for i := range c.Blocks {
		if random.IntN(4) == 0 {
			c.Blocks[i] = states[random.IntN(len(states))]
		}
	}
	for column := range 256 {
		x, z := column&15, column>>4
		want := 63
		for want >= 0 && !c.Block(x, want, z).MotionBlockingNoLeaves() {
			want--
		}
		if got := c.FinalHeight(chunk.MotionBlockingNoLeaves, x, z); got != want+1 {
			t.Fatalf("the height at %d,%d is %d, want %d", x, z, got, want+1)
		}
	}
}

// What is written into a frozen chunk is dropped, as if it had been written.
func TestFrozenChunksStayAsTheyAre(t *testing.T) {
	v, chunks := flatView(t)
	frozen, open := chunks[5], chunks[4]
	frozen.Frozen = true
	for x := 15; x <= 16; x++ {
		if !v.Set(x, 20, 3, block.Stone.Default()) {
			t.Errorf("x %d cannot be written", x)
		}
		v.SetBare(x, 21, 3, block.Stone.Default())
		v.Mark(x, 20, 3)
		v.TickBlock(x, 20, 3, 1)
		v.TickFluid(x, 20, 3, "minecraft:water", 1)
		v.AddBlockEntity(feature.BlockEntity{X: int32(x), Y: 20, Z: 3})
		if e := v.BlockEntityAt(x, 20, 3); (e != nil) != (x == 15) {
			t.Errorf("the block entity at x %d is %v", x, e)
		}
		v.AddEntity(feature.Entity{X: float64(x), Y: 20, Z: 3})
	}
	count := func(c *feature.Chunk) int {
		n := len(c.Marks) + len(c.BlockTicks) + len(c.FluidTicks) + len(c.BlockEntities) + len(c.Entities)
		for _, s := range c.Blocks[12*256:] {
			if s != 0 {
				n++
			}
		}
		return n
	}
	if got := count(open); got != 7 || !open.Touched {
		t.Errorf("an open chunk got %d of 7, touched %v", got, open.Touched)
	}
	if got := count(frozen); got != 0 || frozen.Touched || v.Height(chunk.WorldSurface, 16, 3) != 8 {
		t.Errorf("a frozen chunk got %d, touched %v", got, frozen.Touched)
	}
	open.Reset()
	if open.Touched {
		t.Error("a chunk that was reset is touched")
	}
}

// A block or a fluid has one tick at a time, also one that was there before.
func TestTicksAreScheduledOnce(t *testing.T) {
	v, chunks := flatView(t)
	c := chunks[4]
	c.BlockTicks = append(c.BlockTicks, feature.Tick{X: 3, Y: 7, Z: 4, ID: "minecraft:stone", Delay: 5})
	for range 2 {
		v.TickBlock(3, 7, 4, 1)
		v.TickBlock(4, 7, 3, 1)
		v.TickBlock(3, 8, 4, 1) // air
		v.TickFluid(3, 7, 4, "minecraft:water", 5)
		v.TickFluid(3, 7, 4, "minecraft:lava", 30)
	}
	if len(c.BlockTicks) != 3 || c.BlockTicks[0].Delay != 5 || len(c.FluidTicks) != 2 {
		t.Errorf("ticks of blocks %v, of fluids %v", c.BlockTicks, c.FluidTicks)
	}
	c.Reset()
	if v.TickBlock(3, 7, 4, 1); len(c.BlockTicks) != 1 {
		t.Errorf("after a reset there are %d ticks of blocks", len(c.BlockTicks))
	}
}
