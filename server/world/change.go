package world

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/anvil/light"
	"strata/anvil/store"
	"strata/region"
	"strata/server/stream"
)

// Changed is what of a chunk has changed in a tick.
type Changed struct {
	Pos region.ChunkPos
	// Blocks are the places of blocks, in no order.
	Blocks []chunk.BlockPos
	// Entities are block entities that are others now, or new.
	Entities []chunk.BlockPos
	// Sky and Block are the sections whose light is another.
	Sky, Block stream.SectionSet
}

// changes gathers what changes until Flush.
type changes struct {
	blocks   map[region.ChunkPos]map[chunk.BlockPos]bool
	entities map[chunk.BlockPos]bool
	edits    []chunk.BlockPos // that light does not know of
}

// Height is the lowest y that has blocks, and the highest.
func (d *Dimension) Height() (lowest, highest int32) {
	return int32(d.options.Shape.Low) * 16, int32(d.options.Shape.High)*16 - 1
}

// HasSky reports whether there is sky light, and so weather.
func (d *Dimension) HasSky() bool { return d.options.Sky }

// SetBlock sets a block, and takes away a block entity that belonged to another
// one. It reports false if the chunk is not there or the place is outside of the
// world. Light follows with Flush; neighbours are the caller's matter.
func (d *Dimension) SetBlock(pos chunk.BlockPos, state block.State) bool {
	hold := d.columns[pos.Chunk()]
	if hold == nil {
		return false
	}
	done := false
	err := hold.Update(store.Structural, func(c *chunk.Chunk) error {
		old, ok := c.SetBlock(int(pos.X), int(pos.Y), int(pos.Z), state)
		if done = ok; !ok {
			return nil
		}
		return changeEntity(c, pos, old, state)
	})
	if err != nil || !done {
		return false
	}
	if d.changes.blocks == nil {
		d.changes.blocks = map[region.ChunkPos]map[chunk.BlockPos]bool{}
	}
	at := d.changes.blocks[pos.Chunk()]
	if at == nil {
		at = map[chunk.BlockPos]bool{}
		d.changes.blocks[pos.Chunk()] = at
	}
	if !at[pos] {
		at[pos] = true
		d.changes.edits = append(d.changes.edits, pos)
	}
	return true
}

// Flush brings the light up to date, and returns what has changed since it was
// called last.
func (d *Dimension) Flush() ([]Changed, error) {
	if len(d.changes.edits) == 0 && len(d.changes.entities) == 0 {
		return nil, nil
	}
	found := map[region.ChunkPos]*Changed{}
	of := func(pos region.ChunkPos) *Changed {
		if found[pos] == nil {
			found[pos] = &Changed{Pos: pos}
		}
		return found[pos]
	}
	for pos, blocks := range d.changes.blocks {
		of(pos).Blocks = slices.Collect(maps.Keys(blocks))
	}
	for pos := range d.changes.entities {
		c := of(pos.Chunk())
		c.Entities = append(c.Entities, pos)
	}
	err := d.relight(func(at light.SectionPos, kind chunk.Light) {
		c := of(region.ChunkPos{X: at.X, Z: at.Z})
		set := &c.Sky
		if kind == chunk.BlockLight {
			set = &c.Block
		}
		set.Add(d.options.Shape, at.Y)
	})
	d.changes = changes{}
	all := make([]Changed, 0, len(found))
	for _, c := range found {
		all = append(all, *c)
	}
	return all, err
}

// relight has the engine follow the edits, in chunks up to one beyond them, as far
// as light goes.
func (d *Dimension) relight(changed func(light.SectionPos, chunk.Light)) error {
	around := map[region.ChunkPos]*store.Hold{}
	for pos := range d.changes.blocks {
		for dz := int32(-1); dz <= 1; dz++ {
			for dx := int32(-1); dx <= 1; dx++ {
				p := region.ChunkPos{X: pos.X + dx, Z: pos.Z + dz}
				if hold := d.columns[p]; hold != nil {
					around[p] = hold
				}
			}
		}
	}
	var holds []*store.Hold
	for _, hold := range around {
		holds = append(holds, hold)
	}
	slices.SortFunc(holds, func(a, b *store.Hold) int {
		p, q := a.Ref().Pos, b.Ref().Pos
		return cmp.Or(cmp.Compare(p.Z, q.Z), cmp.Compare(p.X, q.X))
	})
	chunks := map[region.ChunkPos]*chunk.Chunk{}
	dimension := light.Dimension{Low: d.options.Shape.Low, High: d.options.Shape.High, Sky: d.options.Sky, Foreign: d.options.Foreign}
	world := &light.ChunkWorld{At: func(p region.ChunkPos) *chunk.Chunk { return chunks[p] }, Changed: changed}
	return d.options.Together(func(t store.Together) error {
		return withAll(t, holds, chunks, func() error {
			var errs []error
			for edits := d.changes.edits; len(edits) > 0; {
				n := min(len(edits), light.MaxEdits)
				if err := d.engine.Update(world, dimension, edits[:n]); err != nil {
					errs = append(errs, fmt.Errorf("light: %w", err))
				}
				edits = edits[n:]
			}
			return errors.Join(errs...)
		})
	})
}

// withAll calls f with all chunks of the holds open for changes.
func withAll(t store.Together, holds []*store.Hold, chunks map[region.ChunkPos]*chunk.Chunk, f func() error) error {
	if len(holds) == 0 {
		return f()
	}
	return t.Update(holds[0], store.Structural, func(c *chunk.Chunk) error {
		chunks[c.Pos()] = c
		return withAll(t, holds[1:], chunks, f)
	})
}
