package worldmap

import (
	"strata/anvil/block"
	"strata/anvil/chunk"
)

const (
	chunkSide  = 16
	regionSide = 32 * chunkSide
)

// noHeight is the height of a column without blocks, or that is not drawn.
const noHeight = -1 << 15

// column is what is seen of one column of blocks.
type column struct {
	color rgb   // of the ground
	water rgb   // of the water over it
	top   int16 // y of the highest block that is seen, noHeight if there is none
	floor int16 // y of the ground; top without water, noHeight if it has none
}

// noColumn is a column without blocks.
var noColumn = column{top: noHeight, floor: noHeight}

// stage is how far the search for a column's ground has come.
type stage uint8

const (
	inGround stage = iota // above the cut there is no air yet
	inAir
	inWater
	found
)

// surveyor finds the columns of chunks. One goroutine at a time may use it.
type surveyor struct {
	tables  *chunk.Tables
	palette palette
	looks   *[block.StateCount]look
	// maxY is the highest y that is drawn, if cut is set.
	maxY int
	cut  bool

	cells   [chunk.SectionCells]block.State
	columns [chunkSide * chunkSide]column
	stages  [chunkSide * chunkSide]stage
	open    int // columns that are not found
}

func newSurveyor(tables *chunk.Tables, maxY *int) *surveyor {
	s := &surveyor{tables: tables, palette: palette{biomes: tables.Biomes}, looks: looks()}
	if maxY != nil {
		s.maxY, s.cut = *maxY, true
	}
	return s
}

func (s *surveyor) look(state block.State) *look {
	if !state.Native() {
		state, _ = s.tables.States.Base(state)
	}
	return &s.looks[state]
}

// survey returns the columns of a chunk by z<<4 | x. They hold until the next
// one.
func (s *surveyor) survey(c *chunk.Chunk) *[chunkSide * chunkSide]column {
	low, high := c.SectionRange()
	first := inAir
	if s.cut && s.maxY < int(high)*chunkSide {
		first = inGround
	}
	for i := range s.columns {
		s.columns[i] = noColumn
		s.stages[i] = first
	}
	s.open = len(s.columns)
	for y := high - 1; y >= low && s.open > 0; y-- {
		top := chunkSide - 1
		if s.cut {
			if int(y)*chunkSide > s.maxY {
				continue
			}
			top = min(top, s.maxY-int(y)*chunkSide)
		}
		s.section(c, y, top)
	}
	return &s.columns
}

// section goes on in a section, from the layer top down.
func (s *surveyor) section(c *chunk.Chunk, y chunk.SectionY, top int) {
	state, uniform := c.UniformSection(y)
	if uniform && s.look(state).class == clearClass || !uniform && !c.HasBlocks(y) {
		for i, stage := range s.stages {
			if stage == inGround {
				s.stages[i] = inAir
			}
		}
		return
	}
	c.SectionBlocks(y, &s.cells)
	for i := range s.columns {
		if s.stages[i] != found {
			s.descend(c, i, int(y)*chunkSide, top)
		}
	}
}

// descend goes down a column within the section that begins at base.
func (s *surveyor) descend(c *chunk.Chunk, i, base, top int) {
	for layer := top; layer >= 0; layer-- {
		look := s.look(s.cells[layer<<8|i])
		y := base + layer
		if s.stages[i] == inGround {
			if look.class == solidClass {
				if s.columns[i].top == noHeight { // what is left if nothing is below
					s.ground(c, i, y, look)
				}
				continue
			}
			s.stages[i] = inAir
		}
		switch look.class {
		case clearClass: // air under water too: the ground is further down
		case waterClass:
			if s.stages[i] == inAir {
				s.stages[i] = inWater
				s.columns[i] = column{top: int16(y), floor: noHeight, water: s.tints(c, i, y)[waterTint]}
			}
		default:
			s.ground(c, i, y, look)
			s.stages[i] = found
			s.open--
			return
		}
	}
}

// ground notes the ground of a column.
func (s *surveyor) ground(c *chunk.Chunk, i, y int, look *look) {
	column := &s.columns[i]
	column.floor = int16(y)
	if s.stages[i] != inWater {
		column.top = int16(y)
	}
	column.color = look.color
	if look.tint != untinted {
		column.color = s.tints(c, i, y)[look.tint].scaled(int(look.brightness))
	}
}

// tints are those of the biome at a block.
func (s *surveyor) tints(c *chunk.Chunk, i, y int) *tints {
	biome, ok := c.Biome(i&15, y, i>>4)
	if !ok {
		return biomeTints()[defaultBiome]
	}
	return s.palette.of(biome)
}
