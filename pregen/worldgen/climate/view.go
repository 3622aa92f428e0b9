package climate

import (
	"slices"

	"strata/pregen/worldgen/proto"
)

// across is how many cells a View has along x and z: the chunk's four and one
// on each side.
const across = 6

// View is the biomes of the blocks of one chunk, which depend on the cells of
// the chunk and on those around it.
type View struct {
	zoom         Zoom
	minY         int
	rows         int // of cells
	baseX, baseZ int // of the lowest cells
	cells        []proto.Biome
	// bricks are the cubes between eight cells, which decide about the 64
	// blocks inside. There is one row below and one above those between rows.
	bricks []brick
	shifts []shift // of cells, with a row below and one above
	known  []bool  // which shifts are
}

// brick says what is known of a cube between cells.
type brick uint8

const (
	untouched brick = iota
	uniform         // all eight cells have one biome
	various         // they have not, and all their shifts are known
)

// NewView returns a view for chunks of a dimension of that height.
func NewView(minY, height int) *View {
	rows := height >> 2
	return &View{
		minY: minY, rows: rows,
		cells:  make([]proto.Biome, across*across*rows),
		bricks: make([]brick, (across-1)*(across-1)*(rows+1)),
		shifts: make([]shift, across*across*(rows+2)),
		known:  make([]bool, across*across*(rows+2)),
	}
}

// Reset moves the view to a chunk. All biomes are number 0 until they are
// loaded.
func (v *View) Reset(zoom Zoom, chunkX, chunkZ int32) {
	v.zoom = zoom
	v.baseX, v.baseZ = int(chunkX)*4-1, int(chunkZ)*4-1
	clear(v.cells)
	clear(v.bricks)
	clear(v.known)
}

// Load takes those biomes of a chunk that are in the view, which are some of the
// chunk's own nine neighbours, itself among them. The chunk must have the height
// of the view. All are to be loaded before the first At.
func (v *View) Load(c *proto.Chunk) {
	for column := range 16 {
		x, z := int(c.X)*4+column&3-v.baseX, int(c.Z)*4+column>>2-v.baseZ
		if uint(x) >= across || uint(z) >= across {
			continue
		}
		to := z*across + x
		for from := column; from < len(c.Biomes); from += 16 {
			v.cells[to] = c.Biomes[from]
			to += across * across
		}
	}
}

// At returns the biome of a block, at coordinates of the world. x and z must be
// in the chunk; above and below the dimension it is the biome at its end.
func (v *View) At(blockX, blockY, blockZ int) proto.Biome {
	x, z := blockX-2-v.baseX*4, blockZ-2-v.baseZ*4
	y := blockY - 2 - v.minY + 4 // from the row below the lowest
	cellX, cellY, cellZ := x>>2, y>>2, z>>2
	if uint(cellY) > uint(v.rows) {
		return v.beyond(blockX, blockY, blockZ)
	}
	at := (cellY*(across-1)+cellZ)*(across-1) + cellX
	if v.bricks[at] == untouched {
		v.bricks[at] = v.touch(cellX, cellY, cellZ)
	}
	if v.bricks[at] == uniform {
		return v.cell(cellX, cellY, cellZ, 0)
	}
	var moved [8]shift
	for i := range moved {
		moved[i] = v.shifts[shiftAt(cellX, cellY, cellZ, i)]
	}
	return v.cell(cellX, cellY, cellZ, nearestCorner(&moved, x&3, y&3, z&3))
}

// Present appends the biomes that At can give for blocks of the chunk with y from
// low to high, both included. It appends none that are in the list already, and
// may append some that no block has after all.
func (v *View) Present(low, high int, list []proto.Biome) []proto.Biome {
	first := min(max((low-2-v.minY)>>2, 0), v.rows-1)
	last := min(max((high-2-v.minY)>>2+1, 0), v.rows-1)
	for i := first * across * across; i < (last+1)*across*across; i++ {
		biome := v.cells[i]
		if i > first*across*across && biome == v.cells[i-1] {
			continue
		}
		if !slices.Contains(list, biome) {
			list = append(list, biome)
		}
	}
	return list
}

// cell is the biome of a corner of a brick.
func (v *View) cell(x, y, z, corner int) proto.Biome {
	y = min(max(y-1+corner>>1&1, 0), v.rows-1)
	return v.cells[(y*across+z+corner&1)*across+x+corner>>2]
}

// shiftAt is the place of a corner of a brick in shifts.
func shiftAt(x, y, z, corner int) int {
	return ((y+corner>>1&1)*across+z+corner&1)*across + x + corner>>2
}

// touch finds out about a brick.
func (v *View) touch(x, y, z int) brick {
	first, same := v.cell(x, y, z, 0), true
	for i := 1; i < 8; i++ {
		same = same && v.cell(x, y, z, i) == first
	}
	if same {
		return uniform
	}
	for i := range 8 {
		at := shiftAt(x, y, z, i)
		if !v.known[at] {
			v.known[at] = true
			v.shifts[at] = v.zoom.shift(v.baseX+x+i>>2, v.minY>>2-1+y+i>>1&1, v.baseZ+z+i&1)
		}
	}
	return various
}

// beyond is the biome of a block so far above or below the dimension that
// nothing is remembered about it.
func (v *View) beyond(blockX, blockY, blockZ int) proto.Biome {
	qx, qy, qz := v.zoom.Cell(blockX, blockY, blockZ)
	row := min(max(qy-v.minY>>2, 0), v.rows-1)
	return v.cells[(row*across+qz-v.baseZ)*across+qx-v.baseX]
}
