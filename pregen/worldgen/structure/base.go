package structure

import (
	"strata/anvil/block"
)

// Base is what all pieces have. It is embedded in each.
type Base struct {
	ID     string // of the kind of piece, such as minecraft:mscorridor
	Box    Box
	Facing Facing
	Depth  int32 // how many pieces it is from the first; stored as GD

	// Fixed tells of blocks that Put leaves in place; nil for none.
	Fixed func(s block.State) bool
}

// Facing is the direction that a piece's z axis points in, or none: then its
// coordinates are those of the world. The zero value is none.
type Facing uint8

// The facings of pieces.
const (
	FacesNone Facing = iota
	FacesSouth
	FacesWest
	FacesNorth
	FacesEast
)

// FacingOf returns the facing of a horizontal direction.
func FacingOf(d block.Direction) Facing {
	switch d {
	case block.South:
		return FacesSouth
	case block.West:
		return FacesWest
	case block.North:
		return FacesNorth
	case block.East:
		return FacesEast
	}
	return FacesNone
}

// stored is the number of the game's files.
func (f Facing) stored() int32 { return int32(f) - 1 }

// Direction returns the direction; Down for FacesNone.
func (f Facing) Direction() block.Direction {
	return [...]block.Direction{block.Down, block.South, block.West, block.North, block.East}[f]
}

// Turns returns how states are reflected, and then turned, in a piece.
func (f Facing) Turns() (block.Mirror, block.Rotation) {
	switch f {
	case FacesSouth:
		return block.LeftRight, block.NoRotation
	case FacesWest:
		return block.LeftRight, block.Clockwise90
	case FacesEast:
		return block.NoMirror, block.Clockwise90
	}
	return block.NoMirror, block.NoRotation
}

// Common implements Piece.
func (b *Base) Common() *Base { return b }

// Move implements Piece.
func (b *Base) Move(x, y, z int32) { b.Box = b.Box.Moved(x, y, z) }

// World returns the block of the world at coordinates of the piece.
func (b *Base) World(x, y, z int32) (worldX, worldY, worldZ int32) {
	if b.Facing == FacesNone {
		return x, y, z
	}
	y += b.Box.MinY
	switch b.Facing {
	case FacesNorth:
		return b.Box.MinX + x, y, b.Box.MaxZ - z
	case FacesWest:
		return b.Box.MaxX - z, y, b.Box.MinZ + x
	case FacesEast:
		return b.Box.MinX + z, y, b.Box.MinZ + x
	}
	return b.Box.MinX + x, y, b.Box.MinZ + z
}

// Oriented returns the box of a piece of a size whose lowest corner is at a
// block, whichever way it faces.
func Oriented(x, y, z int32, f Facing, sizeX, sizeY, sizeZ int32) Box {
	if f == FacesWest || f == FacesEast {
		sizeX, sizeZ = sizeZ, sizeX
	}
	return NewBox(x, y, z, x+sizeX-1, y+sizeY-1, z+sizeZ-1)
}

// Attached returns the box of a piece that is entered at the block x, y, z in
// the direction f: the entrance is at the piece's own -offX, -offY, -offZ.
func Attached(x, y, z, offX, offY, offZ, sizeX, sizeY, sizeZ int32, f Facing) Box {
	low, high := y+offY, y+sizeY-1+offY
	switch f {
	case FacesNorth:
		return NewBox(x+offX, low, z-sizeZ+1+offZ, x+sizeX-1+offX, high, z+offZ)
	case FacesWest:
		return NewBox(x-sizeZ+1+offZ, low, z+offX, x+offZ, high, z+sizeX-1+offX)
	case FacesEast:
		return NewBox(x+offZ, low, z+offX, x+sizeZ-1+offZ, high, z+sizeX-1+offX)
	}
	return NewBox(x+offX, low, z+offZ, x+sizeX-1+offX, high, z+sizeZ-1+offZ)
}
