package building

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/rng"
)

type randomSource = rng.Source

// What a cell of a mansion's plan is.
const (
	undecided = iota
	corridor
	roomCell
	landing // part of the entrance, or where the stairs lead to
	annex   // unused by the game, and a house like the three before
	outside
)

// What a cell of a storey's rooms is: the room's number and its kind.
const (
	room1x1 = 1 << (16 + iota)
	room1x2
	room2x2
	_
	roomFirst      // the cell that the room is built from
	roomHasDoor    // it is in this cell
	roomHasStairs  // to the third storey
	roomIsCorridor // no room

	roomNumber = 1<<16 - 1
	roomKind   = room1x1 | room1x2 | room2x2
)

const (
	gridSize       = 11
	entryX, entryY = 7, 4
	storeys        = 3
	firstRoom      = 10
)

// grid is a plan of cells; y is to the south.
type grid struct{ cells [gridSize][gridSize]int32 }

// at returns a cell; beyond the plan all is outside.
func (g *grid) at(x, y int32) int32 {
	if uint32(x) < gridSize && uint32(y) < gridSize {
		return g.cells[y][x]
	}
	return outside
}

func (g *grid) set(x, y, to int32) {
	if uint32(x) < gridSize && uint32(y) < gridSize {
		g.cells[y][x] = to
	}
}

func (g *grid) fill(x0, y0, x1, y1, to int32) {
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			g.set(x, y, to)
		}
	}
}

// offer sets a cell that is undecided.
func (g *grid) offer(x, y, to int32) {
	if g.at(x, y) == undecided {
		g.set(x, y, to)
	}
}

func (g *grid) each(f func(x, y int32)) {
	for y := range int32(gridSize) {
		for x := range int32(gridSize) {
			f(x, y)
		}
	}
}

// house reports whether a cell is built on.
func (g *grid) house(x, y int32) bool {
	c := g.at(x, y)
	return c >= corridor && c <= annex
}

// houses is how many of some cells are built on.
func (g *grid) houses(x, y int32, around [4][2]int32) (n int) {
	for _, d := range around {
		if g.house(x+d[0], y+d[1]) {
			n++
		}
	}
	return n
}

// touches reports whether a cell is beside one of a kind.
func (g *grid) touches(x, y, kind int32) bool {
	for _, d := range sides {
		if g.at(x+d[0], y+d[1]) == kind {
			return true
		}
	}
	return false
}

var (
	sides   = [4][2]int32{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}
	corners = [4][2]int32{{1, 1}, {-1, 1}, {1, -1}, {-1, -1}}
)

// mansionPlan is what the storeys of a mansion look like.
type mansionPlan struct {
	base, third *grid // of the two lower storeys, and of the third
	rooms       [storeys]*grid
}

// newMansionPlan draws a plan.
func newMansionPlan(random rng.Source) *mansionPlan {
	m := &mansionPlan{base: &grid{}, third: &grid{}}
	b := m.base
	b.fill(entryX, entryY, entryX+1, entryY+1, landing)
	b.fill(entryX-1, entryY, entryX-1, entryY+1, roomCell)
	b.fill(entryX+2, entryY-2, entryX+3, entryY+3, outside)
	b.fill(entryX+1, entryY-2, entryX+1, entryY-1, corridor)
	b.fill(entryX+1, entryY+2, entryX+1, entryY+3, corridor)
	b.set(entryX-1, entryY-1, corridor)
	b.set(entryX-1, entryY+2, corridor)
	b.fill(0, 0, gridSize, 1, outside)
	b.fill(0, 9, gridSize, gridSize, outside)
	b.dig(random, entryX, entryY-2, block.West, 6)
	b.dig(random, entryX, entryY+3, block.West, 6)
	b.dig(random, entryX-2, entryY-1, block.West, 3)
	b.dig(random, entryX-2, entryY+2, block.West, 3)
	b.round()
	for floor := range m.rooms {
		m.rooms[floor] = &grid{}
	}
	for _, rooms := range m.rooms[:2] {
		rooms.divide(random, b)
		rooms.fill(entryX+1, entryY, entryX+1, entryY+1, roomIsCorridor)
	}
	m.planThird(random)
	m.rooms[2].divide(random, m.third)
	return m
}

