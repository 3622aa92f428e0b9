package terrain

// nearest are the four centres nearest to a block, the nearest first.
type nearest struct {
	distance [4]int32 // squared
	entry    [4]entry
}

// similarity tells how much alike the distances to two of them are: 1 for the
// same, falling without a bound.
func (n *nearest) similarity(i, j int) float64 {
	return 1 - float64(abs32(n.distance[j]-n.distance[i]))/25
}

// nearest finds the centres nearest to a block. Of two at the same distance the
// one that is asked later counts as nearer.
func (a *Aquifer) nearest(x, y, z int32) nearest {
	cornerX, cornerZ := (x+offsetX)>>4, (z+offsetZ)>>4
	cornerY := floorDiv(y+offsetY, cellY)
	far := int32(1<<31 - 1)
	found := nearest{distance: [4]int32{far, far, far, far}}
	for stepX := range int32(2) {
		for stepY := int32(-1); stepY <= 1; stepY++ {
			for stepZ := range int32(2) {
				index := a.index(cornerX+stepX, cornerY+stepY, cornerZ+stepZ)
				c := &a.cells[index]
				if !c.placed {
					c.place(&a.factory, cornerX+stepX, cornerY+stepY, cornerZ+stepZ)
				}
				dx, dy, dz := c.x-x, c.y-y, c.z-z
				found.add(dx*dx+dy*dy+dz*dz, index)
			}
		}
	}
	for i := range found.entry {
		found.entry[i].fluid = a.filled(found.entry[i].cell)
	}
	return found
}

// add puts a centre in its place.
func (n *nearest) add(distance, cell int32) {
	for i := range n.distance {
		if n.distance[i] >= distance {
			copy(n.distance[i+1:], n.distance[i:])
			copy(n.entry[i+1:], n.entry[i:])
			n.distance[i], n.entry[i].cell = distance, cell
			return
		}
	}
}

// index is the place of a cell in cells.
func (a *Aquifer) index(x, y, z int32) int32 {
	return ((z-a.firstZ)*columns+x-a.firstX)*a.layers + y - a.firstY
}
