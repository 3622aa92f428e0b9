package underground

import (
	"strata/nbt"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/structure"
)

// fortress is the structure type fortress.
type fortress struct{}

func newFortress(*structure.Loader, provider.Value) (structure.Layout, error) {
	return fortress{}, nil
}

// Find implements structure.Layout.
func (f fortress) Find(l *structure.Layouter) (structure.Point, bool) {
	x, z := l.MinBlock()
	return structure.Point{X: x, Y: startY, Z: z, Pieces: f.pieces}, true
}

// The heights that a fortress lies between.
const lowestFortress, highestFortress = 48, 70

func (fortress) pieces(l *structure.Layouter) []structure.Piece {
	x, z := l.MinBlock()
	h := &halls{maze: maze{random: l.Random}, grow: growFortress}
	h.kinds[0] = options(bridgeKinds)
	h.kinds[1] = options(castleKinds)
	facing := anyFacing(l.Random)
	box := structure.Oriented(x+2, startY, z+2, facing, 19, 10, 19)
	h.spread(&fortCrossing{fortBase{structure.Base{ID: fortCrossingID, Box: box, Facing: facing}}})
	h.lift(lowestFortress, highestFortress)
	return h.pieces
}

// fortressDepth is how many halls of a fortress lie behind each other before
// bridges end.
const fortressDepth = 30

// growFortress lays out a hall of the bridges or, if inner is true, of the
// castle. Where none fits there is the ruined end of a bridge; too far from the
// first hall it is not built, but drawn for.
func growFortress(h *halls, e entry, inner bool) hall {
	if far(h.first, e.x, e.z, hallReach) {
		buildFortEnd(h, e)
		return nil
	}
	list := 0
	if inner {
		list = 1
	}
	weight, left := total(h.kinds[list])
	if left && weight > 0 && e.depth <= fortressDepth {
		if p := h.draw(list, weight, e); p != nil {
			return h.place(p)
		}
	}
	if p := buildFortEnd(h, e); p != nil {
		return h.place(p)
	}
	return nil
}

// The kinds of halls of a fortress: of its bridges and of its castle.
var bridgeKinds, castleKinds []option

func init() { // the builders lead back to the lists
	bridgeKinds = []option{
		{build: buildFortBridge, weight: 30, repeat: true},
		{build: buildFortCrossing, weight: 10, most: 4},
		{build: buildFortRoom, weight: 10, most: 4},
		{build: buildFortStairs, weight: 10, most: 3},
		{build: buildFortThrone, weight: 5, most: 2},
		{build: buildFortEntrance, weight: 5, most: 1},
	}
	castleKinds = []option{
		{build: buildFortCorridor, weight: 25, repeat: true},
		{build: buildFortCorridors, weight: 15, most: 5},
		{build: buildFortRight, weight: 5, most: 10},
		{build: buildFortLeft, weight: 5, most: 10},
		{build: buildFortSlope, weight: 10, most: 3, repeat: true},
		{build: buildFortBalcony, weight: 7, most: 2},
		{build: buildFortGarden, weight: 5, most: 2},
	}
}

// fortBase is what halls of fortresses have.
type fortBase struct{ structure.Base }

// Save implements structure.Piece.
func (f *fortBase) Save() nbt.Compound { return nil }

// branch implements hall.
func (f *fortBase) branch(*halls) {}
