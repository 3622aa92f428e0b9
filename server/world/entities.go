package world

import (
	"errors"
	"fmt"

	"strata/anvil/store"
	"strata/region"
	"strata/server/entity"
)

// Entities are what lies and falls in the loaded chunks.
func (d *Dimension) Entities() *entity.Set { return d.entities }

// RunEntities is a tick of the entities.
func (d *Dimension) RunEntities(c *Context) { d.entities.Tick(c) }

// loadEntities takes in the entities of a chunk. What cannot be understood stays in
// its file, and what comes into the chunk is not saved.
func (d *Dimension) loadEntities(pos region.ChunkPos, file *store.DocumentHold) error {
	if file == nil {
		return d.entities.Load(pos, nil)
	}
	if err := d.entities.Load(pos, file.Bytes()); err != nil {
		file.Release()
		return err
	}
	d.files[pos] = file
	return nil
}

// SaveEntities writes the entities of chunks into their documents, where they are
// others now; without all only where something has come or gone.
func (d *Dimension) SaveEntities(all bool) error {
	var errs []error
	d.entities.Changed(func(pos region.ChunkPos, c entity.Change) {
		if all || c == entity.Structural {
			errs = append(errs, d.saveEntities(pos, c))
		}
	})
	return errors.Join(errs...)
}

func (d *Dimension) saveEntities(pos region.ChunkPos, c entity.Change) error {
	file := d.files[pos]
	data, err := d.entities.Document(pos, d.options.Version)
	if err != nil || file == nil {
		return err
	}
	how := store.Drift
	if c == entity.Structural {
		how = store.Structural
	}
	err = d.options.Together(func(t store.Together) error {
		return t.UpdateDocument(file, how, func([]byte) ([]byte, error) { return data, nil })
	})
	if err != nil {
		return fmt.Errorf("entities of chunk %d %d: %w", pos.X, pos.Z, err)
	}
	return nil
}

// dropEntities saves the entities of a chunk that is let go of, and forgets them.
func (d *Dimension) dropEntities(pos region.ChunkPos) error {
	var err error
	if c := d.entities.Change(pos); c != entity.Same {
		err = d.saveEntities(pos, c)
	}
	d.entities.Unload(pos)
	if file := d.files[pos]; file != nil {
		file.Release()
		delete(d.files, pos)
	}
	return err
}
