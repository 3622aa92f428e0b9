package noise

// columnTask is where an octave samples a column and what it is worth.
type columnTask struct {
	x, z             float64 // wrapped, before the octave's offset
	scale, frequency float64 // a row's height is multiplied by both in turn
	amplitude        float64
	weight           float64
}

// corner is one corner of a cell as a column sees it: x and z products of the
// gradient are the same in all rows of the cell.
type corner struct{ x, y, z float64 }

// at is dot with the products by x and z done.
func (c *corner) at(y float64) float64 { return c.x + float64(c.y*y) + c.z }

// lattice is what rows of a column share: the place in x and z, and the
// corners of the cell that the last row was in.
type lattice struct {
	noise          *Improved
	x0, x1, z      uint8 // table values of x and the next, low bits of z
	fx, fz, gx, gz float64
	u, w           float64
	corners        [8]corner
}

// enter prepares for rows at x, z.
func (l *lattice) enter(n *Improved, x, z float64) {
	x, z = x+n.offset[0], z+n.offset[2]
	cellX, cellZ := floor(x), floor(z)
	l.noise = n
	l.x0, l.x1 = n.perm[cellX&255], n.perm[cellX&255+1]
	l.z = uint8(cellZ)
	l.fx, l.fz = x-float64(cellX), z-float64(cellZ)
	l.gx, l.gz = l.fx-1, l.fz-1
	l.u, l.w = fade(l.fx), fade(l.fz)
}

// move takes the corners of another cell.
func (l *lattice) move(cellY int) {
	p := &l.noise.perm
	y := cellY & 255
	x0, x1, z := int(l.x0), int(l.x1), int(l.z)
	x0y0, x0y1 := int(p[x0+y])+z, int(p[x0+y+1])+z
	x1y0, x1y1 := int(p[x1+y])+z, int(p[x1+y+1])+z
	l.corners[0] = newCorner(p[x0y0], l.fx, l.fz)
	l.corners[1] = newCorner(p[x1y0], l.gx, l.fz)
	l.corners[2] = newCorner(p[x0y1], l.fx, l.fz)
	l.corners[3] = newCorner(p[x1y1], l.gx, l.fz)
	l.corners[4] = newCorner(p[x0y0+1], l.fx, l.gz)
	l.corners[5] = newCorner(p[x1y0+1], l.gx, l.gz)
	l.corners[6] = newCorner(p[x0y1+1], l.fx, l.gz)
	l.corners[7] = newCorner(p[x1y1+1], l.gx, l.gz)
}

func newCorner(hash uint8, x, z float64) corner {
	g := &gradients[hash&15]
	return corner{g[0] * x, g[1], g[2] * z}
}

// row mixes the corners at a height, as Improved.interpolate does.
func (l *lattice) row(fy, fadeY float64) float64 {
	c := &l.corners
	gy, u, v := fy-1, l.u, fade(fadeY)
	front := lerp(v,
		lerp(u, c[0].at(fy), c[1].at(fy)),
		lerp(u, c[2].at(gy), c[3].at(gy)))
	back := lerp(v,
		lerp(u, c[4].at(fy), c[5].at(fy)),
		lerp(u, c[6].at(gy), c[7].at(gy)))
	return lerp(l.w, front, back)
}

// noCell is no cell's height: heights are wrapped far below it.
const noCell = -1 << 62

// addColumn adds the octave's values at the heights ys to sums.
func (n *Improved) addColumn(t columnTask, ys, sums []float64) {
	sums = sums[:len(ys)]
	var l lattice
	l.enter(n, t.x, t.z)
	offset, cell := n.offset[1], noCell
	for i, height := range ys {
		y := wrap(height*t.scale*t.frequency) + offset
		cellY := floor(y)
		if cellY != cell {
			cell = cellY
			l.move(cellY)
		}
		fy := y - float64(cellY)
		sums[i] += float64(t.amplitude * l.row(fy, fy) * t.weight)
	}
}

// smearTask is where Blended samples a column of an octave.
type smearTask struct {
	x, z      float64 // wrapped, before the octave's offset
	frequency float64
	step      float64 // of the smearing, at this octave
	inverse   float64 // of the frequency, which is a power of two
}

// addSmeared adds the octave's smeared values at the heights ys, divided by
// the frequency, to sums.
func (n *Improved) addSmeared(t smearTask, ys, sums []float64) {
	sums = sums[:len(ys)]
	var l lattice
	l.enter(n, t.x, t.z)
	offset, cell := n.offset[1], noCell
	for i, height := range ys {
		limit := height * t.frequency
		y := wrap(limit) + offset
		cellY := floor(y)
		if cellY != cell {
			cell = cellY
			l.move(cellY)
		}
		fy := y - float64(cellY)
		value := l.row(fy-smear(fy, t.step, limit), fy)
		sums[i] += float64(value * t.inverse)
	}
}
