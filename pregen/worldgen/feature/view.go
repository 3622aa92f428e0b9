package feature

import (
	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/nbt"
	"strata/pregen/worldgen/climate"
	"strata/pregen/worldgen/proto"
)

// Chunk is a chunk that is being decorated: what a proto.Chunk has, and what
// decoration adds to it. The heightmaps of generation stay as carvers left
// them; those of a finished chunk are kept here.
type Chunk struct {
	*proto.Chunk
	BlockEntities []BlockEntity
	BlockTicks    []Tick
	FluidTicks    []Tick
	Entities      []Entity
	// Frozen drops what is written, as into a chunk that was finished before.
	Frozen bool
	// Touched says that something was written since Reset.
	Touched bool

	primed  bool
	heights [finalMaps][256]int16
}

// BlockEntity is what a block has beside its state.
type BlockEntity struct {
	X, Y, Z   int32
	ID        string
	LootTable string // empty for none
	LootSeed  int64  // of LootTable
	Spawner   string // the entity of a spawner, empty for none
	Extra     []Member
}

// Member is a named value of NBT.
type Member struct {
	Name  string
	Value nbt.Raw
}

// Entity is an entity that decoration placed.
type Entity struct {
	ID      string
	X, Y, Z float64
	Extra   []Member
}

// Tick is a scheduled tick of a block or a fluid.
type Tick struct {
	X, Y, Z int32
	ID      string // of the block or the fluid
	Delay   int32  // in ticks
}

// The heightmaps of a finished chunk, as bits of a state and places in heights.
const (
	finalSurface = iota
	finalFloor
	finalBlocking
	finalNoLeaves
	finalMaps
)

var finalOf = [...]int{
	chunk.WorldSurface: finalSurface, chunk.OceanFloor: finalFloor,
	chunk.MotionBlocking: finalBlocking, chunk.MotionBlockingNoLeaves: finalNoLeaves,
}

// NewChunk returns a chunk over a proto.Chunk that is at carvers.
func NewChunk(c *proto.Chunk) *Chunk { return &Chunk{Chunk: c} }

// Reset forgets what decoration added, for a proto.Chunk that was made anew.
func (c *Chunk) Reset() {
	c.BlockEntities, c.BlockTicks = c.BlockEntities[:0], c.BlockTicks[:0]
	c.FluidTicks, c.Entities = c.FluidTicks[:0], c.Entities[:0]
	c.primed, c.Frozen, c.Touched = false, false, false
}

// open notes that something is written, and reports whether it may be.
func (c *Chunk) open() bool {
	if c == nil || c.Frozen {
		return false
	}
	c.Touched = true
	return true
}

// counts reports whether a state counts for a final heightmap.
func counts(kind int, s block.State) bool {
	switch kind {
	case finalSurface:
		return s.WorldSurface()
	case finalFloor:
		return s.OceanFloor()
	case finalBlocking:
		return s.MotionBlocking()
	}
	return s.MotionBlockingNoLeaves()
}

// prime computes the final heightmaps from the blocks, layer by layer, since
// columns are far apart in memory.
func (c *Chunk) prime() {
	c.primed = true
	var open [256]uint8 // by column, a bit for each map that is not done
	for column := range open {
		open[column] = 1<<finalMaps - 1
		for kind := range finalMaps {
			c.heights[kind][column] = int16(c.MinY)
		}
	}
	left := len(open)
	for y := c.Height - 1; y >= 0 && left > 0; y-- {
		layer := (*[256]block.State)(c.Blocks[y<<8:])
		if bare(layer) {
			continue
		}
		for column, s := range layer {
			if s == 0 || open[column] == 0 {
				continue
			}
			for kind := range finalMaps {
				if bit := uint8(1) << kind; open[column]&bit != 0 && counts(kind, s) {
					open[column] &^= bit
					c.heights[kind][column] = int16(c.MinY + y + 1)
				}
			}
			if open[column] == 0 {
				left--
			}
		}
	}
}

// bare reports whether a layer has nothing but air.
func bare(layer *[256]block.State) bool {
	all := block.State(0)
	for i := 0; i < len(layer); i += 16 {
		l := layer[i : i+16 : i+16]
		all |= l[0] | l[1] | l[2] | l[3] | l[4] | l[5] | l[6] | l[7] | l[8] | l[9] | l[10] | l[11] | l[12] | l[13] | l[14] | l[15]
	}
	return all == 0
}

// below is the height of a column whose blocks above y do not count.
func (c *Chunk) below(kind, column, y int) int {
	for ; y >= c.MinY; y-- {
		if counts(kind, c.Blocks[(y-c.MinY)<<8|column]) {
			return y + 1
		}
	}
	return c.MinY
}

// FinalHeight returns a height of one of the heightmaps of a finished chunk;
// x and z are within the chunk.
func (c *Chunk) FinalHeight(kind chunk.Heightmap, x, z int) int {
	if !c.primed {
		c.prime()
	}
	return int(c.heights[finalOf[kind]][z<<4|x])
}

