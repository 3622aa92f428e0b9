package surface

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/rng"
)

// Builder is the scratch of one worker. It must not be used concurrently, and
// keeps the last chunk it was given.
type Builder struct {
	landformStates

	system  *System
	chunk   *proto.Chunk
	biomes  Biomes
	surface Preliminary
	column  column
	place   place

	corners    [4]int // the preliminary surface, if hasCorners is set
	hasCorners bool

	spans   []span
	present []proto.Biome
	classes []int
	// landforms says that a column may have one.
	landforms bool
	// flatTo is the height up to which layers may do the columns' work, and
	// flatTop up to where each column, by z and x, left it to them.
	flatTo  int
	flatTop [256]int

	xs, ys, zs, surfaces [256]float64

	legacy    rng.Legacy // the sources that randomAt gives
	xoroshiro rng.Xoroshiro
}

// NewBuilder returns scratch for the system.
func (s *System) NewBuilder() *Builder {
	n := len(s.noises)
	return &Builder{
		landformStates: newLandformStates(),
		system:         s,
		column:         column{values: make([]float64, n), stamps: make([]uint32, n)},
		place:          place{values: make([]float64, n), stamps: make([]uint32, n)},
	}
}

// Begin takes up a chunk for TopMaterial. biomes and surface are those of the
// chunk's place; Biomes that are a Palette make Build faster. surface is asked
// only where rules or icebergs need it.
func (b *Builder) Begin(chunk *proto.Chunk, biomes Biomes, surface Preliminary) {
	b.chunk, b.biomes, b.surface = chunk, biomes, surface
	b.hasCorners = false
}

// TopMaterial returns what the rules make of a block of the chunk if it were
// the only one of its column, as carvers ask it for dirt that they laid bare.
// It reports false where the rules say nothing. x, y and z are those of the
// dimension; underFluid is whether fluid is to lie on the block. Begin or Build
// came before; a chunk that changed since then is seen as it is.
func (b *Builder) TopMaterial(x, y, z int, underFluid bool) (block.State, bool) {
	b.enter(x&15, z&15)
	surface := b.system.surface
	b.measure(b.noise(surface))
	b.at(y)
	p := &b.place
	p.stone, p.water = 1, noWater
	p.solidTo, p.bottom = y, true
	if underFluid {
		p.water = int32(y) + 1
	}
	plan := &b.system.plan
	root := plan.root(plan.band(int32(y)), b.variant(y))
	return b.result(b.follow(plan.roots[root+plan.class(b.biome())]))
}

// at moves to a block of the column. The rest of the place is the caller's.
func (b *Builder) at(y int) {
	p := &b.place
	p.y, p.has = y, false
	if p.stamp++; p.stamp == 0 {
		clear(p.stamps)
		p.stamp = 1
	}
}

// variant returns the variant of a height in the column.
func (b *Builder) variant(y int) int {
	if b.system.above && y >= b.minSurface() {
		return aboveSurface
	}
	return below
}

// set sets a block of the column and marks it if it is a fluid.
func (b *Builder) set(y int, state block.State) {
	c := &b.column
	if uint(y-b.chunk.MinY) >= uint(b.chunk.Height) {
		return
	}
	b.chunk.SetBlock(c.inX, y, c.inZ, state)
	if b.system.kinds[state] == isFluid {
		b.chunk.Mark(b.chunk.Index(c.inX, y, c.inZ))
	}
}
