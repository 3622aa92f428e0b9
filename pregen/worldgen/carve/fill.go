package carve

import "strata/anvil/block"

// lavaDepth is how far above the bottom lava fills the Nether's caves.
const lavaDepth = 31

// blocks are the states that carvers know by name.
type blocks struct {
	air, caveAir, water, lava, dirt block.State
	turf                            stateSet // grass blocks and mycelium
}

func newBlocks() blocks {
	b := blocks{
		caveAir: block.MustParse("cave_air"),
		water:   block.MustParse("water"),
		lava:    block.MustParse("lava"),
		dirt:    block.MustParse("dirt"),
	}
	grass, mycelium := block.MustParse("grass_block").Block(), block.MustParse("mycelium").Block()
	for state := range block.State(block.StateCount) {
		if id := state.Block(); id == grass || id == mycelium {
			b.turf[state>>6] |= 1 << (state & 63)
		}
	}
	return b
}

// fill replaces a block that is dug out, if it may be.
func (d *digger) fill(state block.State, index, x, y, z int, underGrass *bool) {
	c := d.tunnel.carver
	if c.kind == netherCave {
		if c.replaceable.has(state) {
			d.fillNether(x, y, z)
		}
		return
	}
	*underGrass = *underGrass || d.blocks.turf.has(state)
	if !c.replaceable.has(state) && c.debug == nil {
		return
	}
	filling, ok := d.filling(x, y, z)
	if !ok {
		return
	}
	d.chunk.SetBlock(x, y, z, filling)
	isFluid := filling.Fluid() != block.NoFluid
	// Lava at the bottom is filled in without asking the aquifer, and is marked
	// as its last answer was, whatever that was about. Before the first answer
	// the last one is that for the terrain's lowest block, which is solid.
	if isFluid && d.mark {
		d.chunk.Mark(index)
	}
	if *underGrass && d.chunk.Block(x, y-1, z) == d.blocks.dirt {
		d.cover(x, y-1, z, isFluid)
	}
}

// fillNether is what the Nether's caves do: they know no aquifer, lava_level or
// debug mode.
func (d *digger) fillNether(x, y, z int) {
	filling := d.blocks.caveAir
	if y <= int(d.carvers.span.MinY)+lavaDepth {
		filling = d.blocks.lava
	}
	d.chunk.SetBlock(x, y, z, filling)
}

// filling returns what a block is replaced by; false if it stays.
func (d *digger) filling(x, y, z int) (block.State, bool) {
	c := d.tunnel.carver
	if y <= c.lavaY {
		return d.blocks.lava, true
	}
	state, solid, mark := d.aquifer.At(int(d.chunk.X)<<4|x, y, int(d.chunk.Z)<<4|z, 0)
	d.mark = mark
	if c.debug == nil {
		return state, !solid
	}
	switch {
	case solid:
		return c.debug.barrier, true
	case state == d.blocks.air:
		return c.debug.air, true
	case state.Block() == d.blocks.water.Block():
		return c.debug.water, true
	case state.Block() == d.blocks.lava.Block():
		return c.debug.lava, true
	}
	return state, true
}

// cover makes bare dirt the top of the ground.
func (d *digger) cover(x, y, z int, underFluid bool) {
	top, ok := d.surface.TopMaterial(int(d.chunk.X)<<4|x, y, int(d.chunk.Z)<<4|z, underFluid)
	if !ok {
		return
	}
	d.chunk.SetBlock(x, y, z, top)
	if top.Fluid() != block.NoFluid {
		d.chunk.Mark(d.chunk.Index(x, y, z))
	}
}
