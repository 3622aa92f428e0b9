package building

import "strata/anvil/block"

// outerWalls adds the walls around a storey: from a cell, looking south, with
// the house to the right, until the end is reached. at is where the first wall
// piece stands.
func (m *mansion) outerWalls(at spot, wall string, g *grid, x, y, endX, endY int32) {
	w := &waller{m: m, at: at, turn: m.turn, wall: wall}
	w.around(g, x, y, endX, endY)
}

// thirdWalls adds the walls around the third storey, if there is one, from its
// most northern cell, of several the most eastern.
func (m *mansion) thirdWalls() {
	g := m.plan.third
	for y := range int32(gridSize) {
		for x := int32(gridSize) - 1; x >= 0; x-- {
			if g.house(x, y) {
				w := &waller{m: m, at: m.at(m.thirdOrigin(), x, y), turn: m.turn, wall: "wall_window"}
				w.straight()
				w.around(g, x, y, x, y)
				return
			}
		}
	}
}

// thirdOrigin is where the walls of the third storey are measured from.
func (m *mansion) thirdOrigin() spot { return m.origin.up(19) }

// waller goes along the outside of a mansion.
type waller struct {
	m    *mansion
	at   spot
	turn block.Rotation
	wall string
}

func (w *waller) straight() {
	w.m.put(w.wall, along(w.at, w.turn, 7, 0), w.turn, 0)
	w.at = along(w.at, w.turn, 0, 8)
}

// corner turns to the right.
func (w *waller) corner() {
	w.at = along(w.at, w.turn, 0, -1)
	w.m.put("wall_corner", w.at, w.turn, 0)
	w.at = along(w.at, w.turn, 6, -7)
	w.turn = w.turn.Then(block.Clockwise90)
}

// nook turns to the left, where the walls of the two sides meet.
func (w *waller) nook() {
	w.at = along(w.at, w.turn, 8, 6)
	w.turn = w.turn.Then(block.Counterclockwise90)
}

func (w *waller) around(g *grid, x, y, endX, endY int32) {
	ahead := block.South
	for {
		dx, _, dy := ahead.Step()
		left := ahead.Clockwise().Opposite()
		lx, _, ly := left.Step()
		turned := false
		switch {
		case !g.house(x+dx, y+dy):
			w.corner()
			ahead = ahead.Clockwise()
		case g.house(x+dx+lx, y+dy+ly):
			w.nook()
			x, y, ahead, turned = x+dx, y+dy, left, true
		default:
			x, y = x+dx, y+dy
		}
		done := x == endX && y == endY && ahead == block.South
		if !done && !turned {
			w.straight()
		}
		if done {
			return
		}
	}
}

// roof adds the roof of a storey where none is above it, and what closes the
// gap between the second and the third storey.
func (m *mansion) roof(from spot, g, above *grid) {
	covered := func(x, y int32) bool { return above != nil && above.house(x, y) }
	g.each(func(x, y int32) {
		if !g.house(x, y) || covered(x, y) {
			return
		}
		at := m.at(from, x, y)
		m.add("roof", at.up(3), 0, 0)
		m.edges(g, x, y, at, "roof_front", [4][2]int32{{6, 0}, {0, 7}, {-1, 0}, {6, 6}})
	})
	if above != nil {
		g.each(func(x, y int32) {
			if g.house(x, y) && above.house(x, y) {
				m.smallWalls(g, x, y, m.at(from, x, y))
			}
		})
	}
	g.each(func(x, y int32) {
		if g.house(x, y) && !covered(x, y) {
			m.roofCorners(g, x, y, m.at(from, x, y))
		}
	})
}

// edges adds a piece on each side of a cell beyond which there is no house: the
// east, west, north and south one. places are how far from at each stands, to
// the east and to the south.
func (m *mansion) edges(g *grid, x, y int32, at spot, name string, places [4][2]int32) {
	for i, side := range [4]struct {
		dx, dy int32
		turn   block.Rotation
	}{
		{1, 0, block.NoRotation}, {-1, 0, block.Clockwise180},
		{0, -1, block.Counterclockwise90}, {0, 1, block.Clockwise90},
	} {
		if !g.house(x+side.dx, y+side.dy) {
			m.add(name, along(at, m.turn, places[i][0], places[i][1]), side.turn, 0)
		}
	}
}

func (m *mansion) smallWalls(g *grid, x, y int32, at spot) {
	m.edges(g, x, y, at, "small_wall", [4][2]int32{{7, 0}, {-1, 6}, {0, -1}, {6, 7}})
	north, south := !g.house(x, y-1), !g.house(x, y+1)
	if !g.house(x+1, y) {
		if north {
			m.add("small_wall_corner", along(at, m.turn, 7, -2), 0, 0)
		}
		if south {
			m.add("small_wall_corner", along(at, m.turn, 8, 7), block.Clockwise90, 0)
		}
	}
	if !g.house(x-1, y) {
		if north {
			m.add("small_wall_corner", along(at, m.turn, -2, -1), block.Counterclockwise90, 0)
		}
		if south {
			m.add("small_wall_corner", along(at, m.turn, -1, 8), block.Clockwise180, 0)
		}
	}
}

// roofCorners adds the corners of the roof of a cell, and those towards cells
// beyond its corners.
func (m *mansion) roofCorners(g *grid, x, y int32, at spot) {
	corner := func(dx, dy, cornerEast, cornerSouth, nookEast, nookSouth int32, cornerTurn, nookTurn block.Rotation) {
		switch {
		case !g.house(x, y+dy):
			m.add("roof_corner", along(at, m.turn, cornerEast, cornerSouth), cornerTurn, 0)
		case g.house(x+dx, y+dy):
			m.add("roof_inner_corner", along(at, m.turn, nookEast, nookSouth), nookTurn, 0)
		}
	}
	if !g.house(x+1, y) {
		corner(1, 1, 6, 6, 6, 5, block.NoRotation, block.NoRotation)
		corner(1, -1, 6, 0, 9, -2, block.Counterclockwise90, block.Clockwise90)
	}
	if !g.house(x-1, y) {
		corner(-1, 1, 0, 6, -3, 8, block.Clockwise90, block.Counterclockwise90)
		corner(-1, -1, 0, 0, 0, 1, block.Clockwise180, block.Clockwise180)
	}
}
