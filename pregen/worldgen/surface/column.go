package surface

import (
	"math"

	"strata/pregen/worldgen/proto"
)

// column is what a Builder knows of the column it is in. What is sampled is
// remembered until the next column.
type column struct {
	x, z     int // in the dimension
	inX, inZ int // in the chunk
	depth    int32
	// level is the minimum surface level, if hasLevel is set.
	level    int
	hasLevel bool
	steep    decided
	// values are samples of the noises where stamps are that of the column.
	values []float64
	stamps []uint32
	stamp  uint32
}

// place is the block that rules are asked about.
type place struct {
	y     int
	stone int32 // depth from above
	water int32 // y above the highest block of the water above, or noWater
	// solidTo is the lowest y below the block down to which all blocks are
	// known to be solid. If bottom is set, the block below it is not.
	solidTo int
	bottom  bool
	biome   proto.Biome // if hasBiome is set
	has     bool
	values  []float64 // samples of the noises where stamps are that of the place
	stamps  []uint32
	stamp   uint32
}

// noWater is the water height of a place with no water above.
const noWater int32 = -1 << 31

// enter moves to a column of the chunk.
func (b *Builder) enter(inX, inZ int) {
	c := &b.column
	c.x, c.z = int(b.chunk.X)<<4|inX, int(b.chunk.Z)<<4|inZ
	c.inX, c.inZ = inX, inZ
	c.hasLevel, c.steep = false, open
	if c.stamp++; c.stamp == 0 {
		clear(c.stamps)
		c.stamp = 1
	}
}

// measure sets the surface depth of the column from the surface noise.
func (b *Builder) measure(surface float64) {
	c, s := &b.column, b.system
	c.values[s.surface], c.stamps[s.surface] = surface, c.stamp
	jitter := s.random.double(int32(c.x), 0, int32(c.z))
	c.depth = toInt(float64(surface*2.75) + 3 + float64(jitter*0.25))
}

// noise samples a noise in the column at y 0.
func (b *Builder) noise(at int32) float64 {
	c := &b.column
	if c.stamps[at] != c.stamp {
		c.values[at], c.stamps[at] = b.system.noises[at].At(float64(c.x), 0, float64(c.z)), c.stamp
	}
	return c.values[at]
}

// solidNoise samples a noise at the place.
func (b *Builder) solidNoise(at int32) float64 {
	c, p := &b.column, &b.place
	if p.stamps[at] != p.stamp {
		p.values[at] = b.system.noises[at].At(float64(c.x), float64(p.y), float64(c.z))
		p.stamps[at] = p.stamp
	}
	return p.values[at]
}

// preliminary asks for the preliminary surface at the chunk's corners, once.
func (b *Builder) preliminary() *[4]int {
	if !b.hasCorners {
		x, z := int(b.chunk.X)<<4, int(b.chunk.Z)<<4
		b.corners = [4]int{
			b.surface.PreliminarySurface(x, z), b.surface.PreliminarySurface(x+16, z),
			b.surface.PreliminarySurface(x, z+16), b.surface.PreliminarySurface(x+16, z+16),
		}
		b.hasCorners = true
	}
	return &b.corners
}

// howFarBelow is how far the surface reaches below the preliminary one, less
// the surface depth.
const howFarBelow = 8

// minSurface returns the column's minimum surface level: the preliminary
// surface, interpolated between the chunk's corners and rounded down. The game
// interpolates in floating point, which is exact for such numbers.
func (b *Builder) minSurface() int {
	c := &b.column
	if !c.hasLevel {
		p := b.preliminary()
		north := p[0]*(16-c.inX) + p[1]*c.inX
		south := p[2]*(16-c.inX) + p[3]*c.inX
		c.level = (north*(16-c.inZ)+south*c.inZ)>>8 + int(c.depth) - howFarBelow
		c.hasLevel = true
	}
	return c.level
}

// secondary returns the secondary depth of the column.
func (b *Builder) secondary(limit int32) int32 {
	v := b.noise(b.system.secondary)
	return toInt((v + 1) / 2 * float64(limit))
}

// toInt converts as Java does: what is out of range becomes the nearest number
// that is in it.
func toInt(v float64) int32 {
	switch {
	case v != v:
		return 0
	case v >= math.MaxInt32:
		return math.MaxInt32
	case v <= math.MinInt32:
		return math.MinInt32
	}
	return int32(v)
}

// isSteep reports whether the ground falls by 4 blocks from west to east, or
// rises by 4 from north to south, between the columns beside this one. Those
// outside the chunk are not asked. The answer is kept for the column, for the
// rules may change heights.
func (b *Builder) isSteep() bool {
	c := &b.column
	if c.steep == open {
		at := func(x, z int) int { return b.chunk.HeightAt(proto.WorldSurface, x, z) }
		north, south := at(c.inX, max(c.inZ-1, 0)), at(c.inX, min(c.inZ+1, 15))
		west, east := at(max(c.inX-1, 0), c.inZ), at(min(c.inX+1, 15), c.inZ)
		c.steep = known(south >= north+4 || west >= east+4)
	}
	return c.steep == isTrue
}

// biome returns the biome of the place.
func (b *Builder) biome() proto.Biome {
	p := &b.place
	if !p.has {
		p.biome, p.has = b.biomes.At(b.column.x, p.y, b.column.z), true
	}
	return p.biome
}

// nearCeiling reports whether the place is within limit blocks of the bottom of
// its run of solid blocks, 1 being the lowest one. It looks no deeper than it
// must. The world's bottom ends a run.
func (b *Builder) nearCeiling(limit int32) bool {
	p := &b.place
	for !p.bottom && p.solidTo > p.y-int(limit) {
		if !b.solidAt(p.solidTo - 1) {
			p.bottom = true
			break
		}
		p.solidTo--
	}
	return p.bottom && p.y-p.solidTo+1 <= int(limit)
}

// solidAt reports whether a block of the column is solid.
func (b *Builder) solidAt(y int) bool {
	return b.system.kinds[b.chunk.Block(b.column.inX, y, b.column.inZ)] == isSolid
}
