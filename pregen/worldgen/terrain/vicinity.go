package terrain

// vicinity is a box of blocks that are near to the same cells of an aquifer, and
// the centres of those that can be among the four nearest of any of the blocks.
type vicinity struct {
	count   int
	x, y, z [perBlock]int32
	tie     [perBlock]int32     // smaller for those that are asked later
	tied    [1 << tieBits]entry // by tie

	uniform bool // all centres have the same fluid
	fluid   fluid
}

// entry is a centre's cell, and its fluid.
type entry struct {
	cell  int32
	fluid fluid
}

// perBlock is the number of cells whose centres a block's distance is taken to.
const perBlock = 12

// tieBits are the bits of a key below the squared distance.
const tieBits = 4

// extent is the part of a range that is near to the same cells: where it ends,
// given where it begins.
func extent(first, end, offset, size int32) int32 {
	return min(end, (floorDiv(first+offset, size)+1)*size-offset)
}

// gather finds the centres for a vicinity, and their fluids.
func (a *Aquifer) gather(r *vicinity, box *Box) {
	cornerX, cornerZ := (box.MinX+offsetX)>>4, (box.MinZ+offsetZ)>>4
	cornerY := floorDiv(box.MinY+offsetY, cellY)
	var closest, indices [perBlock]int32
	fourth := [4]int32{1 << 30, 1 << 30, 1 << 30, 1 << 30} // the four smallest greatest distances
	n := 0
	for stepX := range int32(2) {
		for stepY := int32(-1); stepY <= 1; stepY++ {
			for stepZ := range int32(2) {
				index := a.index(cornerX+stepX, cornerY+stepY, cornerZ+stepZ)
				c := &a.cells[index]
				if !c.placed {
					c.place(&a.factory, cornerX+stepX, cornerY+stepY, cornerZ+stepZ)
				}
				nearX, farX := distances(c.x, box.MinX, box.MaxX)
				nearY, farY := distances(c.y, box.MinY, box.MaxY)
				nearZ, farZ := distances(c.z, box.MinZ, box.MaxZ)
				closest[n], indices[n] = nearX*nearX+nearY*nearY+nearZ*nearZ, index
				insert(&fourth, farX*farX+farY*farY+farZ*farZ)
				n++
			}
		}
	}
	r.count, r.uniform = 0, true
	for i, index := range indices {
		if closest[i] > fourth[3] {
			continue
		}
		c, tie := &a.cells[index], int32(1<<tieBits-1-i)
		k := r.count
		r.x[k], r.y[k], r.z[k], r.tie[k] = c.x, c.y, c.z, tie
		f := a.filled(index)
		r.tied[tie] = entry{index, f}
		if k == 0 {
			r.fluid = f
		}
		r.uniform = r.uniform && f == r.fluid
		r.count++
	}
}

// distances are those of the nearest and the farthest place in a range.
func distances(at, low, high int32) (near, far int32) {
	return max(0, low-at, at-high), max(abs32(at-low), abs32(at-high))
}

// insert puts a value among the four smallest.
func insert(smallest *[4]int32, v int32) {
	for i := range smallest {
		smallest[i], v = min(smallest[i], v), max(smallest[i], v)
	}
}

// column has the keys of a vicinity's centres for the blocks of a column, less
// what the height adds.
type column struct {
	known bool
	keys  [perBlock]int32
}

// set moves a column to a place.
func (c *column) set(r *vicinity, x, z int32) {
	c.known = true
	for i := range r.count {
		dx, dz := r.x[i]-x, r.z[i]-z
		c.keys[i] = (dx*dx+dz*dz)<<tieBits | r.tie[i]
	}
}

// nearest finds the centres nearest to a block of the column, in the order of
// keys, which have the squared distance and then the tie.
func (r *vicinity) nearest(c *column, y int32) (keys [4]int32) {
	const far = 1<<31 - 1
	first, second, third, fourth := int32(far), int32(far), int32(far), int32(far)
	for i := range r.count {
		dy := r.y[i] - y
		key := c.keys[i] + dy*dy<<tieBits
		first, key = min(first, key), max(first, key)
		second, key = min(second, key), max(second, key)
		third, key = min(third, key), max(third, key)
		fourth = min(fourth, key)
	}
	return [4]int32{first, second, third, fourth}
}

// named is the nearest centres of keys.
func (r *vicinity) named(keys *[4]int32) (n nearest) {
	for i, key := range keys {
		n.distance[i] = key >> tieBits
		n.entry[i] = r.tied[key&(1<<tieBits-1)]
	}
	return n
}

// alone reports whether the first of keys is so much nearer than the second that
// it decides alone.
func alone(keys *[4]int32) bool {
	return keys[1]>>tieBits-keys[0]>>tieBits > flowingDistance
}
