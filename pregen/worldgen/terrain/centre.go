package terrain

import "strata/anvil/block"

// The cells of an aquifer, and how far the centre of one lies from its lowest
// corner at most.
const (
	cellX, cellY, cellZ       = 16, 12, 16
	jitterX, jitterY, jitterZ = 10, 9, 10
)

// centre is the centre of a cell: the point that a block's distance is taken
// to, and the fluid around it.
type centre struct {
	x, y, z int32
	placed  bool
	filled  bool
	fluid   fluid
}

// place draws the centre of a cell.
func (c *centre) place(f *factory, x, y, z int32) {
	source := f.at(x, y, z)
	c.x = x*cellX + source.intN(jitterX)
	c.y = y*cellY + source.intN(jitterY)
	c.z = z*cellZ + source.intN(jitterZ)
	c.placed, c.filled = true, false
}

// surroundings are the places, in chunks from a centre, where the surface
// decides about its fluid, in the order in which they are asked.
var surroundings = [13][2]int32{
	{0, 0}, {-2, -1}, {-1, -1}, {0, -1}, {1, -1}, {-3, 0}, {-2, 0}, {-1, 0}, {1, 0}, {-2, 1}, {-1, 1}, {0, 1}, {1, 1},
}

// surfaceMargin is added to the preliminary surface, which lies below the real
// one.
const surfaceMargin = 8

// fluidOf decides which fluid stands around a centre, and up to where.
func (a *Aquifer) fluidOf(x, y, z int32) fluid {
	outside := a.sea.of(y)
	lowest := int32(1<<31 - 1)
	flooded := false // the sea covers the ground above the centre
	for i, step := range surroundings {
		atX, atZ := x+16*step[0], z+16*step[1]
		surface := a.surface(atX, atZ)
		top := surface + surfaceMargin
		if i == 0 && y-cellY > top {
			return outside
		}
		reaches := y+cellY > top
		if reaches || i == 0 {
			if above := a.sea.of(top); !above.at(top).Air() {
				if reaches {
					return above
				}
				flooded = true
			}
		}
		lowest = min(lowest, surface)
	}
	level := a.levelOf(x, y, z, outside, lowest, flooded)
	return fluid{level, a.kindOf(x, y, z, outside, level)}
}

// Erosion and depth of the deep dark, which has no aquifers. The game has them
// in single precision.
const (
	deepDarkErosion = float64(float32(-0.225))
	deepDarkDepth   = float64(float32(0.9))
)

// levelOf is the level of the fluid of a centre that lies below the surface.
func (a *Aquifer) levelOf(x, y, z int32, outside fluid, lowest int32, flooded bool) int32 {
	at := func(f Function) float64 { return a.router.Value(f, int(x), int(y), int(z)) }
	if at(Erosion) < deepDarkErosion && at(Depth) > deepDarkDepth {
		return noFluid
	}
	closeness := 0.0
	if flooded {
		closeness = clampRange(float64(lowest+surfaceMargin-y), 0, 64, 1, 0)
	}
	floodedness := max(-1, min(1, at(Floodedness)))
	switch {
	case floodedness > mapRange(closeness, 1, 0, -0.3, 0.8):
		return outside.level
	case floodedness > mapRange(closeness, 1, 0, -0.8, 0.4):
		return min(lowest, a.spreadLevel(x, y, z))
	}
	return noFluid
}

// spreadLevel is the level that fluids have in a part of 16 by 40 by 16 blocks.
func (a *Aquifer) spreadLevel(x, y, z int32) int32 {
	partY := floorDiv(y, 40)
	spread := a.router.Value(Spread, int(x>>4), int(partY), int(z>>4)) * 10
	return partY*40 + 20 + 3*floorInt(spread/3)
}

// kindOf is the state of a centre's fluid: that of the sea, or lava.
func (a *Aquifer) kindOf(x, y, z int32, outside fluid, level int32) block.State {
	if level > lavaFrom || level == noFluid || outside.state == lava {
		return outside.state
	}
	noise := a.router.Value(Lava, int(x>>6), int(floorDiv(y, 40)), int(z>>6))
	if noise > 0.3 || noise < -0.3 {
		return lava
	}
	return outside.state
}
