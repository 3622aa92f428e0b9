package building

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/rng"
)

// divide makes rooms of the cells of a storey that are for rooms, as great ones
// as fit, from cells in random order.
func (g *grid) divide(random rng.Source, storey *grid) {
	var cells [][2]int32
	storey.each(func(x, y int32) {
		if storey.at(x, y) == roomCell {
			cells = append(cells, [2]int32{x, y})
		}
	})
	rng.Shuffle(random, cells)
	number := int32(firstRoom)
	for _, c := range cells {
		if g.at(c[0], c[1]) == undecided {
			g.makeRoom(random, storey, c[0], c[1], number)
			number++
		}
	}
}

// makeRoom makes a room of a cell and of those beside it.
func (g *grid) makeRoom(random rng.Source, storey *grid, x, y, number int32) {
	free := func(dx, dy int32) bool {
		return g.at(x+dx, y+dy) == undecided && storey.at(x+dx, y+dy) == roomCell
	}
	square := func(dx, dy int32) bool { return free(dx, 0) && free(0, dy) && free(dx, dy) }
	x0, x1, y0, y1, kind := x, x, y, y, int32(room2x2)
	switch {
	case square(1, 1):
		x1, y1 = x+1, y+1
	case square(-1, 1):
		x0, y1 = x-1, y+1
	case square(-1, -1):
		x0, y0 = x-1, y-1
	default:
		kind = room1x2
		switch {
		case free(1, 0):
			x1 = x + 1
		case free(0, 1):
			y1 = y + 1
		case free(-1, 0):
			x0 = x - 1
		case free(0, -1):
			y0 = y - 1
		default:
			kind = room1x1
		}
	}
	doorX, doorY, door := g.findDoor(random, storey, x0, y0, x1, y1)
	for cy := y0; cy <= y1; cy++ {
		for cx := x0; cx <= x1; cx++ {
			if cx == doorX && cy == doorY {
				g.set(cx, cy, roomFirst|door|kind|number)
			} else {
				g.set(cx, cy, kind|number)
			}
		}
	}
}

// findDoor draws a corner of a room and looks from there for one at a corridor.
func (g *grid) findDoor(random rng.Source, storey *grid, x0, y0, x1, y1 int32) (x, y, door int32) {
	x, y = x1, y1
	if random.Bool() {
		x = x0
	}
	if random.Bool() {
		y = y0
	}
	otherX, otherY := x0+x1-x, y0+y1-y
	for _, c := range [...][2]int32{{x, y}, {otherX, otherY}, {otherX, y}, {x, otherY}} {
		if storey.touches(c[0], c[1], corridor) {
			return c[0], c[1], roomHasDoor
		}
	}
	return x0, y0, 0
}

// room adds the walls of a cell and, where it is built from this cell, the room.
func (m *mansion) room(floor int, g *grid, storey spot, x, y int32) {
	rooms := m.plan.rooms[floor]
	data := rooms.at(x, y)
	number := data & roomNumber
	entered := g.at(x, y) == landing && data&roomIsCorridor != 0
	door, hasDoor := m.door(g, data, x, y)

	wall, opening := "indoors_wall_1", "indoors_door_1"
	if floor > 0 {
		wall, opening = "indoors_wall_2", "indoors_door_2"
	}
	side := func(d block.Direction) string {
		if hasDoor && door == d {
			return opening
		}
		return wall
	}
	other := func(x, y int32) bool { return g.house(x, y) && rooms.at(x, y)&roomNumber != number }
	at := along(m.at(storey, x, y), m.turn, -1, 0)
	if other(x-1, y) {
		m.add(side(block.West), at, 0, 0)
	}
	if g.at(x+1, y) == corridor && !entered {
		m.add(side(block.East), along(at, m.turn, 8, 0), 0, 0)
	}
	if other(x, y+1) {
		m.add(side(block.South), along(at, m.turn, 7, 7), block.Clockwise90, 0)
	}
	if g.at(x, y-1) == corridor && !entered {
		m.add(side(block.North), along(at, m.turn, 7, -1), block.Clockwise90, 0)
	}

	secret := !hasDoor && data&roomFirst != 0
	switch data & roomKind {
	case room1x1:
		m.room1x1(floor, at, door, hasDoor)
	case room1x2:
		if hasDoor || secret {
			if half, ok := rooms.otherHalf(x, y); ok {
				m.room1x2(floor, at, door, half, hasDoor, data&roomHasStairs != 0)
			}
		}
	case room2x2:
		if hasDoor {
			half := door.Clockwise()
			if dx, _, dy := half.Step(); rooms.at(x+dx, y+dy)&roomNumber != number {
				half = half.Opposite()
			}
			m.room2x2(floor, at, door, half)
		} else if secret {
			m.add(roomName(m.random, floor, secret2x2), along(at, m.turn, 1, 0), 0, 0)
		}
	}
}

// door draws which corridor beside a cell the door of its room leads to.
func (m *mansion) door(g *grid, data, x, y int32) (block.Direction, bool) {
	var ways []block.Direction
	if data&roomHasDoor != 0 {
		for _, d := range horizontal {
			if dx, _, dy := d.Step(); g.at(x+dx, y+dy) == corridor {
				ways = append(ways, d)
			}
		}
	}
	if len(ways) == 0 {
		return 0, false
	}
	return ways[m.random.IntN(int32(len(ways)))], true
}
