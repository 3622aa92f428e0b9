package building

import (
	"strata/anvil/block"
	"strata/nbt"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/structure"
)

// mansionLayout is the layout of woodland mansions.
type mansionLayout struct{}

func newMansion(*structure.Loader, provider.Value) (structure.Layout, error) {
	return mansionLayout{}, nil
}

// Find implements structure.Layout.
func (mansionLayout) Find(l *structure.Layouter) (structure.Point, bool) {
	rotation := randomRotation(l.Random)
	at := cornerHeight(l, rotation)
	if at.y < minGround {
		return structure.Point{}, false
	}
	return structure.Point{X: at.x, Y: at.y, Z: at.z, Pieces: func(l *structure.Layouter) []structure.Piece {
		m := &mansion{l: l, random: l.Random, turn: rotation, origin: at, plan: newMansionPlan(l.Random)}
		m.build()
		if m.missing {
			return nil
		}
		return m.pieces
	}}, true
}

// mansionPiece is a part of a mansion.
type mansionPiece struct{ turned }

// mansionTemplates is how the names of the templates begin; pieces store the
// rest.
const mansionTemplates = "minecraft:woodland_mansion/"

// Save implements structure.Piece.
func (m *mansionPiece) Save() nbt.Compound {
	members := m.save(m.name[len(mansionTemplates):])
	members.Set("Rot", m.rotation.String())
	members.Set("Mi", m.mirror.String())
	return members
}

// mansion puts the pieces of a mansion together.
type mansion struct {
	l       *structure.Layouter
	random  randomSource
	turn    block.Rotation
	origin  spot
	plan    *mansionPlan
	pieces  []structure.Piece
	missing bool // a template was
}

// add adds a piece that is turned by more than the mansion is.
func (m *mansion) add(name string, at spot, more block.Rotation, mirror block.Mirror) {
	m.put(name, at, m.turn.Then(more), mirror)
}

func (m *mansion) put(name string, at spot, r block.Rotation, mirror block.Mirror) {
	t, ok := newTurned(m.l, "minecraft:wmp", mansionTemplates+name, at, posture{mirror: mirror, rotation: r})
	m.missing = m.missing || !ok
	m.pieces = append(m.pieces, &mansionPiece{turned: t})
}

// along returns a spot that is a way to the east and a way to the south from
// another in what is turned.
func along(from spot, r block.Rotation, east, south int32) spot {
	return from.plus(posture{rotation: r}.apply(spot{x: east, z: south}))
}

// cellSize is the size of a cell of a mansion's plan, in blocks.
const cellSize = 8

// at returns the corner of a cell, on a storey that begins at a spot.
func (m *mansion) at(storey spot, x, y int32) spot {
	return along(storey, m.turn, (x-entryX-1)*cellSize, (y-entryY)*cellSize)
}

// build adds all pieces, in the game's order.
func (m *mansion) build() {
	m.put("entrance", along(m.origin, m.turn, -9, 0), m.turn, block.NoMirror)
	walls := along(m.origin, m.turn, 0, 16)
	m.outerWalls(walls, "wall_flat", m.plan.base, entryX+1, entryY+1, entryX+1, entryY)
	m.outerWalls(walls.up(8), "wall_window", m.plan.base, entryX+1, entryY+1, entryX+1, entryY)
	m.thirdWalls()
	m.roof(m.origin.up(16), m.plan.base, m.plan.third)
	m.roof(m.origin.up(27), m.plan.third, nil)
	for floor := range storeys {
		m.storey(floor)
	}
}

// storey adds the corridors of a storey, and its rooms with their walls.
func (m *mansion) storey(floor int) {
	from := m.origin.up(int32(8 * floor))
	grid, corners := m.plan.base, [...]string{"carpet_south_1", "carpet_west_1"}
	if floor > 0 {
		corners = [...]string{"carpet_south_2", "carpet_west_2"}
	}
	if floor == 2 {
		grid, from = m.plan.third, from.up(3)
	}
	rooms := m.plan.rooms[floor]
	passes := func(x, y int32) bool { return grid.at(x, y) == corridor || rooms.at(x, y)&roomIsCorridor != 0 }
	grid.each(func(x, y int32) {
		if grid.at(x, y) != corridor {
			return
		}
		at := m.at(from, x, y)
		m.add("corridor_floor", at, 0, 0)
		if passes(x, y-1) {
			m.add("carpet_north", along(at, m.turn, 1, 0).up(1), 0, 0)
		}
		if passes(x+1, y) {
			m.add("carpet_east", along(at, m.turn, 5, 1).up(1), 0, 0)
		}
		if passes(x, y+1) {
			m.add(corners[0], along(at, m.turn, -1, 5), 0, 0)
		}
		if passes(x-1, y) {
			m.add(corners[1], along(at, m.turn, -1, -1), 0, 0)
		}
	})
	grid.each(func(x, y int32) {
		if kind := grid.at(x, y); kind == roomCell || floor == 2 && kind == landing {
			m.room(floor, grid, from, x, y)
		}
	})
}
