package density

// gridSide is the side of a chunk's quarter grid, with the next chunk's first
// row.
const gridSide = 5

// flatGrid keeps the values of flat caches. The game fills them all at the
// quarter positions of a chunk, at height 0, when it begins; here each is
// computed when it is first asked for. Outside of its chunk the game computes
// at the block itself.
//
// What stays the same outside (see staysOutside) is kept by quarter position
// and longer than a chunk, since chunks share positions with those around them,
// and preliminary surfaces are asked for at many.
type flatGrid struct {
	points         *points // its own, at quarter positions
	sources        []Node  // the argument of each slot's cache
	stays          []bool  // of each slot
	firstX, firstZ int     // of the chunk, in quarters
	active         bool    // there is a chunk

	filled []uint32 // of slots that do not stay: a bit for each position
	values []float64

	quarters []quarter // by the low bits of the position
	kept     []float64 // by quarter and slot
}

// quarter says for which position values are kept, and of which slots.
type quarter struct {
	x, z   int32
	filled []uint64
}

// keptSide is the side of the square of quarter positions without collisions.
const keptSide = 64

func newFlatGrid(p *points, sources []Node, stays []bool) *flatGrid {
	slots, words := len(sources), (len(sources)+63)/64
	g := &flatGrid{
		points: p, sources: sources, stays: stays,
		filled: make([]uint32, slots), values: make([]float64, slots*gridSide*gridSide),
		quarters: make([]quarter, keptSide*keptSide), kept: make([]float64, keptSide*keptSide*slots),
	}
	masks := make([]uint64, len(g.quarters)*words)
	for i := range g.quarters {
		g.quarters[i].filled = masks[i*words : (i+1)*words]
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

// at returns the value of a cache at a block, and whether it is cached there.
func (g *flatGrid) at(slot int32, x, z int) (float64, bool) {
	inside := g.active && uint(x>>2-g.firstX) < gridSide && uint(z>>2-g.firstZ) < gridSide
	switch {
	case g.stays[slot] && (inside || (x|z)&3 == 0):
		return g.keep(slot, x, z), true
	case !inside:
		return 0, false
	}
	place := (z>>2-g.firstZ)*gridSide + x>>2 - g.firstX
	i := int(slot)*gridSide*gridSide + place
	if g.filled[slot]>>place&1 == 0 {
		g.values[i] = g.compute(slot, x, z)
		g.filled[slot] |= 1 << place
	}
	return g.values[i], true
}

// keep returns a value that stays.
func (g *flatGrid) keep(slot int32, x, z int) float64 {
	qx, qz := x>>2, z>>2
	place := qz&(keptSide-1)*keptSide + qx&(keptSide-1)
	q := &g.quarters[place]
	if q.x != int32(qx) || q.z != int32(qz) {
		q.x, q.z = int32(qx), int32(qz)
		clear(q.filled)
	}
	i := place*len(g.sources) + int(slot)
	if q.filled[slot>>6]>>(slot&63)&1 == 0 {
		g.kept[i] = g.compute(slot, x, z)
		q.filled[slot>>6] |= 1 << (slot & 63)
	}
	return g.kept[i]
}

func (g *flatGrid) compute(slot int32, x, z int) float64 {
	y := g.points.y // of whoever is asking
	v := g.points.at(g.sources[slot], x&^3, 0, z&^3)
	g.points.y = y
	return v
}
