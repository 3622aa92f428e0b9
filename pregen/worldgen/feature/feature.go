package feature

import (
	"math"

	"strata/anvil/block"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
	"strata/pregen/worldgen/surface"
)

// Feature is something that can be built at a place. It does not change and
// may be shared by workers; what it needs while it builds is in the Context.
type Feature interface {
	// Place builds at a place, whose column may be written, and reports whether
	// anything was built.
	Place(c *Context, x, y, z int) bool
}

// Factory makes a feature of the config of a document.
type Factory func(l *Loader, config provider.Value) (Feature, error)

// Provider chooses block states.
type Provider interface {
	// State returns the state for a place, and false for none.
	State(c *Context, x, y, z int) (block.State, bool)
}

// Predicate tests a place.
type Predicate interface {
	Test(v *View, x, y, z int) bool
}

// Context is what a feature builds with. One worker has one.
type Context struct {
	*View
	Random *rng.Worldgen
	// Region is a source of the chunk that is decorated, from its first step to
	// its last, which a few blocks draw from instead.
	Region rng.Xoroshiro
	// Seed is that of the world.
	Seed int64
	// Span is the range of heights of the generator, which may be less than
	// that of the dimension.
	Span provider.Span
	// Climate has the biomes by their numbers.
	Climate []surface.Biome

	// allowed says by biome whether it has the feature that is placed; nil if
	// none is placed for a biome.
	allowed []bool
	built   bool // whether the feature that is placed built anything
	scratch scratch
}

// scratch is memory of features that would be allocated again for each.
type scratch struct {
	balls  []ball
	across []float64
	seen   []uint64
	lake   lakeForm
}

// floor is the greatest integer that is not above a number.
func floor(v float64) int { return int(math.Floor(v)) }
