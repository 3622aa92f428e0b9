package oracle

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/anvil/scan"
	"strata/anvil/store"
	"strata/region"
)

// The data versions whose chunks are compared.
const (
	firstVersion = 4786 // 26.1
	lastVersion  = 4903 // 26.2
)

// world is a world folder.
type world struct {
	dir    string
	world  *anvil.World
	seed   int64
	tables *chunk.Tables
}

func openWorld(dir string, tables *chunk.Tables) (*world, error) {
	w, err := anvil.Open(dir, anvil.Options{})
	if err != nil {
		return nil, err
	}
	seed, ok := w.Seed()
	if !ok {
		err := fmt.Errorf("%s: the seed cannot be read: %w", dir, ErrFormat)
		return nil, errors.Join(err, w.Close())
	}
	return &world{dir: dir, world: w, seed: seed, tables: tables}, nil
}

func (w *world) close() error { return w.world.Close() }

func (w *world) samples(ctx context.Context, f *Filter, yield func(*Sample, error) bool) bool {
	listing := scan.Files(w.world)
	for _, failed := range listing.Failed {
		if !yield(nil, fmt.Errorf("%s: %w", failed.Path, failed.Err)) {
			return false
		}
	}
	r := newChunks(w.tables)
	var starts *stored
	for _, file := range listing.Files {
		if file.Kind != store.Chunks || !f.dimension(file.Dimension) {
			continue
		}
		if starts == nil || starts.dimension != file.Dimension {
			starts = &stored{world: w, dimension: file.Dimension, dir: filepath.Dir(file.Path)}
		}
		if !r.each(ctx, w.world.FS(), file, filepath.Base(w.dir), func(decoded *chunk.Chunk, err error) bool {
			if err != nil {
				return yield(nil, err)
			}
			s := w.sample(decoded, file.Dimension, starts)
			return s == nil || !f.stage(s.Stage) || yield(s, nil)
		}) {
			return false
		}
	}
	return true
}

// sample returns nil for a chunk that is not to be compared.
func (w *world) sample(c *chunk.Chunk, dimension string, starts *stored) *Sample {
	stage, ok := stageOf(c.Status())
	version := c.DataVersion()
	if !ok || version < firstVersion || version > lastVersion {
		return nil
	}
	if _, blended, err := c.Blending(); blended || err != nil {
		return nil
	}
	s := &Sample{
		Folder: filepath.Base(w.dir), Dimension: dimension, Stage: stage,
		World: World{Seed: w.seed, DataVersion: version, Path: w.dir}, Chunk: c, HasBiomes: true, starts: starts,
	}
	if stage != Full {
		return s
	}
	marks, err := c.Marks(chunk.PostProcessing)
	switch {
	case c.InhabitedTime() > 0:
		s.Tier = "C"
	case err == nil && len(marks) > 0:
		s.Tier = "A"
	default:
		s.Tier = "B"
	}
	return s
}

// stored finds the structure starts of a world's dimension in its chunks.
type stored struct {
	world     *world
	dimension string
	dir       string // of region files
	known     map[region.ChunkPos][]start
}

// maxKnown is of how many chunks the starts are remembered.
const maxKnown = 1 << 14

// near follows the chunk's references.
func (s *stored) near(c *chunk.Chunk, adapts func(string) bool) ([]start, error) {
	return referred(c, adapts, func(id string, pos region.ChunkPos) ([]start, error) {
		starts, err := s.at(pos)
		if err != nil {
			return nil, err
		}
		for i := range starts {
			if starts[i].id == id {
				return starts[i : i+1], nil
			}
		}
		return []start{{id: id, chunk: pos}}, nil
	}, nil)
}

// at returns the starts of a chunk.
func (s *stored) at(pos region.ChunkPos) ([]start, error) {
	if starts, ok := s.known[pos]; ok {
		return starts, nil
	}
	if s.known == nil || len(s.known) >= maxKnown {
		s.known = make(map[region.ChunkPos][]start)
	}
	var starts []start
	var wrong error
	file := scan.File{Dimension: s.dimension, Kind: store.Chunks, Path: filepath.Join(s.dir, pos.Region().Name()), Pos: pos.Region()}
	r := newChunks(s.world.tables)
	// One pass over the file remembers all its starts.
	r.each(context.Background(), s.world.world.FS(), file, "", func(c *chunk.Chunk, err error) bool {
		if err != nil {
			if absent := errors.Is(err, os.ErrNotExist); !absent {
				wrong = errors.Join(wrong, err)
			}
			return true
		}
		list, err := startsOf(c)
		if err != nil {
			wrong = errors.Join(wrong, err)
			return true
		}
		s.known[c.Pos()] = list
		if c.Pos() == pos {
			starts = list
		}
		return true
	})
	if _, ok := s.known[pos]; !ok {
		s.known[pos] = nil
		return nil, wrong
	}
	return starts, nil
}
