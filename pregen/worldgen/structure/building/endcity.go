package building

import (
	"strata/anvil/block"
	"strata/nbt"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
	"strata/pregen/worldgen/structure"
)

// endCityLayout is the layout of end cities.
type endCityLayout struct{}

func newEndCity(*structure.Loader, provider.Value) (structure.Layout, error) {
	return endCityLayout{}, nil
}

// cornerHeight returns the corner of what stands beside the middle of the chunk
// and the least height of the ground under its five by five blocks.
func cornerHeight(l *structure.Layouter, r block.Rotation) spot {
	sizeX, sizeZ := int32(5), int32(5)
	switch r {
	case block.Clockwise90:
		sizeX = -5
	case block.Clockwise180:
		sizeX, sizeZ = -5, -5
	case block.Counterclockwise90:
		sizeZ = -5
	}
	x, z := l.MinBlock()
	return spot{x + 7, l.Lowest(x+7, z+7, sizeX, sizeZ), z + 7}
}

// minGround is the least height at which end cities and mansions stand.
const minGround = 60

// Find implements structure.Layout.
func (endCityLayout) Find(l *structure.Layouter) (structure.Point, bool) {
	rotation := randomRotation(l.Random)
	at := cornerHeight(l, rotation)
	if at.y < minGround {
		return structure.Point{}, false
	}
	return structure.Point{X: at.x, Y: at.y, Z: at.z, Pieces: func(l *structure.Layouter) []structure.Piece {
		c := &city{l: l, random: l.Random}
		c.house(at, rotation)
		if c.missing {
			return nil
		}
		pieces := make([]structure.Piece, len(c.all.pieces))
		for i, p := range c.all.pieces {
			pieces[i] = p
		}
		return pieces
	}}, true
}

// cityPiece is a part of an end city.
type cityPiece struct {
	turned
	whole bool // its air takes the place of what is there
}

// Save implements structure.Piece.
func (c *cityPiece) Save() nbt.Compound {
	members := c.save(c.name[len(cityTemplates):])
	members.Set("Rot", c.rotation.String())
	members.Set("OW", c.whole)
	return members
}

// cityTemplates is how the names of the templates begin; pieces store the rest.
const cityTemplates = "minecraft:end_city/"

// city lays out an end city.
type city struct {
	l       *structure.Layouter
	random  rng.Source
	all     part
	hasShip bool
	missing bool // a template was
}

// maxCityDepth is how far towers and bridges go on from each other.
const maxCityDepth = 8

// part is a list of pieces that is dropped as a whole if it does not fit.
type part struct{ pieces []*cityPiece }

// next adds a piece that stands relative to another one.
func (c *city) next(to *part, from *cityPiece, x, y, z int32, name string, r block.Rotation, whole bool) *cityPiece {
	return c.place(to, from.at.plus(from.apply(spot{x, y, z})), name, r, whole)
}

func (c *city) place(to *part, at spot, name string, r block.Rotation, whole bool) *cityPiece {
	t, ok := newTurned(c.l, "minecraft:ecp", cityTemplates+name, at, posture{rotation: r})
	c.missing = c.missing || !ok
	t.rotation, t.at = r, at
	piece := &cityPiece{turned: t, whole: whole}
	to.pieces = append(to.pieces, piece)
	return piece
}

// house is the first of a city.
func (c *city) house(at spot, r block.Rotation) {
	p := c.place(&c.all, at, "base_floor", r, true)
	p = c.next(&c.all, p, -1, 0, -1, "second_floor_1", r, false)
	p = c.next(&c.all, p, -1, 4, -1, "third_floor_1", r, false)
	p = c.next(&c.all, p, -1, 8, -1, "third_roof", r, true)
	c.branch(&c.all, c.tower, 1, p, spot{})
}

// grower adds the pieces of a branch that begins at a piece, and reports false
// if that is impossible.
type grower func(to *part, depth int, from *cityPiece, at spot) bool

// branch adds a branch if it is clear of all pieces of the part that it comes
// from, but for those of the branch that its first piece belongs to. Whether
// it is clear of the rest shows when the part itself is added.
func (c *city) branch(to *part, grow grower, depth int, from *cityPiece, at spot) bool {
	if depth > maxCityDepth {
		return false
	}
	added := &part{}
	if !grow(added, depth, from, at) {
		return false
	}
	mark := c.random.Int()
	for _, p := range added.pieces {
		p.Depth = mark
		if hit := to.hit(p.Box); hit != nil && hit.Depth != from.Depth {
			return false
		}
	}
	to.pieces = append(to.pieces, added.pieces...)
	return true
}

// hit returns the first piece that a box meets.
func (t *part) hit(box structure.Box) *cityPiece {
	for _, p := range t.pieces {
		if p.Box.Meets(box) {
			return p
		}
	}
	return nil
}
