// Package all joins all kinds of structures to world generation: it makes
// gen.Structures of the layouts of the packages beside it.
//
// Concurrency: what New returns is shared by all workers of a dimension, and
// with it the starts that they find; their scratch is made by NewWorker.
//
// Limits: starts in chunks that exist already are kept as they are stored, and
// others found anew; readers of stored pieces are in Readers.
package all

import (
	"maps"
	"slices"
	"strings"

	"strata/anvil/chunk"
	"strata/nbt"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/gen"
	"strata/pregen/worldgen/structure"
	"strata/pregen/worldgen/structure/building"
	"strata/pregen/worldgen/structure/jigsaw"
	"strata/pregen/worldgen/structure/template"
	"strata/pregen/worldgen/structure/underground"
	"strata/pregen/worldgen/terrain"
	"strata/region"
)

// Factories returns what makes the layouts of all kinds of structures, by type.
// The map is the caller's.
func Factories() map[string]structure.Factory {
	all := jigsaw.Factories()
	maps.Copy(all, underground.Factories())
	maps.Copy(all, building.Factories())
	return all
}

// Readers returns what reads stored pieces of all kinds, by id. The map is the
// caller's.
func Readers(l *structure.Loader) (map[string]structure.Reader, error) {
	all, err := jigsaw.Readers(l)
	if err != nil {
		return nil, err
	}
	maps.Copy(all, underground.Readers())
	maps.Copy(all, building.Readers())
	return all, nil
}

// structures are the structures of a dimension.
type structures struct {
	dimension *gen.Dimension
	templates *template.Library
	system    *structure.System
	readers   map[string]structure.Reader
}

// New makes the structures of a dimension: a field of gen.Options. The blocks of
// templates come from the dimension's packs.
func New(d *gen.Dimension) (gen.Structures, error) { return read(d, d.Templates()) }

func read(d *gen.Dimension, templates *template.Library) (gen.Structures, error) {
	layouter := d.NewLayouter(templates)
	if layouter == nil {
		return nil, nil // flat worlds have none yet
	}
	loader := structure.NewLoader(d.Documents(), templates, Factories())
	loader.Span = layouter.Span
	factories := gen.Factories()
	maps.Copy(factories, template.Features(templates))
	loader.Features = feature.NewLoader(d.Documents(), factories, func(string) {})
	system, err := structure.Load(loader, d.Biomes(), d.Seed())
	if err != nil {
		return nil, err
	}
	readers, err := Readers(loader)
	if err != nil {
		return nil, err
	}
	return &structures{d, templates, system, readers}, nil
}

// NewWorker implements gen.Structures.
func (s *structures) NewWorker(*gen.Maker) gen.StructuresWorker {
	return &worker{s.system.NewStarts(s.dimension.NewLayouter(s.templates), nil), s}
}

// NewRecord implements gen.Structures.
func (s *structures) NewRecord(stored func(region.ChunkPos) (*chunk.Chunk, error)) gen.StructuresRecord {
	known := s.system.NewKnown(func(x, z int32) ([]*structure.Start, bool) {
		c, err := stored(region.ChunkPos{X: x, Z: z})
		if err != nil || c.Status() < chunk.StatusStructureStarts {
			return nil, false
		}
		return s.readStarts(c)
	})
	known.Recall(func(r structure.Recaller, box structure.Box) { recall(r, box, stored) })
	return known
}

// recall tells a piece what stands in its box in chunks that were decorated
// before.
func recall(r structure.Recaller, box structure.Box, stored func(region.ChunkPos) (*chunk.Chunk, error)) {
	for z := box.MinZ >> 4; z <= box.MaxZ>>4; z++ {
		for x := box.MinX >> 4; x <= box.MaxX>>4; x++ {
			c, err := stored(region.ChunkPos{X: x, Z: z})
			if err != nil || c.Status() < chunk.StatusFeatures {
				continue
			}
			entities, err := c.BlockEntities()
			if err != nil {
				continue // whoever makes the chunk reports it
			}
			for _, e := range entities {
				if e.HasPos && box.Contains(e.Pos.X, e.Pos.Y, e.Pos.Z) {
					r.Recall(e.ID, e.Pos.X, e.Pos.Y, e.Pos.Z)
				}
			}
		}
	}
}

// readStarts reads the starts of a stored chunk, and reports false if it has one
// that is not known: it is as good as one that was not stored then.
func (s *structures) readStarts(c *chunk.Chunk) ([]*structure.Start, bool) {
	stored, err := c.StructureStarts()
	if err != nil {
		return nil, false
	}
	var starts []*structure.Start
	for _, one := range stored {
		var content nbt.Compound
		if err := one.NBT.Decode(&content); err != nil {
			return nil, false
		}
		start, err := s.system.ReadStart(content, s.readers)
		if err != nil {
			return nil, false
		}
		if start != nil {
			starts = append(starts, start)
		}
	}
	return starts, true
}

// worker is the scratch of one worker.
type worker struct {
	*structure.Starts
	of *structures
}

// Use implements gen.StructuresWorker.
func (w *worker) Use(record gen.StructuresRecord) { w.Starts.Use(record.(*structure.Known)) }

// Beard implements gen.StructuresWorker.
func (w *worker) Beard(x, z int32, to *terrain.Beard) { w.Starts.Beard(to, x, z) }

// Wanting implements gen.StructuresWorker.
func (w *worker) Wanting(x, z int32) int { return w.Lacking(x, z) }

// settledSince reports whether pieces of a start have settled something since
// it was stored. One that was stored by others otherwise than it would be here
// is left as it is.
func (w *worker) settledSince(stored chunk.StructureStart, start *structure.Start) bool {
	var content nbt.Compound
	if err := stored.NBT.Decode(&content); err != nil {
		return false
	}
	was, err := w.of.system.ReadStart(content, w.of.readers)
	return err == nil && was != nil && !nbt.Equal(was.Save(), start.Save())
}

// Store implements gen.StructuresWorker.
func (w *worker) Store(to *chunk.Chunk) error {
	starts, err := to.StructureStarts()
	if err != nil {
		return err
	}
	pos := to.Pos()
	for _, start := range w.At(pos.X, pos.Z) {
		i := slices.IndexFunc(starts, func(s chunk.StructureStart) bool { return s.Name == start.ID })
		if i >= 0 && !w.settledSince(starts[i], start) {
			continue
		}
		raw, err := nbt.MarshalRaw(start.Save())
		if err != nil {
			return err
		}
		if i >= 0 {
			starts[i].NBT = raw
		} else {
			starts = append(starts, chunk.StructureStart{Name: start.ID, NBT: raw})
		}
	}
	var references []chunk.StructureReference
	w.Referring(pos.X, pos.Z, func(start *structure.Start) {
		i := slices.IndexFunc(references, func(r chunk.StructureReference) bool { return r.Name == start.ID })
		if i < 0 {
			i = len(references)
			references = append(references, chunk.StructureReference{Name: start.ID})
		}
		references[i].Chunks = append(references[i].Chunks, region.ChunkPos{X: start.X, Z: start.Z})
	})
	slices.SortStableFunc(starts, func(a, b chunk.StructureStart) int { return strings.Compare(a.Name, b.Name) })
	slices.SortStableFunc(references, func(a, b chunk.StructureReference) int { return strings.Compare(a.Name, b.Name) })
	return to.SetStructures(starts, references)
}
