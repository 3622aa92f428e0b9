package underground

import (
	"strata/nbt"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
	"strata/pregen/worldgen/structure"
)

// stronghold is the structure type stronghold.
type stronghold struct{}

func newStronghold(*structure.Loader, provider.Value) (structure.Layout, error) {
	return stronghold{}, nil
}

// Find implements structure.Layout.
func (s stronghold) Find(l *structure.Layouter) (structure.Point, bool) {
	x, z := l.MinBlock()
	return structure.Point{X: x, Y: 0, Z: z, Pieces: s.pieces}, true
}

// pieces lays out strongholds until one has a portal room.
func (stronghold) pieces(l *structure.Layouter) []structure.Piece {
	x, z := l.MinBlock()
	for try := int64(0); ; try++ {
		l.Random.SetLargeFeatureSeed(l.Seed+try, l.ChunkX, l.ChunkZ)
		h := &halls{maze: maze{random: l.Random}, grow: growStronghold, cross: true}
		h.kinds[0] = options(strongholdKinds)
		facing := anyFacing(l.Random)
		h.spread(&strongStairs{
			strongBase: strongBase{Base: structure.Base{
				ID: strongStartID, Box: structure.Oriented(x+2, startY, z+2, facing, 5, 11, 5), Facing: facing,
			}},
			source: true,
		})
		h.sink(l)
		if h.portal {
			return h.pieces
		}
	}
}

// startY is the height at which strongholds and fortresses are laid out before
// they are moved.
const startY = 64

// strongholdDepth is how many halls of a stronghold may lie behind each other.
const strongholdDepth = 50

// growStronghold lays out a hall, or where none fits a short corridor to what is
// there already.
func growStronghold(h *halls, e entry, _ bool) hall {
	if e.depth > strongholdDepth+1 || far(h.first, e.x, e.z, hallReach) {
		return nil
	}
	weight, left := total(h.kinds[0])
	if !left {
		return nil
	}
	if h.cross {
		h.cross = false
		if p := buildStrongCrossing(h, e); p != nil {
			return h.place(p)
		}
	}
	if p := h.draw(0, weight, e); p != nil {
		return h.place(p)
	}
	if b, ok := h.gap(e); ok && b.MinY > 1 {
		length := b.MaxZ - b.MinZ + 1
		if alongX(e.facing) {
			length = b.MaxX - b.MinX + 1
		}
		return h.place(&strongFiller{strongBase{Base: e.base(strongFillerID, b)}, length})
	}
	return nil
}

// gap returns the box of a corridor from a door to a hall of the same height
// that is too near for any other.
func (h *halls) gap(e entry) (structure.Box, bool) {
	size := func(length int32) structure.Box {
		return structure.Attached(e.x, e.y, e.z, -1, -1, 0, 5, 5, length, e.facing)
	}
	met, ok := h.met(size(4))
	if !ok || met.MinY != size(4).MinY {
		return structure.Box{}, false
	}
	for length := int32(2); length >= 1; length-- {
		if !met.Meets(size(length)) {
			return size(length + 1), true
		}
	}
	return structure.Box{}, false
}

// strongholdKinds are the kinds of halls of a stronghold.
var strongholdKinds []option

func init() { // the builders lead back to the list
	strongholdKinds = []option{
		{build: buildStrongStraight, weight: 40},
		{build: buildStrongPrison, weight: 5, most: 5},
		{build: buildStrongLeft, weight: 20},
		{build: buildStrongRight, weight: 20},
		{build: buildStrongRoom, weight: 10, most: 6},
		{build: buildStrongSlope, weight: 5, most: 5},
		{build: buildStrongStairs, weight: 5, most: 5},
		{build: buildStrongCrossing, weight: 5, most: 4},
		{build: buildStrongChest, weight: 5, most: 4},
		{build: buildStrongLibrary, weight: 10, most: 2, below: 4},
		{build: buildStrongPortal, weight: 20, most: 1, below: 5},
	}
}

// door is what closes the entrance of a hall.
type door uint8

const (
	noDoor door = iota
	woodenDoor
	grates
	ironDoor
)

var doorNames = [...]string{"OPENING", "WOOD_DOOR", "GRATES", "IRON_DOOR"}

func drawDoor(r *rng.Worldgen) door {
	return [...]door{noDoor, noDoor, woodenDoor, grates, ironDoor}[r.IntN(5)]
}

// strongBase is what halls of strongholds have.
type strongBase struct {
	structure.Base
	door door
}

func (h *halls) strong(id string, e entry, b structure.Box) strongBase {
	return strongBase{e.base(id, b), drawDoor(h.random)}
}

// Save implements structure.Piece.
func (s *strongBase) Save() nbt.Compound {
	return nbt.Compound{{Name: "EntryDoor", Value: doorNames[s.door]}}
}

func readStrongBase(b structure.Base, f *structure.Fields) strongBase {
	s := strongBase{Base: b}
	for i, name := range doorNames {
		if f.Text("EntryDoor") == name {
			s.door = door(i)
		}
	}
	return s
}
