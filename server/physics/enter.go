package physics

import "strata/anvil/chunk"

// touch is what a box may have in common with a block that it only touches.
const touch = 1e-5

// Enters reports whether a box at a new place is in a block that it was not in at
// the old one. What is within a block already may move in that.
func (m *Mover) Enters(v View, from, to Box) bool {
	from, to = from.Grown(-touch, -touch, -touch), to.Grown(-touch, -touch, -touch)
	low, high := floor(to.MinY)-1, floor(to.MaxY)
	for z := floor(to.MinZ); z <= floor(to.MaxZ); z++ {
		for x := floor(to.MinX); x <= floor(to.MaxX); x++ {
			for y := low; y <= high; y++ {
				if m.within(v, chunk.BlockPos{X: x, Y: y, Z: z}, to) && !m.within(v, chunk.BlockPos{X: x, Y: y, Z: z}, from) {
					return true
				}
			}
		}
	}
	return false
}

// within reports whether a block is in a box.
func (m *Mover) within(v View, p chunk.BlockPos, b Box) bool {
	m.solids = m.solids[:0]
	m.add(v, p)
	for i := range m.solids {
		if m.solids[i].Meets(b) {
			return true
		}
	}
	return false
}