// byQuarter are the horizontal directions by the number that corridors draw.
var byQuarter = [...]block.Direction{block.South, block.West, block.North, block.East}

// dig digs a corridor two cells long, goes on from it, and puts rooms beside.
func (g *grid) dig(random rng.Source, x, y int32, ahead block.Direction, depth int) {
	if depth <= 0 {
		return
	}
	dx, _, dy := ahead.Step()
	g.set(x, y, corridor)
	g.offer(x+dx, y+dy, corridor)
	for range 8 {
		next := byQuarter[random.IntN(4)]
		if next == ahead.Opposite() || next == block.East && random.Bool() {
			continue
		}
		nx, _, ny := next.Step()
		if g.at(x+dx+nx, y+dy+ny) == undecided && g.at(x+dx+2*nx, y+dy+2*ny) == undecided {
			g.dig(random, x+dx+nx, y+dy+ny, next, depth-1)
			break
		}
	}
	rx, ry := -dy, dx // to the right
	for _, s := range [...][2]int32{
		{rx, ry}, {-rx, -ry}, {dx + rx, dy + ry}, {dx - rx, dy - ry}, {2 * dx, 2 * dy}, {2 * rx, 2 * ry}, {-2 * rx, -2 * ry},
	} {
		g.offer(x+s[0], y+s[1], roomCell)
	}
}

// round fills nooks with rooms until there are none.
func (g *grid) round() {
	for again := true; again; {
		again = false
		g.each(func(x, y int32) {
			if g.at(x, y) != undecided {
				return
			}
			beside := g.houses(x, y, sides)
			if beside >= 3 || beside == 2 && g.houses(x, y, corners) <= 1 {
				g.set(x, y, roomCell)
				again = true
			}
		})
	}
}

// planThird draws where the stairs lead to, and the third storey from there.
func (m *mansionPlan) planThird(random rng.Source) {
	var candidates [][2]int32
	second := m.rooms[1]
	second.each(func(x, y int32) {
		if c := second.at(x, y); c&roomKind == room1x2 && c&roomHasDoor != 0 {
			candidates = append(candidates, [2]int32{x, y})
		}
	})
	if len(candidates) == 0 {
		m.third.fill(0, 0, gridSize, gridSize, outside)
		return
	}
	at := candidates[random.IntN(int32(len(candidates)))]
	x, y := at[0], at[1]
	was := second.at(x, y)
	second.set(x, y, was|roomHasStairs)
	endX, endY := x, y
	if d, ok := second.otherHalf(x, y); ok {
		dx, _, dy := d.Step()
		endX, endY = x+dx, y+dy
	}
	m.third.each(func(cx, cy int32) {
		switch {
		case !m.base.house(cx, cy):
			m.third.set(cx, cy, outside)
		case cx == x && cy == y:
			m.third.set(cx, cy, landing)
		case cx == endX && cy == endY:
			m.third.set(cx, cy, landing)
			m.rooms[2].set(cx, cy, roomIsCorridor)
		}
	})
	var ways []block.Direction
	for _, d := range horizontal {
		if dx, _, dy := d.Step(); m.third.at(endX+dx, endY+dy) == undecided {
			ways = append(ways, d)
		}
	}
	if len(ways) == 0 {
		m.third.fill(0, 0, gridSize, gridSize, outside)
		second.set(x, y, was)
		return
	}
	way := ways[random.IntN(int32(len(ways)))]
	dx, _, dy := way.Step()
	m.third.dig(random, endX+dx, endY+dy, way, 4)
	m.third.round()
}

// otherHalf returns the direction in which a room of two cells goes on.
func (g *grid) otherHalf(x, y int32) (block.Direction, bool) {
	number := g.at(x, y) & roomNumber
	for _, d := range horizontal {
		if dx, _, dy := d.Step(); g.at(x+dx, y+dy)&roomNumber == number {
			return d, true
		}
	}
	return 0, false
}
