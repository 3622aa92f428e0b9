package gen

import (
	"strata/anvil/chunk"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/terrain"
	"strata/region"
)

// Structures are the structures of a dimension. It does not change and is
// shared by all workers.
type Structures interface {
	// NewWorker returns scratch for one worker. The maker is the worker's own.
	NewWorker(m *Maker) StructuresWorker
	// NewRecord returns an empty record of what pieces settle when they are
	// placed. Each time that chunks are decorated from the seed on has one of its
	// own. stored reads chunks as the world had them before, whose starts win
	// over those that would be found; the error is that of pregen.Batch.
	NewRecord(stored func(region.ChunkPos) (*chunk.Chunk, error)) StructuresRecord
}

// StructuresRecord is what pieces of structures have settled. All workers that
// decorate chunks beside each other share one.
type StructuresRecord any

// StructuresWorker is the scratch of one worker. What its methods say of a
// chunk depends on the seed and the settings alone, or is fixed by the
// lowest-ranked chunk that a piece touches.
type StructuresWorker interface {
	// Use makes the worker go on with a record. It begins with an empty one of
	// its own.
	Use(record StructuresRecord)
	// Structures places the pieces that reach into the chunk which is decorated.
	feature.Structures
	// Beard adds the pieces near a chunk to its beard, which stands at it.
	Beard(chunkX, chunkZ int32, to *terrain.Beard)
	// Store gives a chunk that is saved the starts in it and the references to
	// those around. Starts that it has already stay.
	Store(to *chunk.Chunk) error
	// Wanting is how many structures would build in the decoration of a chunk
	// with blocks that are not at hand. Place leaves those out.
	Wanting(chunkX, chunkZ int32) int
}

// structuresAt is the structures of a worker, or none.
type structuresAt struct {
	worker StructuresWorker // nil for none
	// finish says that what is wanting is left out, rather than the chunk.
	finish bool
}

// structuresFor makes the scratch of a worker and gives the maker its beards.
func (g *Generator) structuresFor(m *Maker) structuresAt {
	if g.structures == nil {
		return structuresAt{}
	}
	s := structuresAt{g.structures.NewWorker(m), g.withoutTemplates}
	m.structures = s.worker
	return s
}

// use makes the worker go on with what is settled in a yard.
func (s structuresAt) use(y *yard) {
	if s.worker != nil {
		s.worker.Use(y.settled)
	}
}

// placing is what feature.Decorator takes.
func (s structuresAt) placing() feature.Structures {
	if s.worker == nil {
		return nil
	}
	return s.worker
}

// wanting reports whether a chunk is left to the game.
func (s structuresAt) wanting(p region.ChunkPos) bool { return !s.finish && s.leftOut(p) > 0 }

// leftOut is how many structures are not built in a chunk.
func (s structuresAt) leftOut(p region.ChunkPos) int {
	if s.worker == nil {
		return 0
	}
	return s.worker.Wanting(p.X, p.Z)
}

// store gives a chunk that is saved its starts and references.
func (s structuresAt) store(to *chunk.Chunk) error {
	if s.worker == nil {
		return nil
	}
	return s.worker.Store(to)
}
