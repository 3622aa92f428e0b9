package terrain

// surfaces remembers preliminary surfaces from chunk to chunk, as they depend
// on their place alone. A place has one slot, by its lowest bits, so 16 by 16
// chunks have room.
type surfaces struct {
	keys   [surfaceSlots]uint64
	values [surfaceSlots]int32
}

const (
	surfaceBits  = 6
	surfaceSlots = 1 << (2 * surfaceBits)
	noSurface    = 1 << 62 // no key: the two top bits of a quarter coordinate are equal
)

func (s *surfaces) forget() {
	for i := range s.keys {
		s.keys[i] = noSurface
	}
}

// surface is the preliminary surface at a block.
func (a *Aquifer) surface(x, z int32) int32 {
	quarterX, quarterZ := x>>2, z>>2
	const mask = 1<<surfaceBits - 1
	slot := quarterX&mask<<surfaceBits | quarterZ&mask
	key := uint64(uint32(quarterX))<<32 | uint64(uint32(quarterZ))
	if a.surfaces.keys[slot] != key {
		a.surfaces.values[slot] = int32(a.router.PreliminarySurface(int(quarterX)*4, int(quarterZ)*4))
		a.surfaces.keys[slot] = key
	}
	return a.surfaces.values[slot]
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
