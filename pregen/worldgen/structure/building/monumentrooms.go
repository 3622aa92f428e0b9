package building

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/rng"
	"strata/pregen/worldgen/structure"
)

// The rooms of a monument stand in three storeys of 5 by 5 cells, some of them
// empty. North is the way in: the room beyond a room's north is the one with
// the higher z.
const (
	cellsWide   = 5
	storeyCells = cellsWide * cellsWide
	allCells    = 3 * storeyCells
)

func cell(x, y, z int) int { return y*storeyCells + z*cellsWide + x }

// none is no room.
const none = -1

// room is a room of a monument, or one of the two wings and the penthouse,
// which are beyond its cells.
type room struct {
	cell    int
	beside  [6]int // the rooms next to it by direction
	open    [6]bool
	taken   bool
	scanned int
}

// maze is the rooms of a monument and how one gets from one to another.
type maze struct {
	rooms    []room
	order    []int // the rooms of cells as they are taken
	entry    int
	core     int
	lastScan int
}

func (m *maze) add(cell int) int {
	m.rooms = append(m.rooms, room{cell: cell, beside: [6]int{none, none, none, none, none, none}})
	return len(m.rooms) - 1
}

func (m *maze) connect(from int, d block.Direction, to int) {
	m.rooms[from].beside[d] = to
	m.rooms[to].beside[d.Opposite()] = from
}

// newMaze draws the rooms of a monument.
func newMaze(random rng.Source) *maze {
	m := &maze{}
	at := m.fillCells()
	m.entry = at[cell(2, 0, 0)]
	for i, from := range at {
		if from != none {
			m.connectCell(at, i, from)
		}
	}
	roof, left, right := m.add(allCells), m.add(allCells), m.add(allCells)
	m.connect(at[cell(2, 2, 0)], block.Up, roof)
	m.connect(at[cell(0, 1, 0)], block.South, left)
	m.connect(at[cell(4, 1, 0)], block.South, right)
	for _, i := range []int{roof, left, right} {
		m.rooms[i].taken = true
	}
	m.core = at[cell(int(random.IntN(4)), 0, 2)]
	m.take(m.core, block.East, block.North, block.Up)
	for _, i := range at {
		if i != none {
			r := &m.rooms[i]
			for d := range r.open {
				r.open[d] = r.beside[d] != none
			}
			m.order = append(m.order, i)
		}
	}
	m.rooms[roof].open[block.Down] = true
	rng.Shuffle(random, m.order)
	for _, i := range m.order {
		m.close(random, i)
	}
	return m
}

// fillCells makes the rooms of the cells.
func (m *maze) fillCells() (at [allCells]int) {
	for i := range at {
		at[i] = none
	}
	for y := range 2 {
		for x := range cellsWide {
			for z := range 4 {
				at[cell(x, y, z)] = m.add(cell(x, y, z))
			}
		}
	}
	for x := 1; x < 4; x++ {
		for z := range 2 {
			at[cell(x, 2, z)] = m.add(cell(x, 2, z))
		}
	}
	return at
}

func (m *maze) connectCell(at [allCells]int, i, from int) {
	x, y, z := i%cellsWide, i/storeyCells, i/cellsWide%cellsWide
	for d := block.Down; d <= block.East; d++ {
		dx, dy, dz := d.Step()
		nx, ny, nz := x+int(dx), y+int(dy), z-int(dz)
		if uint(nx) >= cellsWide || uint(ny) >= 3 || uint(nz) >= cellsWide {
			continue
		}
		if to := at[cell(nx, ny, nz)]; to != none {
			m.connect(from, d, to)
		}
	}
}

// take marks a room as taken, and those that lie beyond it in some of the
// directions.
func (m *maze) take(i int, directions ...block.Direction) {
	if m.rooms[i].taken = true; len(directions) == 0 {
		return
	}
	m.take(i, directions[1:]...)
	m.take(m.rooms[i].beside[directions[0]], directions[1:]...)
}

// close tries to close up to two of a room's openings, as long as everybody
// still finds the way to the entry.
func (m *maze) close(random rng.Source, i int) {
	closed := 0
	for range 5 {
		d := block.Direction(random.IntN(6))
		if m.rooms[i].open[d] {
			to := m.rooms[i].beside[d]
			m.setOpen(i, d, to, false)
			if m.reaches(i) && m.reaches(to) {
				closed++
			} else {
				m.setOpen(i, d, to, true)
			}
		}
		if closed == 2 {
			return
		}
	}
}

