package density

// gridSide is the side of a chunk's quarter grid, with the next chunk's first
// row.
const gridSide = 5

// flatGrid keeps flat caches at the quarter positions of one chunk. The game
// fills all of them at height 0; values are computed when they are first asked
// for here. Outside the chunk it has no grid, and computes at the block itself.
type flatGrid struct {
	points         *points // its own, at quarter positions
	sources        []Node  // the argument of each slot's cache
	filled         []uint32
	values         []float64 // of each slot and position
	firstX, firstZ int       // in quarters
	active         bool
}

func newFlatGrid(p *points, sources []Node) *flatGrid {
	g := &flatGrid{
		points: p, sources: sources,
		filled: make([]uint32, len(sources)), values: make([]float64, len(sources)*gridSide*gridSide),
	}
	p.grid = g
	return g
}

// begin moves the grid to a chunk.
func (g *flatGrid) begin(chunkX, chunkZ int) {
	g.firstX, g.firstZ, g.active = chunkX*4, chunkZ*4, true
	clear(g.filled)
	g.points.forget()
}

func (g *flatGrid) inside(x, z int) bool {
	return g.active && uint(x>>2-g.firstX) < gridSide && uint(z>>2-g.firstZ) < gridSide
}

// at returns the value of a cache at a block that is inside.
func (g *flatGrid) at(slot int32, x, z int) float64 {
	place := (z>>2-g.firstZ)*gridSide + x>>2 - g.firstX
	i := int(slot)*gridSide*gridSide + place
	if g.filled[slot]>>place&1 == 0 {
		y := g.points.y // of whoever is asking
		g.values[i] = g.points.at(g.sources[slot], x&^3, 0, z&^3)
		g.points.y = y
		g.filled[slot] |= 1 << place
	}
	return g.values[i]
}
