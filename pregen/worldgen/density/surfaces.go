package density

// surfaceEntries is how many preliminary surfaces a chunk's scratch remembers.
// Aquifers of a chunk look at about 60 quarter positions that those of the
// chunk before it did not look at, within three chunks.
const surfaceEntries = 1 << 12

// surfaceCache remembers heights by quarter position, in all chunks, one in
// each slot.
type surfaceCache struct{ entries [surfaceEntries]surfaceEntry }

type surfaceEntry struct {
	qx, qz int32
	height int32
	known  bool
}

func (s *surfaceCache) slot(qx, qz int) *surfaceEntry {
	return &s.entries[(qz&63)<<6|qx&63]
}

// PreliminarySurface is the height that terrain is expected to reach in the
// column of a block, at its quarter position, anywhere in the world.
func (c *Chunk) PreliminarySurface(x, z int) int {
	qx, qz := x>>2, z>>2
	e := c.surfaces.slot(qx, qz)
	if e.known && e.qx == int32(qx) && e.qz == int32(qz) {
		return int(e.height)
	}
	height := floorInt(c.points.at(c.program.router.PreliminarySurfaceLevel, qx<<2, 0, qz<<2))
	*e = surfaceEntry{int32(qx), int32(qz), int32(height), c.program.surfaceStays}
	return height
}
