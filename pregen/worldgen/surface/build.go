package surface

import (
	"math"

	"strata/pregen/worldgen/proto"
)

// Build runs the rules over a chunk that has the blocks and heights of the
// noise stage, keeps its heights and adds marks for the fluids it sets. The
// chunk's heights are those of the dimension, whose bottom ends the rules. See
// Begin for the arguments.
func (b *Builder) Build(chunk *proto.Chunk, biomes Biomes, surface Preliminary) {
	b.Begin(chunk, biomes, surface)
	b.divide()
	if !b.landforms && !b.system.above && b.flatTo == chunk.MinY+chunk.Height-1 {
		for i := range b.flatTop {
			b.flatTop[i] = b.flatTo
		}
		b.buildLayers()
		return
	}
	b.sample()
	for x := range 16 {
		for z := range 16 {
			b.enter(x, z)
			b.measure(b.surfaces[x<<4|z])
			b.buildColumn()
		}
	}
	b.buildLayers()
}

// sample samples the surface noise for all columns.
func (b *Builder) sample() {
	for i := range 256 {
		b.xs[i] = float64(int(b.chunk.X)<<4 | i>>4)
		b.zs[i] = float64(int(b.chunk.Z)<<4 | i&15)
	}
	b.system.noises[b.system.surface].Batch(b.xs[:], b.ys[:], b.zs[:], b.surfaces[:])
}

// buildColumn builds the landform of a column and runs the rules down it.
func (b *Builder) buildColumn() {
	c := &b.column
	height := b.chunk.HeightAt(proto.WorldSurface, c.inX, c.inZ)
	var biome proto.Biome
	form := noLandform
	if b.landforms {
		y := height
		if b.system.settings.Noises.Legacy() {
			y = 0
		}
		biome = b.biomes.At(c.x, y, c.z)
		form = b.system.special[biome]
	}
	top := height
	if form == badlandsPillar {
		b.raisePillar(height)
		top = b.chunk.HeightAt(proto.WorldSurface, c.inX, c.inZ)
	}
	flat := b.flatTo
	if b.system.above {
		flat = min(flat, b.minSurface()-1)
	}
	b.flatTop[c.inZ<<4|c.inX] = flat
	b.runRules(top, flat)
	if form == iceberg {
		b.raiseIceberg(&b.system.settings.Biomes[biome], height)
	}
}

// runRules asks the rules about the blocks from top down to above flat.
func (b *Builder) runRules(top, flat int) {
	c, p, s := &b.column, &b.place, b.system
	blocks, lowest := b.chunk.Blocks, b.chunk.MinY
	top = min(top, lowest+b.chunk.Height-1)
	flat = max(flat, lowest-1)
	if s.kinds[s.settings.DefaultBlock] != isSolid {
		return // what is not solid is never replaced
	}
	level := top + 1
	if s.above {
		level = b.minSurface()
	}
	p.water = noWater
	stone, at, change := int32(0), 0, top+1
	var v *spanVariant
	var reach int32 // the greatest stone depth at which a floor test of v may hold
	index := b.chunk.Index(c.inX, top, c.inZ)
	p.solidTo = math.MaxInt
	for y := top; y > flat; y, index = y-1, index-256 {
		state := blocks[index]
		if state != s.settings.DefaultBlock {
			switch s.kinds[state] {
			case isAir:
				stone, p.water = 0, noWater
			case isFluid:
				if p.water == noWater {
					p.water = int32(y) + 1
				}
			default:
				stone++
			}
			continue
		}
		if y < change {
			v, at, change = b.variantAt(at, y, level)
			reach = b.reachOf(v)
		}
		stone++
		root := v.root
		if stone > reach {
			root = v.deep
		}
		if root != nothing {
			p.stone = stone
			b.apply(v, stone > reach, y, index)
		}
	}
}

// variantAt returns the variant of the spans, from a place on, that a height is
// in, its place and the lowest height that it is good for.
func (b *Builder) variantAt(at, y, level int) (v *spanVariant, place, low int) {
	for y < b.spans[at].low {
		at++
	}
	span := &b.spans[at]
	if y >= level {
		return &span.variants[aboveSurface], at, max(span.low, level)
	}
	return &span.variants[below], at, span.low
}

// reachOf returns the greatest stone depth at which a floor test of a variant may
// hold in the column.
func (b *Builder) reachOf(v *spanVariant) int32 {
	reach := v.floor + min(max(b.column.depth, 0), farReach)*v.addSurface
	if v.secondary > 0 {
		// Tests of smaller ranges reach no deeper than the greatest, or than 0.
		reach += min(max(b.secondary(v.secondary), 0), farReach)
	}
	return reach
}

// apply runs a variant's rules on a block, the deep ones where no floor is near.
func (b *Builder) apply(v *spanVariant, deep bool, y, index int) {
	p := &b.place
	root, roots := v.root, b.system.plan.roots
	if deep {
		root, roots = v.deep, b.system.plan.deep
	}
	b.at(y)
	if p.solidTo > y {
		p.solidTo, p.bottom = y, false
	}
	if root == mixed {
		root = roots[int(v.first)+b.system.plan.class(b.biome())]
	}
	end := b.follow(root)
	switch {
	case end.op == opNothing:
	case end.op == opBandlands:
		state, _ := b.result(end)
		if b.system.plainBands {
			b.chunk.Blocks[index] = state
		} else {
			b.set(y, state)
		}
	case end.plain:
		b.chunk.Blocks[index] = end.state
	default:
		b.set(y, end.state)
	}
}
