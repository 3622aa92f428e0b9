package surface

import (
	"math"

	"strata/anvil/block"
	"strata/pregen/worldgen/noise"
	"strata/pregen/worldgen/rng"
)

// landform is what code adds to the columns of some biomes.
type landform uint8

const (
	noLandform landform = iota
	badlandsPillar
	iceberg
)

func landformOf(biome string) landform {
	switch biome {
	case "minecraft:eroded_badlands":
		return badlandsPillar
	case "minecraft:frozen_ocean", "minecraft:deep_frozen_ocean":
		return iceberg
	}
	return noLandform
}

// pillarNoises are the noises of a landform: where it may be, how high it is
// and where it is cut off.
type pillarNoises struct {
	surface, pillar, roof *noise.Normal
}

// height returns how much of a pillar there is at a column, or 0 if it is not
// more than least.
func (n *pillarNoises) height(x, z int, scale, least float64) float64 {
	height := float64(n.pillar.At(float64(x)*scale, 0, float64(z)*scale) * 15)
	if !(height > least) {
		return 0
	}
	height = min(math.Abs(float64(n.surface.At(float64(x), 0, float64(z))*8.25)), height)
	if !(height > least) {
		return 0
	}
	return height
}

// cut returns where the roof noise cuts pillars off, before rounding.
func (n *pillarNoises) cut(x, z int, scale float64) float64 {
	return math.Abs(float64(n.roof.At(float64(x)*scale, 0, float64(z)*scale) * 1.5))
}

// raisePillar builds the pillar of eroded badlands on the column, whose height
// is given: default block from the pillar's top down to the ground. Where
// water lies on the ground there is none.
func (b *Builder) raisePillar(height int) {
	s, c := b.system, &b.column
	pillar := s.badlands.height(c.x, c.z, 0.2, 0)
	if pillar == 0 {
		return
	}
	top := 64 + min(float64(pillar*pillar)*2.5, math.Ceil(float64(s.badlands.cut(c.x, c.z, 0.75)*50))+24)
	start := int(math.Floor(top))
	if height > start {
		return
	}
	ground := s.settings.DefaultBlock.Block()
	for y := start; y >= b.chunk.MinY; y-- {
		state := b.chunk.Block(c.inX, y, c.inZ)
		if state.Block() == ground {
			break
		}
		if b.isWater(state) {
			return
		}
	}
	for y := start; y >= b.chunk.MinY && s.kinds[b.chunk.Block(c.inX, y, c.inZ)] == isAir; y-- {
		b.set(y, s.settings.DefaultBlock)
	}
}

// raiseIceberg builds the part of an iceberg that is in the column, whose
// height before the rules ran is given: packed ice in air and water, with snow
// on high ones.
func (b *Builder) raiseIceberg(biome *Biome, height int) {
	s, c := b.system, &b.column
	sea := s.settings.SeaLevel
	pillar := s.icebergs.height(c.x, c.z, 1.28, 1.8)
	if pillar == 0 {
		return
	}
	top := min(float64(pillar*pillar)*1.2, math.Ceil(float64(s.icebergs.cut(c.x, c.z, 1.17)*40))+14)
	if biome.TemperatureAt(c.x, sea, c.z, sea) > warmEnoughToMelt {
		top -= 2
	}
	bottom := 0.0
	if top > 2 {
		bottom = float64(sea) - top - 7
		top += float64(sea)
	} else {
		top = 0
	}
	random := b.randomAt(int32(c.x), 0, int32(c.z))
	snowLimit := 2 + random.IntN(4)
	snowStart := sea + 18 + int(random.IntN(10))
	snow := int32(0)
	highest, lowest := int(toInt(top)), int(toInt(bottom))
	for y := max(height, highest+1); y >= b.minSurface(); y-- {
		state := b.chunk.Block(c.inX, y, c.inZ)
		inAir := s.kinds[state] == isAir && y < highest && random.Double() > 0.01
		if !inAir && !(b.isWater(state) && y > lowest && y < sea && bottom != 0 && random.Double() > 0.15) {
			continue
		}
		if snow <= snowLimit && y > snowStart {
			b.set(y, b.snow)
			snow++
		} else {
			b.set(y, b.ice)
		}
	}
}

// randomAt returns the source of a position of the dimension. It is good until
// the next one.
func (b *Builder) randomAt(x, y, z int32) rng.Source {
	p := &b.system.random
	if p.isLegacy {
		b.legacy = p.legacy.ValueAt(x, y, z)
		return &b.legacy
	}
	b.xoroshiro = p.xoroshiro.ValueAt(x, y, z)
	return &b.xoroshiro
}

// isWater reports whether a state is one of water.
func (b *Builder) isWater(state block.State) bool { return uint16(state-b.water) < b.waters }

// landformStates are the states of landforms.
type landformStates struct {
	water, snow, ice block.State
	waters           uint16 // states of water from that on
}

func newLandformStates() landformStates {
	water, n := block.MustParse("water").Block().States()
	return landformStates{
		water:  water,
		waters: uint16(n),
		snow:   block.MustParse("snow_block"),
		ice:    block.MustParse("packed_ice"),
	}
}
