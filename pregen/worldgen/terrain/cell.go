package terrain

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/density"
)

// cell is a cell that is being filled: its index in the chunk, its lowest
// corner, x and z in the chunk, and its range of y in the dimension.
type cell struct {
	indexX, indexY, indexZ int
	x, y, z                int
	low, end               int
	veins                  bool
	densities              []float64 // nil where they need not be known
}

// fill fills a cell. Where the same blocks come out without a look at the
// densities in it, it takes none.
func (f *Filler) fill(c *cell) {
	c.low, c.end = max(c.y, f.chunk.MinY), min(c.y+f.shape.CellHeight, f.chunk.MinY+f.chunk.Height)
	class := f.values.Class(c.indexX, c.indexY, c.indexZ)
	bearded := f.beard != nil && f.beard.Touches(f.box(c))
	switch {
	case bearded:
		f.takeDensities(c)
		f.addBeard(c)
	case class == density.Solid:
		f.solid(c)
		return
	case class == density.Mixed:
		f.takeDensities(c)
	}
	f.open(c)
}

// box has the blocks of a cell.
func (f *Filler) box(c *cell) Box {
	x, y, z := f.chunk.X*16+int32(c.x), int32(c.y), f.chunk.Z*16+int32(c.z)
	width, height := int32(f.shape.CellWidth), int32(f.shape.CellHeight)
	return Box{x, y, z, x + width - 1, y + height - 1, z + width - 1}
}

// takeDensities takes the densities of a cell that may have ground.
func (f *Filler) takeDensities(c *cell) {
	c.veins = f.hasVeins(c)
	c.densities = f.values.Density(c.indexX, c.indexY, c.indexZ)
}

// addBeard adds what the pieces of structures do to the densities.
func (f *Filler) addBeard(c *cell) {
	width := f.shape.CellWidth
	var column [4 * maxSize]float64
	sums := column[:f.shape.CellHeight]
	firstX, firstZ := int(f.chunk.X)*16+c.x, int(f.chunk.Z)*16+c.z
	for z := range width {
		for x := range width {
			f.beard.Column(firstX+x, c.y, firstZ+z, sums)
			for y, sum := range sums {
				i := (y*width+z)*width + x
				f.bearded[i] = c.densities[i] + sum
			}
		}
	}
	c.densities = f.bearded
}

// open fills a cell that is not known to be solid.
func (f *Filler) open(c *cell) {
	top := c.end
	for top > c.low {
		y := top - 1
		if !f.aquifer.enabled || f.aquifer.plain(int32(y)) {
			f.plainLayer(c, y)
			top = y
			continue
		}
		top = f.watery(c, top)
	}
	f.flushMarks(c)
}

// plainLayer fills a layer of a cell where ground and what the sea leaves are
// told apart by the density alone.
func (f *Filler) plainLayer(c *cell, y int) {
	state := f.aquifer.sea.at(int32(y))
	if c.densities == nil {
		if state != 0 {
			f.layer(c, y, state)
		}
		return
	}
	width := f.shape.CellWidth
	for inZ := range width {
		z := c.z + inZ
		first := z<<4 | c.x
		row := f.chunk.Blocks[f.chunk.Index(c.x, y, z):][:width]
		densities := c.densities[((y-c.y)*width+inZ)*width:][:width]
		for i, value := range densities {
			at := state
			if value > 0 {
				at = f.groundAt(c, c.x+i, y, z)
			}
			if at != 0 {
				row[i] = at
				f.raise(first+i, y, at)
			}
		}
	}
}

// solid fills a cell with ground and the veins in it.
func (f *Filler) solid(c *cell) {
	c.veins = f.hasVeins(c)
	width := f.shape.CellWidth
	for y := c.end - 1; y >= c.low; y-- {
		if !c.veins {
			f.layer(c, y, f.ground)
			continue
		}
		for z := c.z; z < c.z+width; z++ {
			for x := c.x; x < c.x+width; x++ {
				f.put(x, y, z, f.groundAt(c, x, y, z))
			}
		}
	}
}

// layer fills one layer of a cell.
func (f *Filler) layer(c *cell, y int, state block.State) {
	width := f.shape.CellWidth
	surface, floor := state.WorldSurface(), state.OceanFloor()
	unset := int16(f.chunk.MinY)
	for z := c.z; z < c.z+width; z++ {
		row := f.chunk.Blocks[f.chunk.Index(c.x, y, z):][:width]
		for i := range row {
			row[i] = state
		}
		first := z<<4 | c.x
		for column := first; column < first+width; column++ {
			if surface && f.surfaces[column] == unset {
				f.surfaces[column] = int16(y + 1)
			}
			if floor && f.floors[column] == unset {
				f.floors[column] = int16(y + 1)
			}
		}
	}
}

// put writes a block below those of its column that were written before.
func (f *Filler) put(x, y, z int, state block.State) {
	if state == 0 {
		return
	}
	f.chunk.Blocks[f.chunk.Index(x, y, z)] = state
	f.raise(z<<4|x, y, state)
}

// raise sets the heights of a column to a block if they are not set.
func (f *Filler) raise(column, y int, state block.State) {
	unset := int16(f.chunk.MinY)
	if f.floors[column] != unset && f.surfaces[column] != unset {
		return
	}
	if f.surfaces[column] == unset && state.WorldSurface() {
		f.surfaces[column] = int16(y + 1)
	}
	if f.floors[column] == unset && state.OceanFloor() {
		f.floors[column] = int16(y + 1)
	}
}

// hasVeins reports whether a cell may have blocks of veins, and if so takes the
// values of vein_toggle in it.
func (f *Filler) hasVeins(c *cell) bool {
	if f.veins == nil || c.y > highestVein || c.y+f.shape.CellHeight <= lowestVein {
		return false
	}
	low, high := f.values.VeinToggleRange(c.indexX, c.indexY, c.indexZ)
	// Copper needs a toggle above 0 and iron one below, each at its heights.
	copper := high >= veinThreshold && c.y+f.shape.CellHeight > int(copperVein.minY)
	iron := low <= -veinThreshold && c.y <= int(ironVein.maxY)
	if !copper && !iron {
		return false
	}
	copy(f.toggles, f.values.VeinToggle(c.indexX, c.indexY, c.indexZ))
	return true
}

// groundAt is the ground at a block of a cell. x and z are in the chunk.
func (f *Filler) groundAt(c *cell, x, y, z int) block.State {
	if !c.veins {
		return f.ground
	}
	width := f.shape.CellWidth
	toggle := f.toggles[((y-c.y)*width+z-c.z)*width+x-c.x]
	state, found := f.veins.At(int(f.chunk.X)*16+x, y, int(f.chunk.Z)*16+z, toggle, f.values)
	if !found {
		return f.ground
	}
	return state
}
