package building

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/structure"
)

// opKind is what a step of a plan does.
type opKind uint8

const (
	opBox   opKind = iota // fills a box
	opSolid               // replaces what is not air in a box
	opWater               // lets the sea into a box, or above the sea air
	opFlood               // replaces the water in a box
	opDown                // fills down to the ground from the columns of a box
	opWall                // fills a box with blocks that are chosen one by one
	opUse                 // runs another plan
	opMark                // calls the piece
)

// op is a step of a plan, done count times, each time elsewhere by step.
type op struct {
	kind         opKind
	at, step     [6]int32
	count        int32
	edge, inside block.State
	use          *plan
	mark         string
	if_, unless  facts
}

// plan is a sequence of steps in the coordinates of a piece.
type plan struct {
	name    string
	hasArea bool
	area    [4]int32 // x, z and x, z: chunks without a column of it skip the plan
	ops     []op
}

// facts are what the conditions of a plan ask about, as bits.
type facts uint32

// The facts of a piece that are not a room's.
const (
	factLeft  facts = 1 << iota // a wing is the left one
	factUpper                   // a room is not on the ground floor
	firstRoomFact
)

// roomFacts is how many facts there are of each of the rooms a to d: whether
// it is open in each direction, and whether nothing is above.
const roomFacts = 7

// roofless is the last of the facts of a room.
const roofless = 6

func roomFact(room int, fact int) facts { return firstRoomFact << (room*roomFacts + fact) }

// builder runs plans.
type builder struct {
	p      *structure.Placer
	b      *structure.Base
	facts  facts
	choose structure.Chooser
	mark   func(name string, x, y, z int32)
}

// run runs a plan whose origin is moved within the piece.
func (w *builder) run(l *plan, dx, dy, dz int32) {
	if l.hasArea && !w.meets(l.area, dx, dz) {
		return
	}
	for i := range l.ops {
		o := &l.ops[i]
		if w.facts&o.if_ != o.if_ || w.facts&o.unless != 0 {
			continue
		}
		for n := range o.count {
			w.do(o, [6]int32{
				o.at[0] + o.step[0]*n + dx, o.at[1] + o.step[1]*n + dy, o.at[2] + o.step[2]*n + dz,
				o.at[3] + o.step[3]*n + dx, o.at[4] + o.step[4]*n + dy, o.at[5] + o.step[5]*n + dz,
			})
		}
	}
}

func (w *builder) do(o *op, at [6]int32) {
	switch o.kind {
	case opUse:
		w.run(o.use, at[0], at[1], at[2])
	case opMark:
		w.mark(o.mark, at[0], at[1], at[2])
	case opWall:
		w.b.FillChosen(w.p, at[0], at[1], at[2], at[3], at[4], at[5], false, w.choose)
	default:
		w.fill(o, at)
	}
}

// fill runs the steps that draw nothing, over what of the box may be written.
func (w *builder) fill(o *op, at [6]int32) {
	clip := w.local(w.p.Box)
	for y := at[1]; y <= at[4]; y++ {
		for x := max(at[0], clip.MinX); x <= min(at[3], clip.MaxX); x++ {
			for z := max(at[2], clip.MinZ); z <= min(at[5], clip.MaxZ); z++ {
				switch o.kind {
				case opBox:
					s := o.inside
					if y == at[1] || y == at[4] || x == at[0] || x == at[3] || z == at[2] || z == at[5] {
						s = o.edge
					}
					w.b.Put(w.p, s, x, y, z)
				case opSolid:
					if !w.b.At(w.p, x, y, z).Air() {
						w.b.Put(w.p, o.edge, x, y, z)
					}
				case opWater:
					w.water(x, y, z)
				case opFlood:
					if w.b.At(w.p, x, y, z) == water {
						w.b.Put(w.p, o.edge, x, y, z)
					}
				case opDown:
					w.b.ColumnDown(w.p, o.edge, x, y, z)
				}
			}
		}
	}
}

var (
	air   block.State
	water = block.Water.Default()
)

func (w *builder) water(x, y, z int32) {
	switch w.b.At(w.p, x, y, z).Block() {
	case block.Water, block.Ice, block.PackedIce, block.BlueIce:
		return
	}
	_, wy, _ := w.b.World(x, y, z)
	if int(wy) >= w.p.SeaLevel() {
		w.b.Put(w.p, air, x, y, z)
	} else {
		w.b.Put(w.p, water, x, y, z)
	}
}

// local returns a box of the world in the coordinates of the piece; its heights
// are left as they are.
func (w *builder) local(box structure.Box) structure.Box {
	b := w.b.Box
	switch w.b.Facing {
	case structure.FacesNorth:
		return structure.Box{MinX: box.MinX - b.MinX, MinZ: b.MaxZ - box.MaxZ, MaxX: box.MaxX - b.MinX, MaxZ: b.MaxZ - box.MinZ}
	case structure.FacesWest:
		return structure.Box{MinX: box.MinZ - b.MinZ, MinZ: b.MaxX - box.MaxX, MaxX: box.MaxZ - b.MinZ, MaxZ: b.MaxX - box.MinX}
	case structure.FacesEast:
		return structure.Box{MinX: box.MinZ - b.MinZ, MinZ: box.MinX - b.MinX, MaxX: box.MaxZ - b.MinZ, MaxZ: box.MaxX - b.MinX}
	case structure.FacesSouth:
		return structure.Box{MinX: box.MinX - b.MinX, MinZ: box.MinZ - b.MinZ, MaxX: box.MaxX - b.MinX, MaxZ: box.MaxZ - b.MinZ}
	}
	return box
}

// meets reports whether the chunk has a column of an area.
func (w *builder) meets(area [4]int32, dx, dz int32) bool {
	x0, _, z0 := w.b.World(area[0]+dx, 0, area[1]+dz)
	x1, _, z1 := w.b.World(area[2]+dx, 0, area[3]+dz)
	return w.p.Box.MeetsColumns(min(x0, x1), min(z0, z1), max(x0, x1), max(z0, z1))
}
