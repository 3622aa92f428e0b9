package underground

import "strata/pregen/worldgen/structure"

// halls is a stronghold or a fortress in the making: rooms and passages that
// lead from door to door. Which of those laid out is branched from next is
// drawn.
type halls struct {
	maze
	first   structure.Box
	waiting []hall  // laid out, but not branched from
	last    *option // the kind laid out last
	grow    func(h *halls, e entry, inner bool) hall

	portal bool // a stronghold's portal room is there
	cross  bool // the next hall of a stronghold is a crossing, if it fits
	kinds  [2][]*option
}

// hall is a piece of a structure of halls.
type hall interface {
	structure.Piece
	// branch lays out what lies behind the doors.
	branch(h *halls)
}

// entry is a door that leads out of a hall: the block behind it, which way one
// goes, and how far the hall behind is from the first.
type entry struct {
	x, y, z int32
	facing  structure.Facing
	depth   int32
}

// option is a kind of hall.
type option struct {
	build  func(h *halls, e entry) hall // nil if it does not fit
	weight int32
	most   int32 // how many there may be, 0 for any number
	below  int32 // only halls deeper than that are of the kind
	repeat bool  // two may follow each other
	placed int32
}

// spent reports whether there may not be more of a kind.
func (o *option) spent() bool { return o.most > 0 && o.placed >= o.most }

// options returns a list of kinds of which none is placed.
func options(all []option) []*option {
	list := make([]*option, len(all))
	for i := range all {
		o := all[i]
		list[i] = &o
	}
	return list
}

// total returns the weight of all kinds, and whether any of those whose number
// is limited is left.
func total(kinds []*option) (weight int32, left bool) {
	for _, o := range kinds {
		weight += o.weight
		left = left || o.most > 0 && !o.spent()
	}
	return weight, left
}

// draws is how often a kind is drawn for a door.
const draws = 5

// draw makes a hall of a drawn kind. If that does not fit, kinds that follow it
// in the list are tried as well.
func (h *halls) draw(list int, weight int32, e entry) hall {
	for range draws {
		roll := h.random.IntN(weight)
		for i, o := range h.kinds[list] {
			if roll -= o.weight; roll >= 0 {
				continue
			}
			if o.spent() || e.depth <= o.below || o == h.last && !o.repeat {
				break
			}
			p := o.build(h, e)
			if p == nil {
				continue
			}
			o.placed++
			h.last = o
			if o.spent() {
				h.kinds[list] = append(h.kinds[list][:i:i], h.kinds[list][i+1:]...)
			}
			return p
		}
	}
	return nil
}

// place adds a hall that will be branched from.
func (h *halls) place(p hall) hall {
	h.add(p)
	h.waiting = append(h.waiting, p)
	return p
}

// spread lays out all halls behind the first.
func (h *halls) spread(first hall) {
	h.first = first.Common().Box
	h.add(first)
	first.branch(h)
	for len(h.waiting) > 0 {
		i := h.random.IntN(int32(len(h.waiting)))
		next := h.waiting[i]
		h.waiting = append(h.waiting[:i], h.waiting[i+1:]...)
		next.branch(h)
	}
}

const (
	hallReach  = 112 // blocks from the first hall
	lowestHall = 10  // halls stay above
)

// fit returns the box of a hall of a size whose entrance is off from its
// corner, and whether there is room for it.
func (h *halls) fit(e entry, offX, offY, sizeX, sizeY, sizeZ int32) (structure.Box, bool) {
	b := structure.Attached(e.x, e.y, e.z, -offX, -offY, 0, sizeX, sizeY, sizeZ, e.facing)
	return b, b.MinY > lowestHall && h.free(b)
}

// base returns what a hall has as a piece.
func (e entry) base(id string, b structure.Box) structure.Base {
	return structure.Base{ID: id, Box: b, Facing: e.facing, Depth: e.depth}
}

// ahead lays out a hall behind the door in the far wall.
func (h *halls) ahead(b *structure.Base, off, up int32, inner bool) {
	h.through(b, b.Facing, off, up, inner)
}

// left lays out a hall behind a door in the wall of the lower coordinates, which
// is not to the left of all facings.
func (h *halls) left(b *structure.Base, up, off int32, inner bool) {
	side, _ := flanks(b.Facing)
	h.through(b, side, off, up, inner)
}

// right is left for the wall of the higher coordinates.
func (h *halls) right(b *structure.Base, up, off int32, inner bool) {
	_, side := flanks(b.Facing)
	h.through(b, side, off, up, inner)
}

func (h *halls) through(b *structure.Base, side structure.Facing, off, up int32, inner bool) {
	x, z := beside(b.Box, side, off)
	h.grow(h, entry{x, b.Box.MinY + up, z, side, b.Depth + 1}, inner)
}

// turned reports whether a piece faces north or west, against the coordinates.
func turned(f structure.Facing) bool {
	return f == structure.FacesNorth || f == structure.FacesWest
}

// northOrEast reports whether a piece's left is that of the lower coordinates.
func northOrEast(f structure.Facing) bool {
	return f == structure.FacesNorth || f == structure.FacesEast
}
