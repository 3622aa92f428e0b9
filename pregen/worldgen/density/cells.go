package density

import (
	"math"
	"math/bits"
)

// cellLanes is where the lanes of blocks are.
type cellLanes struct {
	cx, cy, cz int // the cell
	first      int // the block of the first lane

	corners []cellCorners // of fields, by slot
	now     uint64        // counts cells

	// The shape's numbers: how far blocks are along a cell, and the logarithm
	// of the cells' width, which is a power of two.
	alongXZ, alongY [16]float64
	shift           int
}

// cellCorners are a field's values at the corners of the cell whose number
// since has.
type cellCorners struct {
	since uint64
	v     [8]float64
}

func newCellLanes(shape Shape, fields int) cellLanes {
	at := cellLanes{corners: make([]cellCorners, fields), shift: bits.TrailingZeros(uint(shape.CellWidth))}
	for i := range at.alongXZ {
		at.alongXZ[i] = float64(i) / float64(shape.CellWidth)
		at.alongY[i] = float64(i) / float64(shape.CellHeight)
	}
	return at
}

// cell evaluates a node for all blocks of a cell.
func (c *Chunk) cell(root Node, cx, cy, cz int) []float64 {
	c.at.cx, c.at.cy, c.at.cz = cx, cy, cz
	c.at.now++
	for c.at.first = 0; c.at.first < len(c.values); c.at.first += laneCount {
		c.blocks.forget()
		copy(c.values[c.at.first:], c.blocks.need(root, 1<<laneCount-1)[:])
	}
	return c.values
}

// VeinToggleRange bounds vein_toggle in a cell without a look at its blocks.
// The bounds are infinite if that cannot be told.
func (c *Chunk) VeinToggleRange(cx, cy, cz int) (low, high float64) {
	id := c.program.router.VeinToggle
	n := &c.program.graph.nodes[id]
	if n.kind != interpolated {
		return c.program.known.low[id], c.program.known.high[id]
	}
	v := c.corners(n.slot, cx, cy, cz)
	low, high = math.Inf(1), math.Inf(-1)
	for _, corner := range v {
		low, high = min(low, corner), max(high, corner)
	}
	return widen(low, high)
}

// placeBlocks sets the places of the lanes of blocks.
func (c *Chunk) placeBlocks() {
	w, h := c.program.shape.CellWidth, c.program.shape.CellHeight
	x, y, z := c.x+c.at.cx*w, c.firstY+c.at.cy*h, c.z+c.at.cz*w
	for i := range laneCount {
		block := c.at.first + i
		c.blocks.xs[i], c.blocks.zs[i] = x+block&(w-1), z+block>>c.at.shift&(w-1)
		c.blocks.heights[i] = y + block>>(2*c.at.shift)
	}
}

// interpolateBlocks evaluates an interpolated node at the lanes of blocks. It
// does so at all of them, whatever the mask.
func (c *Chunk) interpolateBlocks(n *node, _ uint64, dst *lane) {
	at := &c.at.corners[n.slot]
	if at.since != c.at.now {
		at.v, at.since = c.corners(n.slot, c.at.cx, c.at.cy, c.at.cz), c.at.now
	}
	if n.kind == cellInterpolated {
		c.at.interpolateXYZ(&at.v, dst)
	} else {
		c.at.interpolateYXZ(&at.v, dst)
	}
}

// interpolateXYZ interpolates along x, then y, then z.
func (at *cellLanes) interpolateXYZ(v *[8]float64, dst *lane) {
	w := 1 << at.shift
	var a, b, d, e, front, back [16]float64
	for x := range w {
		t := at.alongXZ[x&15]
		a[x&15], b[x&15] = lerp(t, v[0], v[1]), lerp(t, v[2], v[3])
		d[x&15], e[x&15] = lerp(t, v[4], v[5]), lerp(t, v[6], v[7])
	}
	layer := -1
	for i := 0; i < laneCount; i += w {
		row := (at.first + i) >> at.shift
		if y := row >> at.shift; y != layer {
			layer = y
			t := at.alongY[y&15]
			for x := range w {
				front[x&15], back[x&15] = lerp(t, a[x&15], b[x&15]), lerp(t, d[x&15], e[x&15])
			}
		}
		t, out := at.alongXZ[row&(w-1)&15], dst[i:i+w]
		for x := range out {
			out[x] = lerp(t, front[x&15], back[x&15])
		}
	}
}

// interpolateYXZ interpolates along y, then x, then z.
func (at *cellLanes) interpolateYXZ(v *[8]float64, dst *lane) {
	w := 1 << at.shift
	var front, back [16]float64
	layer := -1
	for i := 0; i < laneCount; i += w {
		row := (at.first + i) >> at.shift
		if y := row >> at.shift; y != layer {
			layer = y
			t := at.alongY[y&15]
			a, b := lerp(t, v[0], v[2]), lerp(t, v[1], v[3])
			d, e := lerp(t, v[4], v[6]), lerp(t, v[5], v[7])
			for x := range w {
				t := at.alongXZ[x&15]
				front[x&15], back[x&15] = lerp(t, a, b), lerp(t, d, e)
			}
		}
		t, out := at.alongXZ[row&(w-1)&15], dst[i:i+w]
		for x := range out {
			out[x] = lerp(t, front[x&15], back[x&15])
		}
	}
}
