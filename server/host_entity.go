package server

import (
	"strata/nbt"
	"strata/server/command"
	"strata/server/entity"
	"strata/server/protocol"
	"strata/server/text"
	"strata/server/world"
)

// All implements command.Entities.
func (h *host) All(visit func(command.Entity) bool) {
	for _, p := range h.Players() {
		if !visit(p) {
			return
		}
	}
	for _, d := range h.s.worlds {
		for _, e := range d.Entities().All() {
			if !e.Gone() && !visit(hostThing{d, e}) {
				return
			}
		}
	}
}

// Summon implements command.Entities, for the kinds that there are.
func (h *host) Summon(kind string, at command.Place, data nbt.Raw) (command.Entity, bool) {
	d := h.world(at.Dimension)
	if d == nil {
		return nil, false
	}
	e, ok := d.Entities().Summon(kind, at.Pos.X, at.Pos.Y, at.Pos.Z, data)
	if !ok {
		return nil, false
	}
	return hostThing{d, e}, true
}

// hostThing is an item or a falling block as commands have it.
type hostThing struct {
	d *world.Dimension
	e *entity.Entity
}

func (t hostThing) UUID() protocol.UUID { return t.e.UUID }
func (t hostThing) Type() string        { return t.e.Kind.String() }
func (t hostThing) Tags() []string      { return nil }

// Name is what it is made of.
func (t hostThing) Name() string { return t.name().String() }

func (t hostThing) name() text.Component {
	if t.e.Kind == entity.Item {
		return command.ItemName(t.e.Stack)
	}
	return text.Key("entity.minecraft.falling_block_type", command.BlockName(t.e.State))
}

func (t hostThing) Display() text.Component {
	name := t.name()
	return name.WithHover(text.Hover{Entity: t.Type(), UUID: t.e.UUID, Name: &name})
}

func (t hostThing) Place() command.Place {
	return command.Place{
		Dimension: t.d.ID(), Pos: command.Vec3{X: t.e.X, Y: t.e.Y, Z: t.e.Z}, Rotation: command.Rotation{Yaw: t.e.Yaw, Pitch: t.e.Pitch},
	}
}

func (t hostThing) Size() (width, height, eyes float64) {
	b := t.e.Box()
	return b.MaxX - b.MinX, b.MaxY - b.MinY, (b.MaxY - b.MinY) * 0.85
}

// Teleport moves it within its dimension, to where chunks are loaded.
func (t hostThing) Teleport(to command.Place) bool {
	if to.Dimension != t.d.ID() {
		return false
	}
	return t.d.Entities().Put(t.e, to.Pos.X, to.Pos.Y, to.Pos.Z)
}

func (t hostThing) Kill() { t.d.Entities().Remove(t.e) }
