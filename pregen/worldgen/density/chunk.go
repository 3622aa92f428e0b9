package density

// Chunk evaluates a program in one chunk after another. It is a worker's
// scratch: it must not be used concurrently. No method but NewChunk allocates.
//
// Before the first Begin it is at no chunk; At, PreliminarySurface and Climate
// then give what the game computes outside of chunks.
type Chunk struct {
	program *Program
	points  *points
	grid    *flatGrid
	fields  []field

	x, z   int // of the chunk's first block
	cells  int // along x and z
	rows   int // of corners
	firstY int
	words  int       // of masks for rows
	values []float64 // what Density and its like return

	columns *lanes // at corners
	blocks  *lanes // at blocks of the cell at
	at      cellLanes

	surfaces *surfaceCache

	prepared bool     // classes are set
	classes  []Class  // of cells, y fastest, then x
	pending  []uint64 // cells without one, by column and word
	search   *cellSearch
}

// Class is what the densities of a cell have in common.
type Class uint8

// Classes of cells.
const (
	Mixed Class = iota // not known to be of one sign
	Open               // no density is above 0
	Solid              // all densities are above 0
)

// NewChunk returns scratch for chunks of the program.
func (p *Program) NewChunk() *Chunk {
	c := &Chunk{program: p, firstY: p.shape.FirstY()}
	cells, layers := p.shape.Cells()
	c.cells, c.rows = cells, layers+1
	c.words = (c.rows + 63) / 64
	c.grid = newFlatGrid(newPoints(p.graph, p.known.flat), p.caches, p.stays)
	c.points = newPoints(p.graph, p.known.flat)
	c.points.grid = c.grid
	c.points.block = c.interpolate
	c.fields = make([]field, len(p.fields))
	for i, source := range p.fields {
		c.fields[i] = newField(source, (cells+1)*(cells+1), c.rows)
	}
	c.values = make([]float64, p.shape.CellWidth*p.shape.CellWidth*p.shape.CellHeight)
	c.classes = make([]Class, cells*cells*layers)
	c.pending = make([]uint64, cells*cells*c.words)

	// Corners are at quarter positions, as the points of the grid are.
	c.columns = newLanes(p, c.grid.points, true, p.fields)
	blockPoints := newPoints(p.graph, p.known.flat)
	blockPoints.grid, blockPoints.block = c.grid, c.interpolate
	c.blocks = newLanes(p, blockPoints, false, []Node{
		p.router.FinalDensity, p.router.VeinToggle, p.router.VeinRidged,
	})
	c.blocks.place, c.blocks.blocks = c.placeBlocks, c.interpolateBlocks
	c.at = newCellLanes(p.shape, len(p.fields))
	c.search = newCellSearch(c)
	c.surfaces = new(surfaceCache)
	return c
}

// Program returns what the chunk evaluates.
func (c *Chunk) Program() *Program { return c.program }

// Begin moves to a chunk.
func (c *Chunk) Begin(chunkX, chunkZ int32) {
	c.x, c.z = int(chunkX)*16, int(chunkZ)*16
	c.grid.begin(int(chunkX), int(chunkZ))
	c.points.forget()
	c.blocks.points.forget()
	c.prepared = false
	for i := range c.fields {
		c.fields[i].forget()
	}
}

// SetBeard sets what nodes of type beardifier give, which only routers of data
// packs have: the game adds it to final_density by itself, and so must the
// caller of Density. It may be nil, for 0.
func (c *Chunk) SetBeard(beard func(x, y, z int) float64) {
	c.points.beard, c.blocks.points.beard, c.grid.points.beard = beard, beard, beard
}

// At evaluates a node of the loader's graph at a block, anywhere in the world,
// with nothing interpolated. In the chunk and the four blocks after it along x
// and z flat caches hold the value of their quarter position, as in the game.
func (c *Chunk) At(n Node, x, y, z int) float64 {
	return c.points.at(c.program.bare[n], x, y, z)
}

// AtBlock evaluates a node at a block of the chunk with what is interpolated
// in it, as ore veins and aquifers see their functions.
func (c *Chunk) AtBlock(n Node, x, y, z int) float64 {
	return c.points.at(c.program.block[n], x, y, z)
}

// Density returns final_density in a cell, without beards: for block x, y, z
// of the cell at [(y*CellWidth+z)*CellWidth+x]. cx and cz count the chunk's
// cells, cy those from FirstY up. The slice is good until the next call of
// Density, VeinToggle or VeinRidged.
func (c *Chunk) Density(cx, cy, cz int) []float64 {
	return c.cell(c.program.router.FinalDensity, cx, cy, cz)
}

// VeinToggle is Density for vein_toggle.
func (c *Chunk) VeinToggle(cx, cy, cz int) []float64 {
	return c.cell(c.program.router.VeinToggle, cx, cy, cz)
}

// VeinRidged is Density for vein_ridged.
func (c *Chunk) VeinRidged(cx, cy, cz int) []float64 {
	return c.cell(c.program.router.VeinRidged, cx, cy, cz)
}

// floorInt is the game's floor to a 32-bit integer.
func floorInt(v float64) int {
	switch {
	case v != v:
		return 0
	case v >= 1<<31-1:
		return 1<<31 - 1
	case v <= -1<<31:
		return -1 << 31
	}
	i := int(v)
	if v < float64(i) {
		i--
	}
	return i
}
