package structure

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
	"strata/pregen/worldgen/structure/template"
)

// Ground tells of the world before there are structures in it.
type Ground interface {
	// Column returns the blocks of a column as the noise stage makes them
	// without structures, from the dimension's MinY up. It lasts until the next
	// call.
	Column(x, z int32) []block.State
	// Biome returns the biome of a quarter cell.
	Biome(quarterX, quarterY, quarterZ int32) proto.Biome
}

// Layouter is what layouts are made with. One worker has one.
type Layouter struct {
	Ground
	// Random is seeded for the chunk by the large-feature seed.
	Random *rng.Worldgen

	Seed           int64
	ChunkX, ChunkZ int32
	// MinY and Tall, the height in blocks, are of the dimension.
	MinY, Tall int32
	SeaLevel   int32
	// Span is the range of heights of the generator, which may be less.
	Span      provider.Span
	Biomes    []string // ids by number
	Templates *template.Library

	heights map[[2]int32]columnHeights
}

type columnHeights struct{ surface, floor int32 }

// maxHeights bounds the remembered heights.
const maxHeights = 1 << 16

// Height returns the y of the first block above the highest one that counts for
// a heightmap, without structures; MinY if none does.
func (l *Layouter) Height(kind proto.Heightmap, x, z int32) int32 {
	key := [2]int32{x, z}
	known, ok := l.heights[key]
	if !ok {
		if l.heights == nil || len(l.heights) >= maxHeights {
			l.heights = make(map[[2]int32]columnHeights)
		}
		column := l.Column(x, z)
		known = columnHeights{l.MinY, l.MinY}
		for y := len(column) - 1; y >= 0 && known.floor == l.MinY; y-- {
			if known.surface == l.MinY && column[y].WorldSurface() {
				known.surface = l.MinY + int32(y) + 1
			}
			if column[y].OceanFloor() {
				known.floor = l.MinY + int32(y) + 1
			}
		}
		l.heights[key] = known
	}
	if kind == proto.OceanFloor {
		return known.floor
	}
	return known.surface
}

// Lowest returns the least of the heights, by WorldSurface and less one, at the
// four corners of an area that begins at x, z: the ends are included.
func (l *Layouter) Lowest(x, z, sizeX, sizeZ int32) int32 {
	return min(
		l.Height(proto.WorldSurface, x, z)-1, l.Height(proto.WorldSurface, x, z+sizeZ)-1,
		l.Height(proto.WorldSurface, x+sizeX, z)-1, l.Height(proto.WorldSurface, x+sizeX, z+sizeZ)-1)
}

// BiomeID returns the id of the biome of the quarter cell of a block.
func (l *Layouter) BiomeID(x, y, z int32) string { return l.Biomes[l.Biome(x>>2, y>>2, z>>2)] }

// MinBlock returns the lowest block of the chunk along x and z.
func (l *Layouter) MinBlock() (x, z int32) { return l.ChunkX << 4, l.ChunkZ << 4 }

// MiddleBlock returns the block in the middle of the chunk along x and z.
func (l *Layouter) MiddleBlock() (x, z int32) { return l.ChunkX<<4 + 8, l.ChunkZ<<4 + 8 }
