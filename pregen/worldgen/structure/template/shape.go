package template

import "strata/anvil/block"

// Shape is what is known of a template without game files.
type Shape struct {
	SizeX, SizeY, SizeZ int32
	// Connectors are its jigsaw blocks, in the order of y, x and z.
	Connectors []Connector
}

// Connector is a jigsaw block: where another template can be joined.
type Connector struct {
	X, Y, Z int32 // in the template
	// Front is where the other is joined, Top what is up or, if that is
	// vertical, forward.
	Front, Top block.Direction
	Name       string // of this one
	Target     string // of the connectors that it joins
	Pool       string // where the other is taken from
	FinalState string // what the block is in the end
	// Rollable is whether vertical ones join whichever way their tops point.
	Rollable                             bool
	SelectionPriority, PlacementPriority int32
}
