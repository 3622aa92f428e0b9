package noise

// The column kernels rest on two facts. In a column the fractions in x and z
// are the same for all rows, so that what a gradient gives for them is one of
// 16 values at each of the four vertical edges of a cell; they are made once.
// And each gradient has one component 0: adding that component's product
// changes nothing, so that the sum of three products, in the order the game
// adds them, equals the sum for x and z plus the product for y. The exception
// is a zero whose sign may differ, and signs of zeros do not survive the sum
// of octaves, which begins at +0.

// columnTask is where an octave samples a column and what it is worth.
type columnTask struct {
	x, z             float64 // wrapped, before the octave's offset
	scale, frequency float64 // a row's height is multiplied by both in turn
	amplitude        float64 // a value is multiplied by it, and by weight
	weight           float64
	step             float64 // of the smearing, 0 for none
}

// gradientY is the y component of gradients.
var gradientY = [16]float64{1, 1, -1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1}

// edge holds the sum of the x and z products of each gradient at a vertical
// edge of a cell.
type edge [16]float64

func (e *edge) set(x, z float64) {
	*e = edge{
		x, -x, x, -x,
		x + z, z - x, x - z, -x - z,
		z, z, -z, -z,
		x, z, -x, -z,
	}
}

// lattice is what rows of a column share. What else a row needs of a cell are
// the hashes of its corners: keeping more than those between rows was slower,
// for want of registers.
type lattice struct {
	x0, x1, z uint8   // table values of x and the next, low bits of z
	u, w      float64 // fades in x and z

	// edges are those at x and z, the next x, the next z, and both.
	edges [4]edge
}

// enter prepares for rows at x, z.
func (l *lattice) enter(n *Improved, x, z float64) {
	x, z = x+n.offset[0], z+n.offset[2]
	cellX, cellZ := floor(x), floor(z)
	l.x0, l.x1 = n.perm[cellX&255], n.perm[cellX&255+1]
	l.z = uint8(cellZ)
	fx, fz := x-float64(cellX), z-float64(cellZ)
	l.u, l.w = fade(fx), fade(fz)
	l.edges[0].set(fx, fz)
	l.edges[1].set(fx-1, fz)
	l.edges[2].set(fx, fz-1)
	l.edges[3].set(fx-1, fz-1)
}

// noCell is no cell's height: heights are wrapped far below it.
const noCell = -1 << 62

// addColumn adds the octave's values at the heights ys to sums. It is the
// hottest loop of world generation, and so one piece: calls cost a fifth of it.
func (n *Improved) addColumn(t columnTask, ys, sums []float64) {
	var l lattice
	l.enter(n, t.x, t.z)
	p, e, g := &n.perm, &l.edges, &gradientY
	x0, x1, z, u, w := int(l.x0), int(l.x1), int(l.z), l.u, l.w
	offset, last := n.offset[1], noCell
	sums = sums[:len(ys)]
	step := t.step
	if step > 1.01 {
		step = 0 // heights in a cell are below 1: none reaches a step
	}

	// The gradients of the cell's eight corners, named by x, y and z.
	var h000, h100, h001, h101, h010, h110, h011, h111 uint8
	for i, height := range ys {
		limit := height * t.scale * t.frequency
		y := wrap(limit) + offset
		cellY := floor(y)
		if cellY != last {
			last = cellY
			y := cellY & 255
			x0y0, x0y1 := int(p[x0+y])+z, int(p[x0+y+1])+z
			x1y0, x1y1 := int(p[x1+y])+z, int(p[x1+y+1])+z
			h000, h100 = p[x0y0]&15, p[x1y0]&15
			h001, h101 = p[x0y0+1]&15, p[x1y0+1]&15
			h010, h110 = p[x0y1]&15, p[x1y1]&15
			h011, h111 = p[x0y1+1]&15, p[x1y1+1]&15
		}
		fy := y - float64(cellY)
		v := fade(fy)
		if step != 0 {
			fy -= smear(fy, step, limit)
		}
		gy := fy - 1
		near := lerp(v,
			lerp(u, e[0][h000&15]+float64(g[h000&15]*fy), e[1][h100&15]+float64(g[h100&15]*fy)),
			lerp(u, e[0][h010&15]+float64(g[h010&15]*gy), e[1][h110&15]+float64(g[h110&15]*gy)))
		far := lerp(v,
			lerp(u, e[2][h001&15]+float64(g[h001&15]*fy), e[3][h101&15]+float64(g[h101&15]*fy)),
			lerp(u, e[2][h011&15]+float64(g[h011&15]*gy), e[3][h111&15]+float64(g[h111&15]*gy)))
		sums[i] += float64(t.amplitude * lerp(w, near, far) * t.weight)
	}
}
