package climate

import "strata/pregen/worldgen/proto"

// Source is a biome source: what decides about the biomes of a dimension.
type Source struct {
	kind   kind
	biomes []string
	table  *Table // of multi_noise
	// pattern is the list of a checkerboard, as places in biomes, and shift the
	// power of two of a square's size in quarter cells.
	pattern []proto.Biome
	shift   uint
}

// kind is a type of source.
type kind uint8

const (
	fixed kind = iota
	checkerboard
	multiNoise
	theEnd
)

// The biomes of the_end, in the game's order, and their places in it.
var endBiomes = []string{
	"minecraft:the_end", "minecraft:end_highlands", "minecraft:end_midlands",
	"minecraft:small_end_islands", "minecraft:end_barrens",
}

const (
	endCentre proto.Biome = iota
	endHighlands
	endMidlands
	endIslands
	endBarrens
)

// Biomes lists all biomes that the source gives, in the game's order, which is
// also that of the numbers of biomes in chunks. It belongs to the source.
func (s *Source) Biomes() []string { return s.biomes }

// Table is that of a multi_noise source, nil for others.
func (s *Source) Table() *Table { return s.table }

// NeedsClimate reports whether readers of the source need a Sampler.
func (s *Source) NeedsClimate() bool { return s.kind == multiNoise || s.kind == theEnd }

// endRadius is how many chunks around the origin are the End's centre, squared.
const endRadius = 64 * 64

// endSample is the quarter coordinate at which the climate decides for a chunk.
func endSample(chunk int) int { return chunk*4 + 2 }

// endBiome is the biome of a chunk of the End with an erosion.
func endBiome(chunkX, chunkZ int, erosion float64) proto.Biome {
	switch {
	case int64(chunkX)*int64(chunkX)+int64(chunkZ)*int64(chunkZ) <= endRadius:
		return endCentre
	case erosion > 0.25:
		return endHighlands
	case erosion >= -0.0625:
		return endMidlands
	case erosion < -0.21875:
		return endIslands
	}
	return endBarrens
}

// square is the biome of a column of a checkerboard.
func (s *Source) square(qx, qz int) proto.Biome {
	// As in Java, shifts of int32 use the lowest five bits of the distance.
	sum := int32(qx)>>(s.shift&31) + int32(qz)>>(s.shift&31)
	at := sum % int32(len(s.pattern))
	if at < 0 {
		at += int32(len(s.pattern))
	}
	return s.pattern[at]
}
