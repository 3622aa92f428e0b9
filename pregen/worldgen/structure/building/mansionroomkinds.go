package building

import (
	"strconv"

	"strata/anvil/block"
	"strata/pregen/worldgen/rng"
)

// The kinds of templates for rooms: side and front rooms have their door in a
// long or in a short wall, secret ones have none.
const (
	plain1x1 = iota
	secret1x1
	side1x2
	front1x2
	secret1x2
	plain2x2
	secret2x2
	stairsSide
	stairsFront
)

// roomTemplates are the templates on the first storey and on the others: how
// their names begin and how many there are. Where there is none to choose,
// nothing is drawn.
var roomTemplates = [2][9]struct {
	name string
	n    int32
}{
	{
		plain1x1: {"1x1_a", 5}, secret1x1: {"1x1_as", 4}, side1x2: {"1x2_a", 9}, front1x2: {"1x2_b", 5},
		secret1x2: {"1x2_s", 2}, plain2x2: {"2x2_a", 4}, secret2x2: {"2x2_s1", 0},
		// The first storey has no stairs.
		stairsSide: {"1x2_a", 9}, stairsFront: {"1x2_b", 5},
	},
	{
		plain1x1: {"1x1_b", 5}, secret1x1: {"1x1_as", 4}, side1x2: {"1x2_c", 4}, front1x2: {"1x2_d", 5},
		secret1x2: {"1x2_se", 1}, plain2x2: {"2x2_b", 5}, secret2x2: {"2x2_s1", 0},
		stairsSide: {"1x2_c_stairs", 0}, stairsFront: {"1x2_d_stairs", 0},
	},
}

// roomName draws a template.
func roomName(random rng.Source, floor, kind int) string {
	t := roomTemplates[min(floor, 1)][kind]
	if t.n == 0 {
		return t.name
	}
	return t.name + strconv.Itoa(int(random.IntN(t.n))+1)
}

// room1x1 adds a room of one cell.
func (m *mansion) room1x1(floor int, at spot, door block.Direction, hasDoor bool) {
	// The game draws a plain room even where it then takes a secret one.
	name, turn := roomName(m.random, floor, plain1x1), block.NoRotation
	switch {
	case !hasDoor:
		name = roomName(m.random, floor, secret1x1)
	case door == block.North:
		turn = block.Counterclockwise90
	case door == block.West:
		turn = block.Clockwise180
	case door == block.South:
		turn = block.Clockwise90
	}
	// The corner of the turned room, so that it fills the same blocks.
	x, z := int32(1), int32(0)
	switch turn {
	case block.Clockwise90:
		x += 6
	case block.Clockwise180:
		x, z = x+6, z+6
	case block.Counterclockwise90:
		z += 6
	}
	m.add(name, along(at, m.turn, x, z), turn, 0)
}

// stance is how a room stands that has its door in a direction and goes on in
// another.
type stance struct {
	door, half  block.Direction
	kind        int
	east, south int32
	turn        block.Rotation
	mirror      block.Mirror
}

var stances1x2 = [...]stance{
	{block.East, block.South, side1x2, 1, 0, block.NoRotation, block.NoMirror},
	{block.East, block.North, side1x2, 1, 6, block.NoRotation, block.LeftRight},
	{block.West, block.North, side1x2, 7, 6, block.Clockwise180, block.NoMirror},
	{block.West, block.South, side1x2, 7, 0, block.NoRotation, block.FrontBack},
	{block.South, block.East, side1x2, 1, 0, block.Clockwise90, block.LeftRight},
	{block.South, block.West, side1x2, 7, 0, block.Clockwise90, block.NoMirror},
	{block.North, block.West, side1x2, 7, 6, block.Clockwise90, block.FrontBack},
	{block.North, block.East, side1x2, 1, 6, block.Counterclockwise90, block.NoMirror},
	{block.South, block.North, front1x2, 1, -8, block.NoRotation, block.NoMirror},
	{block.North, block.South, front1x2, 7, 14, block.Clockwise180, block.NoMirror},
	{block.West, block.East, front1x2, 15, 0, block.Clockwise90, block.NoMirror},
	{block.East, block.West, front1x2, -7, 6, block.Counterclockwise90, block.NoMirror},
	// Rooms without a door, as which Up stands here.
	{block.Up, block.East, secret1x2, 15, 0, block.Clockwise90, block.NoMirror},
	{block.Up, block.South, secret1x2, 1, 0, block.NoRotation, block.NoMirror},
}

var stances2x2 = [...]stance{
	{block.East, block.South, plain2x2, -7, 0, block.NoRotation, block.NoMirror},
	{block.East, block.North, plain2x2, -7, 6, block.NoRotation, block.LeftRight},
	{block.North, block.East, plain2x2, 1, 14, block.Counterclockwise90, block.NoMirror},
	{block.North, block.West, plain2x2, 7, 14, block.Counterclockwise90, block.LeftRight},
	{block.South, block.West, plain2x2, 7, -8, block.Clockwise90, block.NoMirror},
	{block.South, block.East, plain2x2, 1, -8, block.Clockwise90, block.LeftRight},
	{block.West, block.North, plain2x2, 15, 6, block.Clockwise180, block.NoMirror},
	{block.West, block.South, plain2x2, 15, 0, block.NoRotation, block.FrontBack},
}

// room1x2 adds a room of two cells.
func (m *mansion) room1x2(floor int, at spot, door, half block.Direction, hasDoor, stairs bool) {
	if !hasDoor {
		door = block.Up
	}
	m.stand(floor, at, stances1x2[:], door, half, stairs)
}

// room2x2 adds a room of four cells.
func (m *mansion) room2x2(floor int, at spot, door, half block.Direction) {
	m.stand(floor, at, stances2x2[:], door, half, false)
}

func (m *mansion) stand(floor int, at spot, stances []stance, door, half block.Direction, stairs bool) {
	for _, s := range stances {
		if s.door != door || s.half != half {
			continue
		}
		kind := s.kind
		switch {
		case stairs && kind == side1x2:
			kind = stairsSide
		case stairs && kind == front1x2:
			kind = stairsFront
		}
		m.add(roomName(m.random, floor, kind), along(at, m.turn, s.east, s.south), s.turn, s.mirror)
		return
	}
}
