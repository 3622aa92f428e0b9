package terrain

import "strata/pregen/worldgen/density"

// Function is one of the density functions of a noise router that terrain asks
// at single points.
type Function uint8

// The functions that terrain asks, by their fields in noise_router.
const (
	Barrier      Function = iota // barrier, with what is interpolated in the chunk
	BarrierAlone                 // barrier with nothing interpolated, for carvers
	Floodedness                  // fluid_level_floodedness
	Spread                       // fluid_level_spread
	Lava                         // lava
	Erosion                      // erosion
	Depth                        // depth
	VeinRidged                   // vein_ridged, interpolated
	VeinGap                      // vein_gap, interpolated
	functions
)

// Router gives the values of density functions for one chunk.
type Router interface {
	// Value is the value of a function at a block: of those that are
	// interpolated at a block of the chunk, of the others anywhere.
	Value(f Function, x, y, z int) float64
	// PreliminarySurface is preliminary_surface_level at the quarter cell of a
	// block, rounded down. It is asked often and remembered by whom it asks.
	PreliminarySurface(x, z int) int
}

// Densities gives the densities of one chunk, cell by cell, as a density.Chunk
// counts and orders cells and their blocks.
type Densities interface {
	Router
	// Corners prepares the densities of the chunk. Of cells at and above a
	// height the sign is all that is asked for; mostly.
	Corners(signFrom int)
	// Class is the sign of final_density in a cell.
	Class(cellX, cellY, cellZ int) density.Class
	// Density is final_density at the blocks of a cell, without beards, and
	// VeinToggle is vein_toggle there. They last until the next call of either.
	Density(cellX, cellY, cellZ int) []float64
	VeinToggle(cellX, cellY, cellZ int) []float64
	// VeinToggleRange bounds vein_toggle in a cell, at little cost.
	VeinToggleRange(cellX, cellY, cellZ int) (low, high float64)
}

// Values is a density.Chunk with its router, as Densities.
type Values struct {
	*density.Chunk
	nodes [functions]density.Node
}

var _ Densities = (*Values)(nil)

// NewValues returns the values of a chunk that evaluates a program of a router.
func NewValues(c *density.Chunk, r density.Router) *Values {
	return &Values{Chunk: c, nodes: [functions]density.Node{
		Barrier: r.Barrier, BarrierAlone: r.Barrier,
		Floodedness: r.FluidLevelFloodedness, Spread: r.FluidLevelSpread, Lava: r.Lava,
		Erosion: r.Erosion, Depth: r.Depth,
		VeinRidged: r.VeinRidged, VeinGap: r.VeinGap,
	}}
}

// Value implements Router.
func (v *Values) Value(f Function, x, y, z int) float64 {
	switch f {
	case Barrier, VeinRidged, VeinGap:
		return v.AtBlock(v.nodes[f], x, y, z)
	default:
		return v.At(v.nodes[f], x, y, z)
	}
}
