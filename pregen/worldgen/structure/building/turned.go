package building

import (
	"strata/anvil/block"
	"strata/nbt"
	"strata/pregen/worldgen/structure"
	"strata/pregen/worldgen/structure/template"
)

// spot is a block, or a way from one to another.
type spot struct{ x, y, z int32 }

func (s spot) plus(o spot) spot { return spot{s.x + o.x, s.y + o.y, s.z + o.z} }

func (s spot) up(n int32) spot { return spot{s.x, s.y + n, s.z} }

// posture is how a template stands: reflected first, then turned about a pivot.
type posture struct {
	mirror   block.Mirror
	rotation block.Rotation
	pivot    spot
}

// apply returns where a block of a template gets to, from the template's
// corner.
func (t posture) apply(s spot) spot {
	x, y, z := template.Turn(s.x, s.y, s.z, t.mirror, t.rotation, t.pivot.x, t.pivot.z)
	return spot{x, y, z}
}

// turned is a piece that is a template.
type turned struct {
	structure.Base
	posture
	name string // the template's full id
	at   spot
	size spot
}

// newTurned returns a piece of a kind with a template, and false if there is no
// such template.
func newTurned(l *structure.Layouter, kind, name string, at spot, t posture) (turned, bool) {
	shape, ok := l.Templates.Shape(name)
	if !ok {
		return turned{}, false
	}
	size := spot{shape.SizeX, shape.SizeY, shape.SizeZ}
	return turned{
		Base:    structure.Base{ID: kind, Box: shape.Box(at.x, at.y, at.z, t.mirror, t.rotation, t.pivot.x, t.pivot.z), Facing: structure.FacesNorth},
		posture: t, name: name, at: at, size: size,
	}, true
}

// Move implements structure.Piece.
func (t *turned) Move(x, y, z int32) {
	t.Base.Move(x, y, z)
	t.at = t.at.plus(spot{x, y, z})
}

// save returns what all of these pieces store.
func (t *turned) save(name string) nbt.Compound {
	var c nbt.Compound
	c.Set("TPX", t.at.x)
	c.Set("TPY", t.at.y)
	c.Set("TPZ", t.at.z)
	c.Set("Template", name)
	return c
}

// TemplateIDs implements structure.Templated.
func (t *turned) TemplateIDs() []string { return []string{t.name} }
