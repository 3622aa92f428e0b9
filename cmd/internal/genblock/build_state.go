package main

import (
	"strconv"
	"strings"

	"strata/anvil/block"
)

// emission is the block's light, unless it depends on the state.
func (b *builder) emission(r *reportBlock, i int, npm npmBlock) int {
	l, varies := b.in.lights[r.Name]
	if !varies {
		return npm.EmitLight
	}
	values := make([]string, len(l.Properties))
	for at, name := range l.Properties {
		values[at] = r.get(i, name)
	}
	return l.Light[strings.Join(values, ",")]
}

// fluid: the property level of water and lava is 0 for a source, then the
// distance from one, and from 8 on falling fluid. Everything else in water is
// in a source.
func (b *builder) fluid(s *stateFacts, r *reportBlock, i int) {
	switch {
	case r.Name == "water" || r.Name == "lava":
		level, _ := strconv.Atoi(r.get(i, "level"))
		s.fluid, s.amount = block.WaterFluid, block.FullFluid-level
		if r.Name == "lava" {
			s.fluid = block.LavaFluid
		}
		if level >= block.FullFluid {
			s.amount, s.falling = block.FullFluid, true
		}
	case b.wet[r.Name] || r.get(i, "waterlogged") == "true":
		s.fluid, s.amount = block.WaterFluid, block.FullFluid
	}
}

func (b *builder) blocksMotion(r *reportBlock, collision shape) bool {
	if forced, ok := b.forced[r.Name]; ok {
		return forced
	}
	if len(collision) == 0 {
		return false
	}
	x, y, z := collision.extent()
	return (x+y+z)/3 >= solidSize || y >= 1
}

// usesShape: a double slab and a retracted piston are whole and opaque.
func (b *builder) usesShape(r *reportBlock, i int) bool {
	return b.useShape[r.Name] && r.get(i, "type") != "double" && r.get(i, "extended") != "false"
}

// occlusionShape is what the state hides. It is the collision shape except
// where things sink in.
func occlusionShape(r *reportBlock, i int, collision shape) shape {
	switch r.Name {
	case "soul_sand", "mud":
		return cube(0, shapeUnit)
	case "snow": // collides with a layer less than is seen
		layers, _ := strconv.Atoi(r.get(i, "layers"))
		return cube(0, layers*shapeUnit/8)
	case "sculk_shrieker":
		return cube(0, shapeUnit/2)
	}
	return collision
}

// opacity is 15 for what hides all, else 0 where sky light falls through,
// else 1. The source has it for the default state; fluid, and a shape that is
// whole or not, make the difference in the others.
func (b *builder) opacity(s *stateFacts, r *reportBlock, i int, npm npmBlock) int {
	const all = 15
	base := npm.FilterLight
	switch {
	case b.opaque[r.Name] || s.solid:
		return all
	case b.clear[r.Name]:
		return base
	case b.clings[r.Name]:
		base = 0
		if !strings.Contains(sides(r, i), "true") {
			base = 1
		}
	case base == all: // a piston, extended
		base = 0
	case r.get(r.Default, "waterlogged") == "true":
		base = 0 // what the source says is of the water
	}
	if s.fluid != block.NoFluid {
		return max(base, 1)
	}
	return base
}

// sides are the six properties that tell where a plant clings.
func sides(r *reportBlock, i int) string {
	var text string
	for _, side := range []string{"down", "up", "north", "south", "west", "east"} {
		text += r.get(i, side)
	}
	return text
}
