package feature

import (
	"slices"

	"strata/pregen/worldgen/climate"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
	"strata/pregen/worldgen/surface"
)

// Settings are what a System is made of.
type Settings struct {
	Biomes []string // ids by number, in the order of the biome source
	Seed   int64
	// Zoom is that of Seed.
	Zoom         climate.Zoom
	MinY, Height int // of the dimension
	SeaLevel     int
	Span         provider.Span // of the generator
}

// System is the decoration of a dimension. It does not change and may be used
// concurrently.
type System struct {
	settings Settings
	climate  []surface.Biome
	steps    []step
	region   rng.XoroshiroPositional
}

// step is a step of decoration.
type step struct {
	features []*Placed
	has      [][]bool  // by feature and biome
	of       [][]int32 // the places of a biome's features, by biome
}

// maxSteps bounds the steps of a biome's features; the game has 11.
const maxSteps = 64

// Load reads the biomes of a dimension and their features.
func Load(l *Loader, s Settings) (*System, error) {
	system := &System{settings: s, region: regionSources(s.Seed)}
	var err error
	if system.climate, err = surface.ReadBiomes(l.source, s.Biomes); err != nil {
		return nil, err
	}
	lists := make([][][]*Placed, len(s.Biomes))
	for i, id := range s.Biomes {
		if lists[i], err = l.biome(id); err != nil {
			return nil, err
		}
	}
	order, err := sortFeatures(lists)
	if err != nil {
		return nil, err
	}
	for number, features := range order {
		at := step{features: features, of: make([][]int32, len(lists))}
		for range features {
			at.has = append(at.has, make([]bool, len(lists)))
		}
		for biome, list := range lists {
			if number >= len(list) {
				continue
			}
			for _, p := range list[number] {
				place := slices.Index(features, p)
				at.of[biome] = append(at.of[biome], int32(place))
			}
			// A biome has a feature in whatever step it names it.
			for place, p := range features {
				at.has[place][biome] = slices.ContainsFunc(list, func(step []*Placed) bool { return slices.Contains(step, p) })
			}
		}
		system.steps = append(system.steps, at)
	}
	return system, nil
}

// regionSources makes the sources of chunks that Context.Region is.
func regionSources(seed int64) rng.XoroshiroPositional {
	world := rng.NewXoroshiro(seed)
	named := world.Factory().ValueHash("minecraft:worldgen_region_random")
	return named.Factory()
}

// biome reads the features of a biome, by step.
func (l *Loader) biome(id string) ([][]*Placed, error) {
	const registry = "worldgen/biome"
	text, err := l.source.Document(registry, id)
	if err != nil {
		return nil, err
	}
	v, err := provider.Parse(registry, id, text)
	if err != nil {
		return nil, err
	}
	member, err := v.Member("features")
	if err != nil {
		return nil, err
	}
	steps, ok := member.List()
	if !ok || len(steps) > maxSteps {
		return nil, member.Errorf("not a list of at most %d steps", maxSteps)
	}
	lists := make([][]*Placed, len(steps))
	for i, v := range steps {
		if lists[i], err = l.stepOf(v); err != nil {
			return nil, err
		}
	}
	return lists, nil
}

// stepOf reads the features of a step: a list, one feature, or a tag.
func (l *Loader) stepOf(v provider.Value) ([]*Placed, error) {
	if list, ok := v.List(); ok {
		placed := make([]*Placed, len(list))
		for i, element := range list {
			var err error
			if placed[i], err = l.Placed(element); err != nil {
				return nil, err
			}
		}
		return placed, nil
	}
	names, isTag, err := namesOf(v)
	if err != nil {
		return nil, err
	}
	if isTag {
		if names, err = l.source.Tag(placedRegistry, names[0]); err != nil {
			return nil, v.Errorf("tag: %v", err)
		}
	}
	placed := make([]*Placed, len(names))
	for i, name := range names {
		if placed[i], err = l.PlacedByID(name); err != nil {
			return nil, err
		}
	}
	return placed, nil
}

// Steps returns the features of each step in their order, for reports; it must
// not be changed.
func (s *System) Steps() [][]*Placed {
	steps := make([][]*Placed, len(s.steps))
	for i := range s.steps {
		steps[i] = s.steps[i].features
	}
	return steps
}

// structureSteps is how many steps there are with structures.
const structureSteps = 11

// Decorator is the scratch of one worker. One goroutine at a time may use it.
type Decorator struct {
	system  *System
	context Context
	biomes  []bool
	due     []int32 // places of features in a step
}

// NewDecorator returns a decorator. cells gives the biomes of chunks: of those
// within 2 of the one that is decorated.
func (s *System) NewDecorator(cells func(x, z int32) *proto.Chunk) *Decorator {
	o := &s.settings
	return &Decorator{
		system: s,
		context: Context{
			View: NewView(o.MinY, o.Height, o.SeaLevel, o.Zoom, cells),
			Seed: o.Seed, Span: o.Span, Climate: s.climate,
		},
		biomes: make([]bool, len(o.Biomes)),
	}
}

// Structures places the pieces of the structures of a step that reach into the
// chunk that is decorated. It seeds c.Random for each structure of the step by
// SetFeatureSeed(seed, index, step), index being its place in the step's list.
type Structures interface {
	Place(c *Context, seed int64, step int32)
}

// Decorate builds the structures and the features of the chunk in the middle.
// chunks are rows of z, each along x. structures is nil for none.
func (d *Decorator) Decorate(chunks [9]*Chunk, structures Structures) {
	c := &d.context
	c.Reset(chunks)
	center := chunks[4]
	center.prime()
	random := rng.NewWorldgenXoroshiro(0)
	c.Random = &random
	x, z := int(center.X)<<4, int(center.Z)<<4
	seed := random.SetDecorationSeed(c.Seed, int32(x), int32(z))
	c.Region = d.system.region.ValueAt(int32(x), 0, int32(z))
	d.meet(chunks)
	for number := range max(len(d.system.steps), structureSteps) {
		if structures != nil {
			structures.Place(c, seed, int32(number))
		}
		if number >= len(d.system.steps) {
			continue
		}
		at := &d.system.steps[number]
		d.collect(at)
		for _, place := range d.due {
			random.SetFeatureSeed(seed, place, int32(number))
			at.features[place].place(c, at.has[place], x, c.minY, z)
		}
	}
	c.Random = nil
}

// meet finds the biomes of nine chunks.
func (d *Decorator) meet(chunks [9]*Chunk) {
	clear(d.biomes)
	for _, c := range chunks {
		for _, b := range c.Biomes {
			d.biomes[b] = true
		}
	}
}

// collect finds the features of a step that those biomes have, in order.
func (d *Decorator) collect(at *step) {
	d.due = d.due[:0]
	for biome, met := range d.biomes {
		if met {
			d.due = append(d.due, at.of[biome]...)
		}
	}
	slices.Sort(d.due)
	d.due = slices.Compact(d.due)
}
