package gen

import (
	"context"
	"errors"
	"fmt"

	"strata/anvil/chunk"
	"strata/anvil/light"
	"strata/pregen"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/proto"
)

// worker makes chunks of a Generator.
type worker struct {
	generator *Generator
	maker     *Maker
	chunk     *proto.Chunk

	decorator  *feature.Decorator
	structures structuresAt
	undo       feature.Undo
	columns    []*light.Column
	engine     light.Engine
	lit        light.Chunk
	encode     chunk.Encoder
	packing    []byte
	ticks      storedTicks
	meter      Meter
}

// Release implements pregen.Worker.
func (w *worker) Release() { *w = worker{generator: w.generator, meter: w.meter} }

// renew makes the scratch of ground and structures.
func (w *worker) renew() {
	w.maker, w.chunk = w.generator.dimension.NewMaker(), w.generator.dimension.New()
	w.structures = w.generator.structuresFor(w.maker)
	w.maker.meter = w.meter
	w.decorator = nil // which asks the maker for biomes
}

// Generate implements pregen.Worker.
func (w *worker) Generate(ctx context.Context, b *pregen.Batch, done func(pregen.Made) error) error {
	if w.maker == nil {
		w.renew()
	}
	if w.generator.until >= firstDecorated {
		return w.generate(ctx, b, done)
	}
	for _, wanted := range b.Chunks {
		if err := ctx.Err(); err != nil {
			return err
		}
		made := pregen.Made{Pos: wanted.Pos}
		made.Chunk, made.Err = w.make(wanted)
		if err := done(made); err != nil {
			return err
		}
	}
	return nil
}

// ErrContinue is wrapped by errors about a stored chunk that generation cannot
// go on from.
var ErrContinue = errors.New("generation cannot go on from the stored chunk")

// make makes one chunk.
func (w *worker) make(wanted pregen.Wanted) (*chunk.Chunk, error) {
	g := w.generator
	from := chunk.StatusEmpty
	w.chunk.Reset(wanted.Pos.X, wanted.Pos.Z)
	if stored := wanted.Stored; stored != nil {
		if err := w.checkStored(stored); err != nil {
			return nil, err
		}
		if stored.Status() > g.until {
			return nil, fmt.Errorf("%w: it is at %q", ErrContinue, stored.StatusName())
		}
		if stored.Status() >= chunk.StatusBiomes {
			from = stored.Status()
			if err := w.chunk.Load(stored, w.biome); err != nil {
				return nil, fmt.Errorf("%w: %w", ErrContinue, err)
			}
		}
	}
	if err := w.maker.Advance(w.chunk, from, g.until); err != nil {
		return nil, err
	}
	if wanted.Stored == nil {
		made, err := w.chunk.Store(g.form, g.until)
		if err == nil && g.until >= chunk.StatusStructureStarts {
			err = w.structures.store(made)
		}
		return made, err
	}
	if _, err := wanted.Stored.Raise(g.form.DataVersion); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrContinue, err)
	}
	minY, height := g.dimension.Range()
	if err := wanted.Stored.SetRange(chunk.SectionY(minY>>4), chunk.SectionY((minY+height)>>4)); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrContinue, err)
	}
	if err := w.structures.store(wanted.Stored); err != nil {
		return nil, err
	}
	return wanted.Stored, w.chunk.Update(wanted.Stored, g.form, g.until)
}

// biome is the number of a biome of a stored chunk.
func (w *worker) biome(stored chunk.Biome) (proto.Biome, error) {
	for i, number := range w.generator.form.Biomes {
		if number == stored {
			return proto.Biome(i), nil
		}
	}
	name := w.generator.form.Tables.Biomes.Name(stored)
	return 0, fmt.Errorf("biome %s is none of this dimension", name)
}

// checkStored reports whether generation can go on from a stored chunk.
func (w *worker) checkStored(stored *chunk.Chunk) error {
	low, high := stored.Range()
	minY, height := w.generator.dimension.Range()
	if status := stored.Status(); status == chunk.StatusUnknown {
		return fmt.Errorf("%w: it is at %q", ErrContinue, stored.StatusName())
	}
	if int(low)<<4 < minY || int(high)<<4 > minY+height {
		return fmt.Errorf("%w: it reaches from section %d to %d", ErrContinue, low, high-1)
	}
	if _, old, err := stored.Blending(); err != nil || old {
		return fmt.Errorf("%w: it is to be blended with older terrain", ErrContinue)
	}
	return nil
}
