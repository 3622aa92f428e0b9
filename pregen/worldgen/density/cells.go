package density

// cellLanes is where the lanes of blocks are.
type cellLanes struct {
	cx, cy, cz int // the cell
	first      int // the block of the first lane
}

// cell evaluates a node for all blocks of a cell.
func (c *Chunk) cell(root Node, cx, cy, cz int) []float64 {
	c.at.cx, c.at.cy, c.at.cz = cx, cy, cz
	for c.at.first = 0; c.at.first < len(c.values); c.at.first += laneCount {
		c.blocks.forget()
		copy(c.values[c.at.first:], c.blocks.need(root, 1<<laneCount-1)[:])
	}
	return c.values
}

// placeBlocks sets the places of the lanes of blocks.
func (c *Chunk) placeBlocks() {
	w, h := c.program.shape.CellWidth, c.program.shape.CellHeight
	x, y, z := c.x+c.at.cx*w, c.firstY+c.at.cy*h, c.z+c.at.cz*w
	for i := range laneCount {
		block := c.at.first + i
		c.blocks.xs[i], c.blocks.zs[i] = x+block%w, z+block/w%w
		c.blocks.heights[i] = y + block/w/w
	}
}

// interpolateBlocks evaluates an interpolated node at the lanes of blocks. It
// does so at all of them, whatever the mask.
func (c *Chunk) interpolateBlocks(n *node, _ uint64, dst *lane) {
	v := c.corners(n.slot, c.at.cx, c.at.cy, c.at.cz)
	if n.kind == cellInterpolated {
		c.interpolateXYZ(&v, dst)
	} else {
		c.interpolateYXZ(&v, dst)
	}
}

// interpolateXYZ interpolates along x, then y, then z.
func (c *Chunk) interpolateXYZ(v *[8]float64, dst *lane) {
	w, h := c.program.shape.CellWidth, c.program.shape.CellHeight
	var a, b, d, e, front, back [16]float64
	for x := range w {
		t := float64(x) / float64(w)
		a[x], b[x] = lerp(t, v[0], v[1]), lerp(t, v[2], v[3])
		d[x], e[x] = lerp(t, v[4], v[5]), lerp(t, v[6], v[7])
	}
	layer := -1
	for i := 0; i < laneCount; i += w {
		row := (c.at.first + i) / w
		if y := row / w; y != layer {
			layer = y
			t := float64(y) / float64(h)
			for x := range w {
				front[x], back[x] = lerp(t, a[x], b[x]), lerp(t, d[x], e[x])
			}
		}
		t, out := float64(row%w)/float64(w), dst[i:i+w]
		for x := range out {
			out[x] = lerp(t, front[x&15], back[x&15])
		}
	}
}

// interpolateYXZ interpolates along y, then x, then z.
func (c *Chunk) interpolateYXZ(v *[8]float64, dst *lane) {
	w, h := c.program.shape.CellWidth, c.program.shape.CellHeight
	var front, back [16]float64
	layer := -1
	for i := 0; i < laneCount; i += w {
		row := (c.at.first + i) / w
		if y := row / w; y != layer {
			layer = y
			t := float64(y) / float64(h)
			a, b := lerp(t, v[0], v[2]), lerp(t, v[1], v[3])
			d, e := lerp(t, v[4], v[6]), lerp(t, v[5], v[7])
			for x := range w {
				t := float64(x) / float64(w)
				front[x], back[x] = lerp(t, a, b), lerp(t, d, e)
			}
		}
		t, out := float64(row%w)/float64(w), dst[i:i+w]
		for x := range out {
			out[x] = lerp(t, front[x&15], back[x&15])
		}
	}
}
