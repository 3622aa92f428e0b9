package underground

import "strata/pregen/worldgen/structure"

// diggings is a mineshaft in the making. It is dug depth first: all that
// branches off from a piece is laid out before the next piece.
type diggings struct {
	maze
	wood wood
	room structure.Box // the first piece
}

const (
	mineDepth = 8  // pieces from the room
	mineReach = 80 // blocks from the room
)

// begin lays out a mineshaft whose room has its lowest corner at x, z.
func (d *diggings) begin(x, z int32) {
	box := structure.Box{MinX: x, MinY: entryY, MinZ: z, MaxX: x + 7 + d.random.IntN(6)}
	box.MaxY = entryY + 4 + d.random.IntN(6)
	box.MaxZ = z + 7 + d.random.IntN(6)
	room := &mineRoom{mineBase: newMineBase(mineRoomID, box, structure.FacesNone, 0, d.wood)}
	d.room = box
	d.add(room)
	room.branch(d)
}

// dig lays out a piece that is entered at a block, and all behind it; nil if
// there is no room for it.
func (d *diggings) dig(x, y, z int32, f structure.Facing, depth int32) structure.Piece {
	if depth > mineDepth || far(d.room, x, z, mineReach) {
		return nil
	}
	p := d.choose(x, y, z, f, depth+1)
	if p == nil {
		return nil
	}
	d.add(p)
	p.branch(d)
	return p
}

// choose makes a piece if it meets no other.
func (d *diggings) choose(x, y, z int32, f structure.Facing, depth int32) minePiece {
	switch roll := d.random.IntN(100); {
	case roll >= 80:
		return d.crossing(x, y, z, f, depth)
	case roll >= 70:
		box := structure.Attached(x, y, z, 0, -5, 0, 3, 8, 9, f)
		if d.free(box) {
			return &mineStairs{newMineBase(mineStairsID, box, f, depth, d.wood)}
		}
		return nil
	}
	return d.corridor(x, y, z, f, depth)
}

func (d *diggings) crossing(x, y, z int32, f structure.Facing, depth int32) minePiece {
	height := int32(3)
	if d.random.IntN(4) == 0 {
		height = 7
	}
	box := structure.Attached(x, y, z, -1, 0, 0, 5, height, 5, f)
	if !d.free(box) {
		return nil
	}
	return &mineCrossing{newMineBase(mineCrossingID, box, structure.FacesNone, depth, d.wood), f, height > 3}
}

// sectionLength is the length of a section of a corridor.
const sectionLength = 5

// corridor makes the longest corridor that there is room for, of the length
// drawn or less.
func (d *diggings) corridor(x, y, z int32, f structure.Facing, depth int32) minePiece {
	for sections := d.random.IntN(3) + 2; sections > 0; sections-- {
		box := structure.Attached(x, y, z, 0, 0, 0, 3, 3, sections*sectionLength, f)
		if !d.free(box) {
			continue
		}
		m := &mineCorridor{mineBase: newMineBase(mineCorridorID, box, f, depth, d.wood), sections: sections}
		m.rails = d.random.IntN(3) == 0
		m.spiders = !m.rails && d.random.IntN(23) == 0
		return m
	}
	return nil
}

// branch implements minePiece: corridors leave the room on each side, some
// blocks apart.
func (m *mineRoom) branch(d *diggings) {
	sizeX, sizeY, sizeZ := m.Box.Span()
	heights := max(sizeY-4, 1)
	sides := [...]structure.Facing{
		structure.FacesNorth, structure.FacesSouth, structure.FacesWest, structure.FacesEast,
	}
	for _, side := range sides {
		length := sizeX
		if alongX(side) {
			length = sizeZ
		}
		for at := int32(0); at < length; at += 4 {
			at += d.random.IntN(length)
			if at+3 > length {
				break
			}
			x, z := beside(m.Box, side, at)
			p := d.dig(x, m.Box.MinY+d.random.IntN(heights)+1, z, side, m.Depth)
			if p != nil {
				m.exits = append(m.exits, m.exit(side, p.Common().Box))
			}
		}
	}
}

// exit returns the part of the room's wall, two blocks thick, before a piece.
func (m *mineRoom) exit(side structure.Facing, b structure.Box) structure.Box {
	switch side {
	case structure.FacesNorth:
		b.MinZ, b.MaxZ = m.Box.MinZ, m.Box.MinZ+1
	case structure.FacesSouth:
		b.MinZ, b.MaxZ = m.Box.MaxZ-1, m.Box.MaxZ
	case structure.FacesWest:
		b.MinX, b.MaxX = m.Box.MinX, m.Box.MinX+1
	default:
		b.MinX, b.MaxX = m.Box.MaxX-1, m.Box.MaxX
	}
	return b
}

// branch implements minePiece: a corridor goes on at its end, ahead or to a
// side, and has side corridors between its supports.
func (m *mineCorridor) branch(d *diggings) {
	b := m.Box
	left, right := flanks(m.Facing)
	end := int32(0) // of the last blocks, from the lowest corner
	switch m.Facing {
	case structure.FacesSouth:
		end = b.MaxZ - 3 - b.MinZ
	case structure.FacesEast:
		end = b.MaxX - 3 - b.MinX
	}
	side := m.Facing
	switch d.random.IntN(4) {
	case 2:
		side = left
	case 3:
		side = right
	default:
		end = 0
	}
	x, z := beside(b, side, end)
	d.dig(x, b.MinY-1+d.random.IntN(3), z, side, m.Depth)
	if m.Depth >= mineDepth {
		return
	}
	for at := int32(3); at+3 < m.sections*sectionLength; at += sectionLength {
		switch d.random.IntN(5) {
		case 0:
			x, z := beside(b, left, at)
			d.dig(x, b.MinY, z, left, m.Depth+1)
		case 1:
			x, z := beside(b, right, at)
			d.dig(x, b.MinY, z, right, m.Depth+1)
		}
	}
}

// branch implements minePiece: a crossing goes on to all sides but that it is
// entered from, and by chance to any from its upper storey.
func (m *mineCrossing) branch(d *diggings) {
	var sides []structure.Facing
	switch m.toward {
	case structure.FacesNorth, structure.FacesSouth:
		sides = []structure.Facing{m.toward, structure.FacesWest, structure.FacesEast}
	case structure.FacesWest:
		sides = []structure.Facing{structure.FacesNorth, structure.FacesSouth, structure.FacesWest}
	default:
		sides = []structure.Facing{structure.FacesNorth, structure.FacesSouth, structure.FacesEast}
	}
	for _, side := range sides {
		x, z := beside(m.Box, side, 1)
		d.dig(x, m.Box.MinY, z, side, m.Depth)
	}
	if !m.high {
		return
	}
	for _, side := range [...]structure.Facing{
		structure.FacesNorth, structure.FacesWest, structure.FacesEast, structure.FacesSouth,
	} {
		if d.random.Bool() {
			x, z := beside(m.Box, side, 1)
			d.dig(x, m.Box.MinY+4, z, side, m.Depth)
		}
	}
}

// branch implements minePiece: stairs go on at their foot.
func (m *mineStairs) branch(d *diggings) {
	x, z := beside(m.Box, m.Facing, 0)
	d.dig(x, m.Box.MinY, z, m.Facing, m.Depth)
}