func (m *maze) setOpen(i int, d block.Direction, to int, open bool) {
	m.rooms[i].open[d] = open
	m.rooms[to].open[d.Opposite()] = open
}

func (m *maze) reaches(from int) bool {
	m.lastScan++
	return m.scan(from)
}

func (m *maze) scan(i int) bool {
	if i == m.entry {
		return true
	}
	r := &m.rooms[i]
	r.scanned = m.lastScan
	for d, to := range r.beside {
		if to != none && r.open[d] && m.rooms[to].scanned != m.lastScan && m.scan(to) {
			return true
		}
	}
	return false
}

// free reports whether one can go from a room in a direction to one that is
// not taken.
func (m *maze) free(i int, d block.Direction) bool {
	r := &m.rooms[i]
	return r.open[d] && !m.rooms[r.beside[d]].taken
}

// roomPiece is a part of a monument: a room, or several that are one.
type roomPiece struct {
	structure.Base
	plan   string
	facts  facts
	design int32
}

// facts are what plans ask about a room and the one beside it, if there is
// one, and those above.
func (m *maze) facts(first, second int) (f facts) {
	if m.rooms[first].cell/storeyCells > 0 {
		f |= factUpper
	}
	four := [4]int{first, second, m.rooms[first].beside[block.Up], none}
	if second != none {
		four[3] = m.rooms[second].beside[block.Up]
	}
	for n, i := range four {
		if i == none {
			continue
		}
		for d, open := range m.rooms[i].open {
			if open {
				f |= roomFact(n, d)
			}
		}
		if m.rooms[i].beside[block.Up] == none {
			f |= roomFact(n, roofless)
		}
	}
	return f
}

// openings is the number of a room's openings.
func (m *maze) openings(i int) (n int) {
	for _, open := range m.rooms[i].open {
		if open {
			n++
		}
	}
	return n
}

// fit takes a room, with others beside and above it where there is room for a
// greater one, and returns its part.
func (m *maze) fit(random rng.Source, i int, facing structure.Facing) *roomPiece {
	pair := func(d block.Direction) bool {
		return m.free(i, d) && m.free(i, block.Up) && m.free(m.rooms[i].beside[d], block.Up)
	}
	r := &m.rooms[i]
	east, north := r.beside[block.East], r.beside[block.North]
	switch {
	case pair(block.East):
		m.take(i, block.East, block.Up)
		return m.part("double_xy", i, east, facing, 2, 2, 1)
	case pair(block.North):
		m.take(i, block.North, block.Up)
		return m.part("double_yz", i, north, facing, 1, 2, 2)
	case m.free(i, block.North):
		m.take(i, block.North)
		return m.part("double_z", i, north, facing, 1, 1, 2)
	case m.free(i, block.East):
		m.take(i, block.East)
		return m.part("double_x", i, east, facing, 2, 1, 1)
	case m.free(i, block.Up):
		m.take(i, block.Up)
		return m.part("double_y", i, none, facing, 1, 2, 1)
	}
	m.take(i)
	if !r.open[block.West] && !r.open[block.East] && !r.open[block.North] && !r.open[block.South] && !r.open[block.Up] {
		return m.part("simple_top", i, none, facing, 1, 1, 1)
	}
	p := m.part("simple", i, none, facing, 1, 1, 1)
	p.design = random.IntN(3)
	return p
}

// part returns the part of a room and the one beside it, in a monument whose
// first cell is at the origin.
func (m *maze) part(plan string, i, second int, facing structure.Facing, sizeX, sizeY, sizeZ int32) *roomPiece {
	c := m.rooms[i].cell
	x, y, z := int32(c%cellsWide)*8, int32(c/storeyCells)*4, int32(c/cellsWide%cellsWide)*8
	box := structure.Oriented(0, 0, 0, facing, sizeX*8, sizeY*4, sizeZ*8)
	switch facing {
	case structure.FacesNorth:
		box = box.Moved(x, y, 1-z-sizeZ*8)
	case structure.FacesSouth:
		box = box.Moved(x, y, z)
	case structure.FacesWest:
		box = box.Moved(1-z-sizeZ*8, y, x)
	default:
		box = box.Moved(z, y, x)
	}
	return &roomPiece{Base: structure.Base{Box: box, Facing: facing}, plan: plan, facts: m.facts(i, second)}
}
