package underground

import (
	"strata/pregen/worldgen/rng"
	"strata/pregen/worldgen/structure"
)

// complex is a structure in the making that grows from piece to piece, none of
// which may meet another.
type complex struct {
	random *rng.Worldgen
	pieces []structure.Piece
}

func (c *complex) add(p structure.Piece) { c.pieces = append(c.pieces, p) }

// met returns the box of the first piece that has a block in common with a box.
func (c *complex) met(b structure.Box) (structure.Box, bool) {
	for _, p := range c.pieces {
		if o := p.Common().Box; o.Meets(b) {
			return o, true
		}
	}
	return structure.Box{}, false
}

func (c *complex) free(b structure.Box) bool {
	_, met := c.met(b)
	return !met
}

// box returns the box around all pieces.
func (c *complex) box() structure.Box {
	b := c.pieces[0].Common().Box
	for _, p := range c.pieces[1:] {
		b = b.With(p.Common().Box)
	}
	return b
}

// raise moves all pieces.
func (c *complex) raise(by int32) {
	for _, p := range c.pieces {
		p.Move(0, by, 0)
	}
}

// underSea is how far below the sea level mineshafts and strongholds stay.
const underSea = 10

// sink moves all pieces to a height between the bottom of the world and
// somewhat below the sea, and returns by how much.
func (c *complex) sink(l *structure.Layouter) int32 {
	box := c.box()
	_, height, _ := box.Span()
	top := height + l.Span.MinY + 1
	if limit := l.SeaLevel - underSea; top < limit {
		top += c.random.IntN(limit - top)
	}
	by := top - box.MaxY
	c.raise(by)
	return by
}

// lift moves all pieces so that the lowest block is at a height from low to
// high, as far as they fit in.
func (c *complex) lift(low, high int32) {
	box := c.box()
	_, height, _ := box.Span()
	bottom := low
	if room := high - low + 1 - height; room > 1 {
		bottom += c.random.IntN(room)
	}
	c.raise(bottom - box.MinY)
}

// beside returns the block outside a side of a box, off blocks from the box's
// lowest corner along that side.
func beside(b structure.Box, side structure.Facing, off int32) (x, z int32) {
	switch side {
	case structure.FacesNorth:
		return b.MinX + off, b.MinZ - 1
	case structure.FacesSouth:
		return b.MinX + off, b.MaxZ + 1
	case structure.FacesWest:
		return b.MinX - 1, b.MinZ + off
	}
	return b.MaxX + 1, b.MinZ + off
}

// alongX reports whether a piece's z axis lies along the world's x axis.
func alongX(f structure.Facing) bool { return f == structure.FacesWest || f == structure.FacesEast }

// flanks returns the sides that count as left and right of a piece: those of
// the lower and the higher coordinates, whichever way the piece faces.
func flanks(f structure.Facing) (left, right structure.Facing) {
	if alongX(f) {
		return structure.FacesNorth, structure.FacesSouth
	}
	return structure.FacesWest, structure.FacesEast
}

// anyFacing draws a facing.
func anyFacing(r *rng.Worldgen) structure.Facing {
	all := [...]structure.Facing{
		structure.FacesNorth, structure.FacesEast, structure.FacesSouth, structure.FacesWest,
	}
	return all[r.IntN(int32(len(all)))]
}

// far reports whether a place is farther than a distance from the lowest corner
// of a box, along x or z.
func far(b structure.Box, x, z, distance int32) bool {
	return max(x-b.MinX, b.MinX-x, z-b.MinZ, b.MinZ-z) > distance
}
