package gen

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"strata/anvil/chunk"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/flat"
	"strata/pregen/worldgen/mob"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/structure/template"
)

// decoration is the features of a dimension, read when they are first asked
// for.
type decoration struct {
	once    sync.Once
	system  *feature.System // nil for none
	animals *mob.Animals
	missing []string // types that have no factory, which build nothing
	err     error
}

// features reads the features and the animals of the dimension.
func (d *Dimension) features() (*decoration, error) {
	f := &d.decoration
	f.once.Do(func() {
		switch g, isFlat := d.layers.(*flat.Flat); {
		case isFlat:
			if o := g.Decoration(); o.Features || o.Lakes {
				f.missing = []string{"those of flat worlds"}
			}
		case d.noiseParts != nil:
			f.err = d.readFeatures()
		}
		if f.err == nil {
			f.animals, f.err = mob.Load(d.documents, d.biomes)
		}
	})
	return f, f.err
}

func (d *Dimension) readFeatures() (err error) {
	missing := make(map[string]bool)
	minY, height := d.Range()
	shape := d.settings.ShapeIn(minY, height)
	factories := Factories()
	maps.Copy(factories, template.Features(d.templates))
	loader := feature.NewLoader(d.documents, factories, func(kind string) { missing[kind] = true })
	d.decoration.system, err = feature.Load(loader, feature.Settings{
		Biomes: d.biomes, Seed: d.seed, Zoom: d.zoom, MinY: minY, Height: height, SeaLevel: d.settings.SeaLevel,
		Span: provider.Span{MinY: int32(shape.MinY), Height: int32(shape.Height)},
	})
	d.decoration.missing = slices.Sorted(maps.Keys(missing))
	return err
}

// MissingFeatures lists the types of features that the dimension's biomes have
// and that cannot be built.
func (d *Dimension) MissingFeatures() ([]string, error) {
	f, err := d.features()
	if err != nil {
		return nil, err
	}
	return f.missing, nil
}

// shortNames are ids without the game's own namespace, for messages.
func shortNames(ids []string) string {
	short := make([]string, len(ids))
	for i, id := range ids {
		short[i] = strings.TrimPrefix(id, "minecraft:")
	}
	return strings.Join(short, ", ")
}

// decorateLayers places what is left of the layers of a flat world.
func decorateLayers(l layered, c *feature.Chunk) {
	if g, ok := l.(*flat.Flat); ok && !c.Frozen {
		g.Decorate(c.Chunk)
	}
}

// newDecorator returns the scratch that chunks are decorated with, nil if there
// are no features. The features have been read.
func (g *Generator) newDecorator(m *Maker) *feature.Decorator {
	system := g.dimension.decoration.system
	if system == nil {
		return nil
	}
	return system.NewDecorator(func(x, z int32) *proto.Chunk { return m.biomes.at(x, z) })
}

// firstDecorated is the first status that decorated chunks have.
const firstDecorated = chunk.StatusFeatures
