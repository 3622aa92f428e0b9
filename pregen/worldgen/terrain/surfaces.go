package terrain

// surface is the preliminary surface at a block.
func (a *Aquifer) surface(x, z int32) int32 {
	return int32(a.router.PreliminarySurface(int(x), int(z)))
}

// above reports whether a block is so high above the surface all around that
// the fluid of the sea's level, or air, is in it whatever is near.
func (a *Aquifer) above(y int32) bool {
	if !a.skipped {
		a.skip = a.skipFrom()
		a.skipped = true
	}
	return y > a.skip
}

// signFrom is the height from which on the sign of densities is all that
// matters.
func (a *Aquifer) signFrom() int {
	if !a.enabled || a.above(int32(a.shape.MinY)) {
		return a.shape.MinY
	}
	return int(a.skip) + 1
}

// skipFrom is the y of the highest block of the chunk that an aquifer can be
// near to.
func (a *Aquifer) skipFrom() int32 {
	highest := int32(-1 << 31)
	firstX, firstZ := a.firstX*cellX, a.firstZ*cellZ
	const span = (columns-1)*cellX + jitterX - 1
	for z := firstZ; z <= firstZ+span; z += 4 {
		for x := firstX; x <= firstX+span; x += 4 {
			highest = max(highest, a.surface(x, z))
		}
	}
	layer := floorDiv(highest+surfaceMargin+cellY, cellY) + 1
	return layer*cellY + cellY - 1 - 1
}
