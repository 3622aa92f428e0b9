package gen

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"sync"

	"strata/anvil/chunk"
	"strata/pregen"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/preset"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/settings"
	"strata/region"
)

// Revision is raised whenever chunks come out otherwise than before.
const Revision = "3"

// tileSide is how many chunks a side are best made together: they share the
// biomes around them.
const tileSide = 8

// Generator makes the chunks of a dimension for a pregen run.
type Generator struct {
	dimension  *Dimension
	until      chunk.Status
	form       proto.Form
	parameters string
	gameFiles  string
	structures Structures // nil for none
	// withoutTemplates finishes chunks without the structures whose blocks are
	// not at hand.
	withoutTemplates bool
	// beforeDecoration is for tests: it may panic.
	beforeDecoration func(*feature.Chunk)

	mu     sync.Mutex // guards shared; a yard's is taken after it
	shared *yard

	failuresMu sync.Mutex                // guards failures; taken last
	failures   map[region.ChunkPos]error // why chunks cannot be decorated
}

// NewGenerator returns the generator of a dimension of the world up to a
// status. The error wraps ErrUnsupported if that is too far.
func (w *World) NewGenerator(id string, until chunk.Status, tables *chunk.Tables) (*Generator, error) {
	d, err := w.Dimension(id)
	if err != nil {
		return nil, err
	}
	if err := w.check(d, until); err != nil {
		return nil, fmt.Errorf("dimension %s: status %v: %w", id, until, err)
	}
	g := &Generator{dimension: d, until: until, gameFiles: w.gameFiles, withoutTemplates: w.without, failures: make(map[region.ChunkPos]error)}
	if w.structures != nil && w.preset.Structures {
		if g.structures, err = w.structures(d); err != nil {
			return nil, fmt.Errorf("dimension %s: %w", id, err)
		}
		if g.structures == nil && d.preset.Generator.Kind == preset.Flat {
			return nil, fmt.Errorf("dimension %s: structures of flat worlds: %w", id, ErrUnsupported)
		}
	}
	if g.form, err = d.Form(tables); err != nil {
		return nil, err
	}
	g.parameters, err = w.digest(d)
	return g, err
}

// Facts implements pregen.Generator.
func (g *Generator) Facts() pregen.Facts {
	f := pregen.Facts{Revision: Revision, Parameters: g.parameters, GameFiles: g.gameFiles, Tile: tileSide}
	if g.until >= firstDecorated {
		f.Rim = 2 // decoration of the chunks around the area writes one farther
	}
	f.Relights = g.until >= chunk.StatusLight
	return f
}

// NewWorker implements pregen.Generator.
func (g *Generator) NewWorker() (pregen.Worker, error) { return &worker{generator: g}, nil }

// check reports whether chunks of a dimension can be taken to a status.
func (w *World) check(d *Dimension, until chunk.Status) error {
	if until > chunk.StatusFull {
		return fmt.Errorf("there is none: %w", ErrUnsupported)
	}
	if until < firstDecorated {
		return nil
	}
	missing, err := d.MissingFeatures()
	if err != nil {
		return err
	}
	if len(missing) > 0 && !w.partial {
		return fmt.Errorf("only up to %v, as these features are not made yet: %s: %w", Last, shortNames(missing), ErrUnsupported)
	}
	return nil
}

// documents are the registries that chunks depend on.
var documents = []string{
	"worldgen/noise", "worldgen/density_function", "worldgen/noise_settings", "worldgen/biome", "worldgen/configured_carver",
	"worldgen/multi_noise_biome_source_parameter_list", "tags/block", "tags/worldgen/biome",
	"worldgen/configured_feature", "worldgen/placed_feature",
	"worldgen/structure", "worldgen/structure_set", "worldgen/template_pool", "worldgen/processor_list",
}

// digest is a digest of all that chunks of a dimension depend on beside the
// seed.
func (w *World) digest(d *Dimension) (string, error) {
	sum := sha256.New()
	p := &d.preset
	add(sum, "dimension", []byte(p.ID), p.Type.Document, p.Generator.Settings, p.Generator.BiomeSource.Document)
	fmt.Fprintf(sum, "%v %d %+v %v %v", p.Generator.Kind, w.dataVersion, p.Generator.Flat, w.preset.Structures, w.without)
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
		if text, err = plainForm(text); err != nil {
			return fmt.Errorf("%s %s: %w", registry, id, err)
		}
		add(sum, registry, []byte(id), text)
	}
	return nil
}

// plainForm is a document without what says nothing: a pack has it as its
// author wrote it, the game's own are here as they are put together.
func plainForm(text []byte) ([]byte, error) {
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return nil, err
	}
	return json.Marshal(value)
}

// add adds texts so that no two lists of them are the same bytes.
func add(sum hash.Hash, kind string, texts ...[]byte) {
	fmt.Fprintf(sum, "%s %d\n", kind, len(texts))
	for _, text := range texts {
		fmt.Fprintf(sum, "%d\n%s", len(text), text)
	}
}
