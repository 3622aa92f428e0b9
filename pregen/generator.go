package pregen

import (
	"context"
	"errors"

	"strata/anvil/chunk"
	"strata/pregen/plan"
	"strata/region"
)

// Generator makes the chunks of one dimension of one world, up to the status
// that it was made for. What it makes depends on the world's seed and
// settings, on its own parameters, on the position and, where a chunk goes on
// from a stored one, on that: not on the order of the calls, nor on which
// worker does it.
type Generator interface {
	// Facts says what does not change while the generator is used.
	Facts() Facts
	// NewWorker returns a worker. It is called by any goroutine.
	NewWorker() (Worker, error)
}

// Facts about a generator.
type Facts struct {
	// Revision is raised whenever the generator makes other bytes than before.
	Revision string
	// Parameters describe, or are a digest of, all that decides about the
	// chunks beside seed and DataVersion: presets, noise settings and so on.
	Parameters string
	// GameFiles is a digest of the user's game files that are used, "" without.
	GameFiles string
	// Tile is the side, in chunks, of the squares that are best made in one
	// piece: a power of two up to 32; 0 is 1.
	Tile int
	// Rim is how far, in chunks, generation writes around the chunks that are
	// wanted; 0 for none.
	Rim int
	// Relights says that the light of finished chunks one farther than the rim
	// may change.
	Relights bool
}

// Area is a set of chunks.
type Area interface {
	Contains(region.ChunkPos) bool
}

// Worker makes chunks with scratch memory of its own. One goroutine at a time
// uses it.
type Worker interface {
	// Generate makes the chunks of a batch and calls done for each of them, in
	// any order, on the goroutine that called it. It may return early when ctx
	// ends: what done was not called for is made by a later run. An error is
	// about all chunks that done was not called for; those that are made again
	// on their own after it are not affected by each other. An error of done is
	// returned as it is.
	Generate(ctx context.Context, b *Batch, done func(Made) error) error
	// Release gives the scratch memory back; the next Generate makes it anew.
	Release()
}

// Batch is a piece of work: chunks of one tile.
type Batch struct {
	// Tile is the square they lie in, of Facts.Tile chunks a side.
	At   region.ChunkPos
	Side int
	// Chunks to make, in the order of their slots.
	Chunks []Wanted
	// Area is that of the run, the same for all its batches; nil for everything.
	Area Area
	// Stored reads a chunk as it was in the world before the run; the error is
	// ErrNotStored if there was none. It is the caller's to change. Any goroutine
	// may call it while Generate runs.
	Stored func(region.ChunkPos) (*chunk.Chunk, error)
	// Memory is how many bytes the generator may keep between batches, for all
	// workers together; 0 for as many as it likes.
	Memory int64
	// Aside takes what does not fit into that; nil for nothing.
	Aside Aside
}

// Wanted is a chunk that is to be made.
type Wanted struct {
	Pos region.ChunkPos
	// Stored is what the world has, to be continued from its status: nil for a
	// new one. It is the worker's to change.
	Stored *chunk.Chunk
	// Rim says that the chunk is only to be saved if the generation of others
	// has touched it: it is not in the area, or at the wanted status already. Of
	// a finished chunk only the light may change.
	Rim bool
}

// Made is what became of one chunk.
type Made struct {
	Pos region.ChunkPos
	// Chunk is the chunk, which the runner reads until done returns; nil if
	// there is nothing to save.
	Chunk *chunk.Chunk
	// Entities and POI are uncompressed NBT documents, nil for none.
	Entities, POI []byte
	// Err says why it could not be made. It is tried again, unless there is a
	// Chunk: that one is saved, at an earlier status, and counts as failed.
	Err error
	// LeftToGame says that the chunk is left at an earlier status, for the game
	// to finish.
	LeftToGame bool
	// StructuresLeftOut counts the structures that could not be placed.
	StructuresLeftOut int
}

// ErrNotStored is what Batch.Stored returns for a chunk that the world did not
// have before the run.
var ErrNotStored = errors.New("the world did not have this chunk before the run")

// State is what became of a chunk of the area or its rim.
type State uint8

// The states. Those of the world and of earlier processes are known when a
// region is taken up.
const (
	Planned  State = iota
	New            // made by this process
	Resumed        // made by an earlier process of this run
	Existing       // in the world already, at the wanted status
	Failed         // not made, or not to be read
	Rim            // beside the area, and touched
	Left           // made by this process, and left to the game to finish
)

// Target is the part of a run that is in one dimension.
type Target struct {
	// Dimension is its id, such as "minecraft:overworld".
	Dimension string
	// Area of chunks; nil for those that the world has when the run begins.
	Area *plan.Area
	// Centre is the chunk that the order begins at.
	Centre region.ChunkPos
	// Generator makes the chunks.
	Generator Generator
}
