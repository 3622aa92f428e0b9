package terrain

import (
	"math"
	"math/bits"

	"strata/anvil/block"
)

// watery fills the layers of a cell below top that are near to the same layers
// of the aquifer's cells, down to the returned y. All of them are below the
// reach of the sea.
func (f *Filler) watery(c *cell, top int) int {
	y := int32(top - 1)
	bottom := max(int32(c.low), floorDiv(y+offsetY, cellY)*cellY-offsetY)
	for low := y; low > bottom; low-- {
		if f.aquifer.plain(low - 1) {
			bottom = low
			break
		}
	}
	firstX, firstZ := f.chunk.X*16, f.chunk.Z*16
	endX, endZ := firstX+int32(c.x+f.shape.CellWidth), firstZ+int32(c.z+f.shape.CellWidth)
	for x := firstX + int32(c.x); x < endX; {
		nextX := extent(x, endX, offsetX, cellX)
		for z := firstZ + int32(c.z); z < endZ; {
			nextZ := extent(z, endZ, offsetZ, cellZ)
			f.part(c, &Box{x, bottom, z, nextX - 1, y, nextZ - 1})
			z = nextZ
		}
		x = nextX
	}
	return int(bottom)
}

// part fills a part of a cell that is near to the same cells of the aquifer.
func (f *Filler) part(c *cell, box *Box) {
	r := &f.vicinity
	f.aquifer.gather(r, box)
	width := f.shape.CellWidth
	firstX, firstZ := int(f.chunk.X)*16, int(f.chunk.Z)*16
	// Lava below a block marks it, whatever is around.
	uniform := r.uniform && (f.aquifer.sea.lavaBelow < box.MinY || f.aquifer.sea.lavaBelow > box.MaxY)
	if !uniform && c.densities == nil {
		f.takeDensities(c)
	}
	for z := int(box.MinZ) - firstZ; z <= int(box.MaxZ)-firstZ; z++ {
		for x := int(box.MinX) - firstX; x <= int(box.MaxX)-firstX; x++ {
			f.column.known = false
			for y := int(box.MaxY); y >= int(box.MinY); y-- {
				value := math.Inf(-1)
				if c.densities != nil {
					value = c.densities[((y-c.y)*width+z-c.z)*width+x-c.x]
				}
				switch {
				case value > 0:
					f.put(x, y, z, f.groundAt(c, x, y, z))
				case uniform:
					f.put(x, y, z, r.fluid.at(int32(y)))
				default:
					f.put(x, y, z, f.decide(c, x, y, z, value))
				}
			}
		}
	}
}

// decide is the block at an open place of a cell, by its nearest centres.
func (f *Filler) decide(c *cell, x, y, z int, value float64) block.State {
	blockX, blockY, blockZ := f.chunk.X*16+int32(x), int32(y), f.chunk.Z*16+int32(z)
	if !f.column.known {
		f.column.set(&f.vicinity, blockX, blockZ)
	}
	keys := f.vicinity.nearest(&f.column, blockY)
	if alone(&keys) {
		return f.vicinity.tied[keys[0]&(1<<tieBits-1)].fluid.at(blockY)
	}
	near := f.vicinity.named(&keys)
	state, solid, mark := f.aquifer.decide(&near, blockX, blockY, blockZ, value)
	if solid {
		return f.groundAt(c, x, y, z)
	}
	if mark && state.Fluid() != block.NoFluid {
		width, height := f.shape.CellWidth, f.shape.CellHeight
		at := ((c.y+height-1-y)*width+x-c.x)*width + z - c.z
		f.marks[at>>6] |= 1 << (at & 63)
		f.marked = true
	}
	return state
}

// flushMarks adds the marks of a cell to those of the chunk, in the order in
// which the game goes through the cell: down, then by x, then by z.
func (f *Filler) flushMarks(c *cell) {
	if !f.marked {
		return
	}
	f.marked = false
	width, height := f.shape.CellWidth, f.shape.CellHeight
	for i, word := range f.marks {
		f.marks[i] = 0
		for ; word != 0; word &= word - 1 {
			at := i<<6 | bits.TrailingZeros64(word)
			x, z, y := at/width%width, at%width, height-1-at/(width*width)
			f.chunk.Mark(f.chunk.Index(c.x+x, c.y+y, c.z+z))
		}
	}
}
