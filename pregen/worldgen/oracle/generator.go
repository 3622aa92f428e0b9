package oracle

import (
	"strata/anvil/chunk"
	"strata/pregen/worldgen/proto"
	"strata/region"
)

// Generator makes chunks of one world. One goroutine uses it.
type Generator interface {
	// Generate makes a chunk of a dimension, given by its id, up to a status. A
	// generator that does not reach the status goes as far as it can: what is
	// missing then counts as wrong.
	Generate(dimension string, pos region.ChunkPos, status chunk.Status) (Made, error)
}

// Learner is a Generator that learns from the game's chunks in which order they
// were decorated, for all generators of the same world.
type Learner interface {
	// Learn takes a full chunk in. All that are judged are learnt before the first
	// is generated.
	Learn(s *Sample) error
}

// Made is a chunk that was generated. All of it holds until the next one is.
type Made struct {
	Chunk *proto.Chunk
	// Biomes are the names of the biomes by their numbers in the chunk.
	Biomes []string
	// Ties lists the places in Chunk.Biomes where two biomes are exactly as near;
	// nil for none. It is called only if a biome is wrong.
	Ties func() []int
	// InTurn is the chunk with those around it decorated in the order that the
	// world's own chunks tell, see Learner; nil for none.
	InTurn *proto.Chunk
	// Unstable has a bit for each block, as Chunk.Carved, that depends on the
	// order in which the chunks around are decorated; nil if there is none.
	Unstable []uint64
	// Others are the chunk as it comes out in other orders, without Chunk.
	Others []*proto.Chunk
}
