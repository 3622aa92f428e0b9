package surface

import "strata/anvil/block"

// follow asks the tests from a node on, about the place, and returns the end.
func (b *Builder) follow(at int32) *node {
	s := b.system
	for {
		n := &s.nodes[at]
		if n.op.ends() {
			return n
		}
		if b.holds(n.op, &s.tests[n.test]) {
			at = n.yes
		} else {
			at = n.no
		}
	}
}

// holds asks one test about the place. Sums wrap at 32 bits, as in Java.
func (b *Builder) holds(o op, t *test) bool {
	c, p := &b.column, &b.place
	switch o {
	case opFloor:
		return p.stone <= b.reach(t)
	case opCeiling:
		return b.nearCeiling(b.reach(t))
	case opWater:
		return p.water == noWater ||
			int32(p.y)+p.stone*t.addStone >= p.water+t.offset+c.depth*t.multiplier
	case opAboveY:
		return int32(p.y)+p.stone*t.addStone >= t.offset+c.depth*t.multiplier
	case opNoise:
		v := b.noise(t.ref)
		return v >= t.low && v <= t.high
	case opSolidNoise:
		v := b.solidNoise(t.ref)
		return v >= t.low && v <= t.high
	case opHole:
		return c.depth <= 0
	case opSteep:
		return b.isSteep()
	case opBiome:
		return b.system.sets[t.ref][b.biome()]
	case opTemperature:
		s := &b.system.settings
		return s.Biomes[b.biome()].ColdEnoughToSnow(c.x, p.y, c.z, s.SeaLevel)
	case opGradient:
		return b.system.gradients[t.ref].holds(c.x, p.y, c.z)
	}
	return p.y >= b.minSurface() // opAboveSurface
}

// reach returns the greatest stone depth at which a stone depth test holds.
func (b *Builder) reach(t *test) int32 {
	reach := t.offset + b.column.depth*t.multiplier
	if t.secondary != 0 {
		reach += b.secondary(t.secondary)
	}
	return reach
}

// holds draws whether the gradient holds at a block.
func (g *gradient) holds(x, y, z int) bool {
	switch {
	case y <= int(g.from):
		return true
	case y >= int(g.to):
		return false
	}
	share := (float64(y) - float64(g.from)) / (float64(g.to) - float64(g.from))
	return float64(g.random.float(int32(x), int32(y), int32(z))) < 1+float64(share*-1)
}

// result returns the state of an end, if it gives one.
func (b *Builder) result(end *node) (block.State, bool) {
	switch end.op {
	case opState:
		return end.state, true
	case opBandlands:
		return b.system.bands.at(b.place.y, b.noise(b.system.clay)), true
	}
	return 0, false
}
