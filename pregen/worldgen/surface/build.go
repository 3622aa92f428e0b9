package surface

import "strata/pregen/worldgen/proto"

// Build runs the rules over a chunk that has the blocks and heights of the
// noise stage, keeps its heights and adds marks for the fluids it sets. The
// chunk's heights are those of the dimension, whose bottom ends the rules. See
// Begin for the arguments.
func (b *Builder) Build(chunk *proto.Chunk, biomes Biomes, surface Preliminary) {
	b.Begin(chunk, biomes, surface)
	b.divide()
	b.sample()
	landforms := b.system.landform && b.anyLandform()
	for x := range 16 {
		for z := range 16 {
			b.enter(x, z)
			b.measure(b.surfaces[x<<4|z])
			b.buildColumn(landforms)
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

// anyLandform reports whether a column of the chunk may have a landform.
func (b *Builder) anyLandform() bool {
	if _, ok := b.biomes.(Palette); !ok {
		return true
	}
	for _, biome := range b.present {
		if b.system.special[biome] != noLandform {
			return true
		}
	}
	return false
}

// buildColumn builds the landform of a column and runs the rules down it.
func (b *Builder) buildColumn(landforms bool) {
	c := &b.column
	height := b.chunk.HeightAt(proto.WorldSurface, c.inX, c.inZ)
	var biome proto.Biome
	form := noLandform
	if landforms {
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
	chunk := b.chunk
	lowest := chunk.MinY
	top = min(top, lowest+chunk.Height-1)
	standard := s.settings.DefaultBlock
	p.stone, p.water = 0, noWater
	p.solidTo, p.bottom = top, false
	level := top + 1
	if s.above {
		level = b.minSurface()
	}
	at := 0
	index := chunk.Index(c.inX, top, c.inZ)
	for y := top; y >= lowest && y > flat; y, index = y-1, index-256 {
		state := chunk.Blocks[index]
		switch s.kinds[state] {
		case isAir:
			p.stone, p.water = 0, noWater
			p.solidTo, p.bottom = y, false
			continue
		case isFluid:
			if p.water == noWater {
				p.water = int32(y) + 1
			}
			continue
		}
		p.stone++
		if p.solidTo > y {
			p.solidTo, p.bottom = y, false
		}
		if state != standard {
			continue
		}
		for y < b.spans[at].low {
			at++
		}
		variant := &b.spans[at].variants[below]
		if y >= level {
			variant = &b.spans[at].variants[aboveSurface]
		}
		b.apply(variant, y, index)
	}
}

// apply runs a variant's rules on a block.
func (b *Builder) apply(v *spanVariant, y, index int) {
	p := &b.place
	root, roots := v.root, b.system.plan.roots
	if p.stone > v.floor+max(b.column.depth, 0)*v.addSurface {
		root, roots = v.deep, b.system.plan.deep
	}
	if root == nothing {
		return
	}
	b.at(y)
	if root == mixed {
		root = roots[int(v.first)+b.system.plan.class(b.biome())]
	}
	end := b.follow(root)
	if end.op == opNothing {
		return
	}
	state := end.state
	if end.op == opBandlands {
		state, _ = b.result(end)
	} else if end.plain {
		b.chunk.Blocks[index] = state
		return
	}
	b.set(y, state)
}
