package surface

import (
	"math"

	"strata/anvil/block"
	"strata/pregen/worldgen/proto"
)

// reference runs a rule as it is written: block by block, each condition asked
// when it is come to, nothing known ahead. It shares the landforms, clay bands
// and numbers of a column with a Builder and none of its tests.
type reference struct {
	b        *Builder
	rule     *rule
	y        int
	stone    int32
	ceiling  int32
	water    int32
	biome    proto.Biome
	hasBiome bool
}

func newReference(s *System) *reference {
	return &reference{b: s.NewBuilder(), rule: s.settings.Rule.root}
}

func (r *reference) build(chunk *proto.Chunk, biomes Biomes, surface Preliminary) {
	r.b.Begin(chunk, biomes, surface)
	for x := range 16 {
		for z := range 16 {
			r.column(x, z)
		}
	}
}

func (r *reference) column(x, z int) {
	b := r.b
	s, chunk := b.system, b.chunk
	b.enter(x, z)
	height := chunk.HeightAt(proto.WorldSurface, x, z)
	y := height
	if s.settings.Noises.Legacy() {
		y = 0
	}
	biome := b.biomes.At(b.column.x, y, b.column.z)
	if s.special[biome] == badlandsPillar {
		b.raisePillar(height)
	}
	b.measure(b.noise(s.surface))
	r.stone, r.water = 0, noWater
	ceiling := math.MaxInt
	for y := chunk.HeightAt(proto.WorldSurface, x, z); y >= chunk.MinY; y-- {
		state := chunk.Block(x, y, z)
		switch {
		case state.Air():
			r.stone, r.water = 0, noWater
		case state.Fluid() != block.NoFluid:
			if r.water == noWater {
				r.water = int32(y) + 1
			}
		default:
			if ceiling >= y {
				ceiling = y
				for kindOf(chunk.Block(x, ceiling-1, z)) == isSolid {
					ceiling--
				}
			}
			r.stone++
			r.y, r.ceiling, r.hasBiome = y, int32(y-ceiling+1), false
			if state == s.settings.DefaultBlock {
				if state, ok := r.try(r.rule); ok {
					b.set(y, state)
				}
			}
		}
	}
	if s.special[biome] == iceberg {
		b.raiseIceberg(&s.settings.Biomes[biome], height)
	}
}

func (r *reference) try(rule *rule) (block.State, bool) {
	switch rule.kind {
	case ruleBlock:
		return rule.state, true
	case ruleBandlands:
		offset := r.sample("minecraft:clay_bands_offset", 0)
		return r.b.system.bands.at(r.y, offset), true
	case ruleCondition:
		if r.holds(rule.test) {
			return r.try(rule.then)
		}
		return 0, false
	}
	for _, inner := range rule.list {
		if state, ok := r.try(inner); ok {
			return state, true
		}
	}
	return 0, false
}

func (r *reference) sample(noise string, y int) float64 {
	n, err := r.b.system.settings.Noises.Named(noise)
	if err != nil {
		panic(err)
	}
	return n.At(float64(r.b.column.x), float64(y), float64(r.b.column.z))
}

func (r *reference) at() proto.Biome {
	if !r.hasBiome {
		r.biome, r.hasBiome = r.b.biomes.At(r.b.column.x, r.y, r.b.column.z), true
	}
	return r.biome
}

func (r *reference) holds(c *condition) bool {
	depth := r.b.column.depth
	added := int32(0)
	if c.addStone {
		added = r.stone
	}
	s := &r.b.system.settings
	switch c.kind {
	case conditionNot:
		return !r.holds(c.inner)
	case conditionBiome:
		for _, name := range c.biomes {
			if s.Biomes[r.at()].Name == name {
				return true
			}
		}
		return false
	case conditionNoise:
		y := 0
		if c.solid {
			y = r.y
		}
		v := r.sample(c.name, y)
		return c.low <= v && v <= c.high
	case conditionGradient:
		return r.gradient(c)
	case conditionAboveY:
		return int32(r.y)+added >= c.anchor.resolve(s.MinY, s.Height)+depth*c.multiplier
	case conditionWater:
		return r.water == noWater || int32(r.y)+added >= r.water+c.offset+depth*c.multiplier
	case conditionStoneDepth:
		return r.stoneDepth(c)
	case conditionTemperature:
		return s.Biomes[r.at()].ColdEnoughToSnow(r.b.column.x, r.y, r.b.column.z, s.SeaLevel)
	case conditionHole:
		return depth <= 0
	case conditionAboveSurface:
		return r.y >= r.b.minSurface()
	}
	return r.b.isSteep()
}

func (r *reference) gradient(c *condition) bool {
	s := &r.b.system.settings
	from, to := c.anchor.resolve(s.MinY, s.Height), c.anchorTo.resolve(s.MinY, s.Height)
	if r.y <= int(from) {
		return true
	}
	if r.y >= int(to) {
		return false
	}
	random := s.Noises.Factory().Hash(c.name).Positional().At(int32(r.b.column.x), int32(r.y), int32(r.b.column.z))
	share := float64(r.y-int(from)) / float64(to-from)
	return float64(random.Float()) < 1-share
}

func (r *reference) stoneDepth(c *condition) bool {
	reach := 1 + c.offset
	if c.addSurface {
		reach += r.b.column.depth
	}
	if c.secondary != 0 {
		v := r.sample("minecraft:surface_secondary", 0)
		reach += int32(float64(c.secondary) * ((v + 1) / 2))
	}
	if c.ceiling {
		return r.ceiling <= reach
	}
	return r.stone <= reach
}
