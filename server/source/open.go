package source

import (
	"errors"
	"sync"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/anvil/datapack"
	"strata/pregen"
	"strata/pregen/worldgen/gen"
	"strata/pregen/worldgen/structure/all"
)

// Generators are the generators of a world's dimensions.
type Generators struct {
	mu    sync.Mutex // guards world
	world *gen.World
	// Ignored are data packs that were left out, each with the reason.
	Ignored []string
}

// GeneratorOptions say how the generators of a world are opened.
type GeneratorOptions struct {
	// Game is the user's own game files; without them structures made of
	// templates are left out.
	Game *datapack.Pack
	// IgnorePacks leaves out data packs that cannot be used.
	IgnorePacks bool
}

// OpenGenerators makes the generators of a world, with its data packs. The
// errors are those of gen.Open. Close closes the packs.
func OpenGenerators(w *anvil.World, o GeneratorOptions) (*Generators, error) {
	world, ignored, err := gen.Open(w, gen.OpenOptions{
		Game: o.Game, WithoutTemplates: o.Game == nil, Structures: all.New, IgnorePacks: o.IgnorePacks,
	})
	if err != nil {
		return nil, err
	}
	return &Generators{world: world, Ignored: ignored}, nil
}

// Generator returns the generator of a dimension, to status full, for chunks of
// tables. The error wraps gen.ErrUnsupported for one that cannot be generated.
func (g *Generators) Generator(dimension string, tables *chunk.Tables) (pregen.Generator, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.world.NewGenerator(dimension, chunk.StatusFull, tables)
}

// Spawn looks for the place of the world's spawn, as the game does for a new
// world. The error wraps gen.ErrUnsupported where it cannot be looked for.
func (g *Generators) Spawn() (gen.Spawn, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	d, err := g.world.Dimension(anvil.Overworld)
	if err != nil {
		return gen.Spawn{}, err
	}
	return d.FindSpawn()
}

// Close closes the packs. Generators can still be used.
func (g *Generators) Close() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.world.Close()
}

// Unsupported reports whether an error says that a dimension cannot be
// generated here: its chunks have to be there.
func Unsupported(err error) bool { return errors.Is(err, gen.ErrUnsupported) }
