package jigsaw

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/structure"
	"strata/pregen/worldgen/terrain"
)

// PieceID is the id of all pieces that are put together of templates.
const PieceID = "minecraft:jigsaw"

// piece is an element of a pool at its place.
type piece struct {
	structure.Base
	element     *element
	x, y, z     int32 // where the template begins
	rotation    block.Rotation
	groundDelta int32
	keepsWater  bool
	junctions   []junction
}

// junction is where a piece joins another.
type junction struct {
	terrain.Junction
	step     int32 // how much higher the other is
	matching bool  // the other's projection
}

func newPiece(e *element, x, y, z int32, r block.Rotation, delta int32, keepsWater bool) *piece {
	return &piece{
		Base:    structure.Base{ID: PieceID, Box: e.box(x, y, z, r)},
		element: e, x: x, y: y, z: z, rotation: r, groundDelta: delta, keepsWater: keepsWater,
	}
}

// Move implements structure.Piece.
func (p *piece) Move(x, y, z int32) {
	p.Base.Move(x, y, z)
	p.x, p.y, p.z = p.x+x, p.y+y, p.z+z
}

// Ground implements structure.Adapted.
func (p *piece) Ground() (delta int32, rigid bool, junctions []terrain.Junction) {
	for _, j := range p.junctions {
		junctions = append(junctions, j.Junction)
	}
	return p.groundDelta, !p.element.matching, junctions
}

// Reloaded returns the box that the game gives the piece when it is read from
// a file: without the room for other pieces above it.
func (p *piece) Reloaded() structure.Box { return p.element.box(p.x, p.y, p.z, p.rotation) }
