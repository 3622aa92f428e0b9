package gen

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"

	"strata/anvil/chunk"
	"strata/pregen"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/settings"
)

// Revision is raised whenever chunks come out otherwise than before.
const Revision = "1"

// tileSide is how many chunks a side are best made together: they share the
// biomes around them.
const tileSide = 8

// Generator makes the chunks of a dimension for a pregen run.
type Generator struct {
	dimension  *Dimension
	until      chunk.Status
	form       proto.Form
	parameters string
}

// NewGenerator returns the generator of a dimension of the world up to a
// status. The error wraps ErrUnsupported if that is too far.
func (w *World) NewGenerator(id string, until chunk.Status, tables *chunk.Tables) (*Generator, error) {
	d, err := w.Dimension(id)
	if err != nil {
		return nil, err
	}
	if until > Last {
		return nil, fmt.Errorf("dimension %s: status %v: only up to %v: %w", id, until, Last, ErrUnsupported)
	}
	g := &Generator{dimension: d, until: until}
	if g.form, err = d.Form(tables); err != nil {
		return nil, err
	}
	g.parameters, err = w.digest(d)
	return g, err
}

// Facts implements pregen.Generator.
func (g *Generator) Facts() pregen.Facts {
	return pregen.Facts{Revision: Revision, Parameters: g.parameters, Tile: tileSide}
}

// NewWorker implements pregen.Generator.
func (g *Generator) NewWorker() (pregen.Worker, error) { return &worker{generator: g}, nil }

// documents are the registries that chunks depend on.
var documents = []string{
	"worldgen/noise", "worldgen/density_function", "worldgen/noise_settings", "worldgen/biome", "worldgen/configured_carver",
	"worldgen/multi_noise_biome_source_parameter_list", "tags/block", "tags/worldgen/biome",
}

// digest is a digest of all that chunks of a dimension depend on beside the
// seed.
func (w *World) digest(d *Dimension) (string, error) {
	sum := sha256.New()
	p := &d.preset
	add(sum, "dimension", []byte(p.ID), p.Type.Document, p.Generator.Settings, p.Generator.BiomeSource.Document)
	fmt.Fprintf(sum, "%v %d %+v", p.Generator.Kind, w.dataVersion, p.Generator.Flat)
	for _, registry := range documents {
		if err := addRegistry(sum, w.source, registry); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func addRegistry(sum hash.Hash, source settings.Source, registry string) error {
	ids, err := source.IDs(registry)
	if err != nil {
		return err
	}
	for _, id := range ids {
		text, err := source.Document(registry, id)
		if err != nil {
			return err
		}
		add(sum, registry, []byte(id), text)
	}
	return nil
}

// add adds texts so that no two lists of them are the same bytes.
func add(sum hash.Hash, kind string, texts ...[]byte) {
	fmt.Fprintf(sum, "%s %d\n", kind, len(texts))
	for _, text := range texts {
		fmt.Fprintf(sum, "%d\n%s", len(text), text)
	}
}

// worker makes chunks of a Generator.
type worker struct {
	generator *Generator
	maker     *Maker
	chunk     *proto.Chunk
}

// Release implements pregen.Worker.
func (w *worker) Release() { w.maker, w.chunk = nil, nil }

// Generate implements pregen.Worker.
func (w *worker) Generate(ctx context.Context, b *pregen.Batch, done func(pregen.Made) error) error {
	if w.maker == nil {
		w.maker, w.chunk = w.generator.dimension.NewMaker(), w.generator.dimension.New()
	}
	for _, wanted := range b.Chunks {
		if err := ctx.Err(); err != nil {
			return err
		}
		if wanted.Rim {
			continue // nothing writes beyond its own chunk yet
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
		return w.chunk.Store(g.form, g.until)
	}
	if _, err := wanted.Stored.Raise(g.form.DataVersion); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrContinue, err)
	}
	minY, height := g.dimension.Range()
	if err := wanted.Stored.SetRange(chunk.SectionY(minY>>4), chunk.SectionY((minY+height)>>4)); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrContinue, err)
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
	if status := stored.Status(); status == chunk.StatusUnknown || status > w.generator.until {
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