// set sets a block and moves the final heights of its column.
func (c *Chunk) set(x, y, z int, s block.State) {
	c.Blocks[c.Index(x, y, z)] = s
	if !c.primed {
		c.prime()
		return
	}
	column := z<<4 | x
	for kind := range finalMaps {
		height := &c.heights[kind][column]
		if y < int(*height)-1 {
			continue
		}
		if counts(kind, s) {
			*height = int16(y + 1)
		} else if y == int(*height)-1 {
			*height = int16(c.below(kind, column, y-1))
		}
	}
}

// View is what decoration of one chunk sees: it and its eight neighbours, all
// at carvers or decorated, in coordinates of the world. Blocks out of the
// dimension's height are void_air, and so are those of chunks farther off,
// which cannot be written either.
type View struct {
	chunks       [9]*Chunk // by (z+1)*3 + x+1 from the centre
	baseX, baseZ int       // of the lowest block
	minY, top    int
	seaLevel     int
	biomes       [9]*climate.View // of chunks, nil until they are asked for
	zoom         climate.Zoom
	cells        func(x, z int32) *proto.Chunk
	spare        []*climate.View
	// What is known of the ticks of chunks, since Reset.
	blockTicks, fluidTicks [9]tickSet
}

var voidAir = block.MustParse("minecraft:void_air")

// NewView returns a view for a dimension. cells gives a chunk's biomes: for the
// chunks of the view and one around.
func NewView(minY, height, seaLevel int, zoom climate.Zoom, cells func(x, z int32) *proto.Chunk) *View {
	return &View{minY: minY, top: minY + height, seaLevel: seaLevel, zoom: zoom, cells: cells}
}

// Reset moves the view. chunks are rows of z, each along x, the fifth being the
// one that is decorated.
func (v *View) Reset(chunks [9]*Chunk) {
	v.chunks = chunks
	v.baseX, v.baseZ = int(chunks[0].X)<<4, int(chunks[0].Z)<<4
	for i, b := range v.biomes {
		v.blockTicks[i].reset()
		v.fluidTicks[i].reset()
		if b != nil {
			v.spare = append(v.spare, b)
			v.biomes[i] = nil
		}
	}
}

// Chunk returns the chunk of a block, and nil if it is not in the view.
func (v *View) Chunk(x, z int) *Chunk {
	i := v.index(x, z)
	if i < 0 {
		return nil
	}
	return v.chunks[i]
}

// index is the place of the chunk of a block in chunks, -1 if it is not there.
func (v *View) index(x, z int) int {
	dx, dz := x-v.baseX, z-v.baseZ
	if uint(dx) >= 48 || uint(dz) >= 48 {
		return -1
	}
	return dz>>4*3 + dx>>4
}

// Center returns the chunk that is decorated.
func (v *View) Center() *Chunk { return v.chunks[4] }

// MinY returns the lowest y of the dimension.
func (v *View) MinY() int { return v.minY }

// Top returns the y above the highest block of the dimension.
func (v *View) Top() int { return v.top }

// SeaLevel returns the y of the first block above the sea.
func (v *View) SeaLevel() int { return v.seaLevel }

// Outside reports whether a height is outside the dimension.
func (v *View) Outside(y int) bool { return y < v.minY || y >= v.top }

// CanWrite reports whether blocks of a column may be set.
func (v *View) CanWrite(x, z int) bool { return v.Chunk(x, z) != nil }

// Block returns a block.
func (v *View) Block(x, y, z int) block.State {
	c := v.Chunk(x, z)
	if c == nil || y < v.minY || y >= v.top {
		return voidAir
	}
	return c.Blocks[(y-v.minY)<<8|z&15<<4|x&15]
}

// Set sets a block, moves the heights and drops or marks what belongs to it. It
// reports whether the place may be written; out of the dimension's height
// nothing is set all the same.
func (v *View) Set(x, y, z int, s block.State) bool { return v.put(x, y, z, s, true) }

// SetKnown sets a block whose shape is known to fit, which is not marked.
func (v *View) SetKnown(x, y, z int, s block.State) bool { return v.put(x, y, z, s, false) }

func (v *View) put(x, y, z int, s block.State, marks bool) bool {
	c := v.Chunk(x, z)
	if c == nil {
		return false
	}
	if v.Outside(y) || !c.open() {
		return true
	}
	c.dropEntity(x, y, z)
	c.set(x&15, y, z&15, s)
	if marks {
		v.markFor(x, y, z, s)
	}
	return true
}

// SetBare sets a block and nothing else, as features do that write whole
// sections. x, y and z must be in the view.
func (v *View) SetBare(x, y, z int, s block.State) {
	if c := v.Chunk(x, z); c.open() {
		c.Blocks[c.Index(x&15, y, z&15)] = s
	}
}

