package proto

import (
	"math/rand/v2"
	"testing"

	"strata/anvil/block"
	"strata/bench/testbed"
)

func TestHeightsFollowTheBlocks(t *testing.T) {
	random := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 1))
	states := []block.State{0, block.MustParse("stone"), block.MustParse("water"), block.MustParse("cave_air")}
	c, again := New(-64, 128), New(-64, 128)
	c.Reset(3, -7)
	for range 20000 {
		x, y, z := random.IntN(16), random.IntN(136)-68, random.IntN(16)
		c.SetBlock(x, y, z, states[random.IntN(len(states))])
	}
	copy(again.Blocks, c.Blocks)
	again.ComputeHeights()
	if c.heights != again.heights {
		t.Error("heights kept along differ from those of the blocks")
	}
	c.Reset(0, 0)
	if c.HeightAt(OceanFloor, 5, 5) != -64 || c.Block(5, 0, 5) != 0 {
		t.Error("a reset chunk is not empty")
	}
}

func TestCellsAreInTheOrderOfSections(t *testing.T) {
	c := New(-64, 384)
	if got := c.Index(3, -64+17, 5); got != 4096+256+5*16+3 {
		t.Errorf("block index %d", got)
	}
	if got := c.BiomeIndex(7, -64+17, 9); got != 64+2*4+1 {
		t.Errorf("biome index %d", got)
	}
	if !c.Carve(70) || c.Carve(70) || c.Carved[1] != 1<<6 {
		t.Error("a carved block is not one bit")
	}
}
