package surface

import "strata/anvil/block"

// follow asks the tests from a node on, about the place, and returns the end.
// Sums wrap at 32 bits, as in Java.
func (b *Builder) follow(at int32) *node {
	s, c, p := b.system, &b.column, &b.place
	for {
		n := &s.nodes[at]
		if n.op.ends() {
			return n
		}
		t := &s.tests[n.test]
		holds := false
		switch n.op {
		case opFloor:
			holds = p.stone <= b.reach(t)
		case opCeiling:
			holds = b.nearCeiling(b.reach(t))
		case opWater:
			holds = p.water == noWater ||
				int32(p.y)+p.stone*t.addStone >= p.water+t.offset+c.depth*t.multiplier
		case opAboveY:
			holds = int32(p.y)+p.stone*t.addStone >= t.offset+c.depth*t.multiplier
		case opNoise:
			v := b.noise(t.ref)
			holds = v >= t.low && v <= t.high
		case opSolidNoise:
			v := b.solidNoise(t.ref)
			holds = v >= t.low && v <= t.high
		case opHole:
			holds = c.depth <= 0
		case opSteep:
			holds = b.isSteep()
		case opBiome:
			holds = s.sets[t.ref][b.biome()]
		case opTemperature:
			holds = b.coldEnoughToSnow()
		case opGradient:
			holds = s.gradients[t.ref].holds(c.x, p.y, c.z)
		case opAboveSurface:
			holds = p.y >= b.minSurface()
		}
		at = n.no
		if holds {
			at = n.yes
		}
	}
}

// coldEnoughToSnow asks the place's biome.
func (b *Builder) coldEnoughToSnow() bool {
	s := &b.system.settings
	return s.Biomes[b.biome()].ColdEnoughToSnow(b.column.x, b.place.y, b.column.z, s.SeaLevel)
}

// reach returns the greatest stone depth at which a stone depth test holds.
func (b *Builder) reach(t *test) int32 {
	reach := t.offset + b.column.depth*t.multiplier
	if t.secondary != 0 {
		reach += b.secondary(t.secondary)
	}
	return reach
}

// chance is how likely the gradient holds at a height: above 1 where it must,
// 0 where it can not.
func (g *gradient) chance(y int) float64 {
	switch {
	case y <= int(g.from):
		return 2
	case y >= int(g.to):
		return 0
	}
	share := (float64(y) - float64(g.from)) / (float64(g.to) - float64(g.from))
	return 1 + float64(share*-1)
}

// holds draws whether the gradient holds at a block.
func (g *gradient) holds(x, y, z int) bool {
	return float64(g.random.float(int32(x), int32(y), int32(z))) < g.chance(y)
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