// dropEntity removes the block entity of a place.
func (c *Chunk) dropEntity(x, y, z int) {
	for i := range c.BlockEntities {
		if e := &c.BlockEntities[i]; int(e.X) == x && int(e.Y) == y && int(e.Z) == z {
			c.BlockEntities = append(c.BlockEntities[:i], c.BlockEntities[i+1:]...)
			return
		}
	}
}

// markFor marks what the game updates because of a block when its chunk first
// ticks: the block above magma, from which bubbles rise, and mushrooms, which
// drop in the light.
func (v *View) markFor(x, y, z int, s block.State) {
	switch s.Block() {
	case block.MagmaBlock:
		v.Mark(x, y+1, z)
	case block.BrownMushroom, block.RedMushroom:
		v.Mark(x, y, z)
	}
}

// Mark marks a block for the update when its chunk first ticks.
func (v *View) Mark(x, y, z int) {
	if c := v.Chunk(x, z); !v.Outside(y) && c.open() {
		c.Mark(c.Index(x&15, y, z&15))
	}
}

// MarkAbove marks the two blocks above a place, up to the first that is air.
func (v *View) MarkAbove(x, y, z int) {
	for range 2 {
		y++
		if v.Block(x, y, z).Air() {
			return
		}
		v.Mark(x, y, z)
	}
}

// AddBlockEntity gives a block of the view its block entity, in place of the one
// it has.
func (v *View) AddBlockEntity(e BlockEntity) {
	if c := v.Chunk(int(e.X), int(e.Z)); !v.Outside(int(e.Y)) && c.open() {
		c.dropEntity(int(e.X), int(e.Y), int(e.Z))
		c.BlockEntities = append(c.BlockEntities, e)
	}
}

// BlockEntityAt returns the block entity of a block, nil for none. It must not
// be changed.
func (v *View) BlockEntityAt(x, y, z int) *BlockEntity {
	c := v.Chunk(x, z)
	if c == nil {
		return nil
	}
	for i := range c.BlockEntities {
		if e := &c.BlockEntities[i]; int(e.X) == x && int(e.Y) == y && int(e.Z) == z {
			return e
		}
	}
	return nil
}

// AddEntity places an entity.
func (v *View) AddEntity(e Entity) {
	x, z := floor(e.X), floor(e.Z)
	if c := v.Chunk(x, z); c.open() {
		c.Entities = append(c.Entities, e)
	}
}

// TickBlock schedules a tick of the block at a place, unless it has one.
func (v *View) TickBlock(x, y, z int, delay int32) {
	if c := v.Chunk(x, z); c.open() {
		v.blockTicks[v.index(x, z)].add(&c.BlockTicks, Tick{int32(x), int32(y), int32(z), v.Block(x, y, z).Block().Name(), delay})
	}
}

// TickFluid schedules a tick of a fluid, such as "minecraft:water", unless it has
// one.
func (v *View) TickFluid(x, y, z int, fluid string, delay int32) {
	if c := v.Chunk(x, z); c.open() {
		v.fluidTicks[v.index(x, z)].add(&c.FluidTicks, Tick{int32(x), int32(y), int32(z), fluid, delay})
	}
}

// Height returns the y of the first block above the highest one that counts for
// a heightmap; MinY if none does or the column is not in the view.
func (v *View) Height(kind chunk.Heightmap, x, z int) int {
	c := v.Chunk(x, z)
	switch {
	case c == nil:
		return v.minY
	case kind == chunk.WorldSurfaceWG:
		return c.HeightAt(proto.WorldSurface, x&15, z&15)
	case kind == chunk.OceanFloorWG:
		return c.HeightAt(proto.OceanFloor, x&15, z&15)
	}
	return c.FinalHeight(kind, x&15, z&15)
}

// Biome returns the biome of a block, zoomed.
func (v *View) Biome(x, y, z int) proto.Biome {
	dx, dz := x-v.baseX, z-v.baseZ
	if uint(dx) >= 48 || uint(dz) >= 48 {
		qx, qy, qz := v.zoom.Cell(x, y, z)
		c := v.cells(int32(qx>>2), int32(qz>>2))
		row := min(max(qy-v.minY>>2, 0), len(c.Biomes)/16-1)
		return c.Biomes[row<<4|qz&3<<2|qx&3]
	}
	at := dz>>4*3 + dx>>4
	if v.biomes[at] == nil {
		v.biomes[at] = v.look(int32(x>>4), int32(z>>4))
	}
	return v.biomes[at].At(x, y, z)
}

// look prepares the view of the biomes of a chunk's blocks.
func (v *View) look(chunkX, chunkZ int32) *climate.View {
	var b *climate.View
	if n := len(v.spare); n > 0 {
		b, v.spare = v.spare[n-1], v.spare[:n-1]
	} else {
		b = climate.NewView(v.minY, v.top-v.minY)
	}
	b.Reset(v.zoom, chunkX, chunkZ)
	for x := chunkX - 1; x <= chunkX+1; x++ {
		for z := chunkZ - 1; z <= chunkZ+1; z++ {
			b.Load(v.cells(x, z))
		}
	}
	return b
}
