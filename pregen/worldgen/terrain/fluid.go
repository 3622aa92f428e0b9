package terrain

import "strata/anvil/block"

// The heights of fluids that are the game's own, whatever the settings say.
const (
	lavaLevel = -54          // lava fills what is open below
	noFluid   = 16 * lowestY // the level where there is no fluid
	lavaFrom  = -10          // levels from here down may be of lava
)

var (
	lava  = block.MustParse("minecraft:lava")
	water = block.MustParse("minecraft:water")

	lavaBlock, waterBlock = lava.Block(), water.Block()
)

// fluid is a fluid that stands up to a level.
type fluid struct {
	level int32 // the first y above it
	state block.State
}

// at is what the fluid leaves in an open block: itself or air.
func (f fluid) at(y int32) block.State {
	if y < f.level {
		return f.state
	}
	return 0
}

// sea is the fluid of a dimension where no aquifer has its own.
type sea struct {
	fluid
	lavaBelow int32
}

func newSea(s *Settings) sea {
	level := int32(s.SeaLevel)
	return sea{fluid{level, s.DefaultFluid}, min(lavaLevel, level)}
}

// of is the fluid at a height.
func (s *sea) of(y int32) fluid {
	if y < s.lavaBelow {
		return fluid{lavaLevel, lava}
	}
	return s.fluid
}

// at is what stands in an open block at a height.
func (s *sea) at(y int32) block.State { return s.of(y).at(y) }
