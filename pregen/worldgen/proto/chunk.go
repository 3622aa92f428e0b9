package proto

import "strata/anvil/block"

// Biome is the number of a biome among those of the dimension's generator.
type Biome uint16

// Heightmap is one of the two heightmaps that exist before decoration.
type Heightmap uint8

// The heightmaps of generation.
const (
	WorldSurface Heightmap = iota // WORLD_SURFACE_WG: what is not air
	OceanFloor                    // OCEAN_FLOOR_WG: what blocks motion
	heightmaps
)

// Chunk is a chunk that is being generated.
type Chunk struct {
	X, Z   int32 // in chunks
	MinY   int   // of the dimension, a multiple of 16
	Height int   // in blocks, a multiple of 16

	// Blocks has 256*Height states, see Index.
	Blocks []block.State
	// Biomes has 4*Height entries, see BiomeIndex.
	Biomes []Biome
	// Carved has a bit for each block that a carver dug out, by Index.
	Carved []uint64
	// Marks are the blocks to update when the chunk first ticks, by Index, in
	// the order in which they were marked.
	Marks []int32

	heights [heightmaps][256]int16
}

// New returns an empty chunk for a dimension of that height.
func New(minY, height int) *Chunk {
	return &Chunk{
		MinY: minY, Height: height,
		Blocks: make([]block.State, 256*height),
		Biomes: make([]Biome, 4*height),
		Carved: make([]uint64, 4*height),
	}
}

// Reset empties the chunk and moves it to a position. All blocks are air, all
// biomes number 0, all heights MinY.
func (c *Chunk) Reset(x, z int32) {
	c.X, c.Z = x, z
	clear(c.Blocks)
	clear(c.Biomes)
	clear(c.Carved)
	c.Marks = c.Marks[:0]
	for i := range c.heights {
		for j := range c.heights[i] {
			c.heights[i][j] = int16(c.MinY)
		}
	}
}

// Index is the place of a block in Blocks. x and z are within the chunk, 0 to
// 15, and y is that of the dimension, within its height.
func (c *Chunk) Index(x, y, z int) int { return (y-c.MinY)<<8 | z<<4 | x }

// BiomeIndex is the place of the quarter cell that a block is in. x and z are
// within the chunk, and y is that of the dimension, within its height.
func (c *Chunk) BiomeIndex(x, y, z int) int { return (y-c.MinY)>>2<<4 | z>>2<<2 | x>>2 }

// Block returns a block, air above and below the dimension. x and z are within
// the chunk.
func (c *Chunk) Block(x, y, z int) block.State {
	if uint(y-c.MinY) >= uint(c.Height) {
		return 0
	}
	return c.Blocks[c.Index(x, y, z)]
}

// SetBlock sets a block and moves the heights of its column. x and z are within
// the chunk; a y outside the dimension changes nothing.
func (c *Chunk) SetBlock(x, y, z int, state block.State) {
	if uint(y-c.MinY) >= uint(c.Height) {
		return
	}
	c.Blocks[c.Index(x, y, z)] = state
	c.raise(WorldSurface, x, y, z, state.WorldSurface())
	c.raise(OceanFloor, x, y, z, state.OceanFloor())
}

// raise moves one height after the block at x, y, z was set.
func (c *Chunk) raise(kind Heightmap, x, y, z int, counts bool) {
	height := &c.heights[kind][z<<4|x]
	switch {
	case counts && y >= int(*height):
		*height = int16(y + 1)
	case !counts && y == int(*height)-1:
		*height = int16(c.top(kind, x, y-1, z))
	}
}

// top is the height of a column whose blocks above y do not count.
func (c *Chunk) top(kind Heightmap, x, y, z int) int {
	for ; y >= c.MinY; y-- {
		state := c.Blocks[c.Index(x, y, z)]
		if kind == WorldSurface && state.WorldSurface() || kind == OceanFloor && state.OceanFloor() {
			return y + 1
		}
	}
	return c.MinY
}

// HeightAt returns the y of the first block above the highest one that counts;
// MinY if none does. x and z are within the chunk.
func (c *Chunk) HeightAt(kind Heightmap, x, z int) int { return int(c.heights[kind][z<<4|x]) }

// SetHeight sets a height, for stages that write Blocks themselves.
func (c *Chunk) SetHeight(kind Heightmap, x, z, y int) { c.heights[kind][z<<4|x] = int16(y) }

// ComputeHeights sets all heights from the blocks.
func (c *Chunk) ComputeHeights() {
	for z := range 16 {
		for x := range 16 {
			c.SetHeight(WorldSurface, x, z, c.top(WorldSurface, x, c.MinY+c.Height-1, z))
			c.SetHeight(OceanFloor, x, z, c.top(OceanFloor, x, c.MinY+c.Height-1, z))
		}
	}
}

// Carve sets the bit of a block in Carved and reports whether it was not set.
func (c *Chunk) Carve(index int) bool {
	word, bit := &c.Carved[index>>6], uint64(1)<<(index&63)
	if *word&bit != 0 {
		return false
	}
	*word |= bit
	return true
}

// Mark adds a block to Marks.
func (c *Chunk) Mark(index int) { c.Marks = append(c.Marks, int32(index)) }
