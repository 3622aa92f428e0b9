package plan

import (
	"fmt"
	"slices"
)

// Order is the way through an area.
type Order string

// The orders.
const (
	ByRegion   Order = "region"
	Concentric Order = "concentric"
	Spiral     Order = "spiral"
	Loop       Order = "loop"
)

// Orders lists the orders, the default first.
func Orders() []Order { return []Order{ByRegion, Concentric, Spiral, Loop} }

// ParseOrder returns the order of a name, ByRegion for none. The error wraps
// ErrOrder and lists them.
func ParseOrder(name string) (Order, error) {
	switch {
	case name == "":
		return ByRegion, nil
	case slices.Contains(Orders(), Order(name)):
		return Order(name), nil
	}
	return "", fmt.Errorf("%w %q: want one of %s", ErrOrder, name, list(Orders()))
}

// cell is a square of a grid.
type cell struct{ x, z int32 }

// rings calls visit with every cell of the rectangle, ring by ring around the
// centre, which may lie outside of it, until visit returns false. With around,
// each ring is walked round, from the west by the north; otherwise its northern and southern side come first, from west to east,
// and then the western and eastern one. It takes time for the cells alone,
// however far away the centre is.
func rings(r Rect, centre cell, around bool, visit func(cell) bool) bool {
	if r.Empty() {
		return true
	}
	away := func(at, low, high int32) int32 { return max(low-at, at-high, 0) }
	first := max(away(centre.x, r.MinX, r.MaxX), away(centre.z, r.MinZ, r.MaxZ))
	last := max(r.MaxX-centre.x, centre.x-r.MinX, r.MaxZ-centre.z, centre.z-r.MinZ)
	for k := first; k <= last; k++ {
		if !walkRing(r, centre, k, around, visit) {
			return false
		}
	}
	return true
}

func walkRing(r Rect, c cell, k int32, around bool, visit func(cell) bool) bool {
	if k == 0 {
		return !r.Contains(chunkOf(c)) || visit(c)
	}
	row := func(z, from, to int32) bool { return walk(r, cell{from, z}, cell{to, z}, visit) }
	column := func(x, from, to int32) bool { return walk(r, cell{x, from}, cell{x, to}, visit) }
	north, south, west, east := c.z-k, c.z+k, c.x-k, c.x+k
	if around {
		// From the middle of the western side, so that the end of each ring
		// touches the beginning of the next one.
		return column(west, c.z, north) && row(north, west+1, east) && column(east, north+1, south) &&
			row(south, east-1, west) && (k == 1 || column(west, south-1, c.z+1))
	}
	return row(north, west, east) && row(south, west, east) &&
		column(west, north+1, south-1) && column(east, north+1, south-1)
}

// walk visits the cells of a straight line from one to another, both included,
// as far as they are in r, until visit returns false.
func walk(r Rect, from, to cell, visit func(cell) bool) bool {
	step := cell{sign(to.x - from.x), sign(to.z - from.z)}
	if !clip(&from.x, &to.x, step.x, r.MinX, r.MaxX) || !clip(&from.z, &to.z, step.z, r.MinZ, r.MaxZ) {
		return true
	}
	for at := from; ; at = (cell{at.x + step.x, at.z + step.z}) {
		if !visit(at) {
			return false
		}
		if at == to {
			return true
		}
	}
}

// clip cuts one coordinate of a line to low and high, and reports whether
// there is something left.
func clip(from, to *int32, step, low, high int32) bool {
	if step < 0 {
		*from, *to = min(*from, high), max(*to, low)
		return *from >= *to
	}
	*from, *to = max(*from, low), min(*to, high)
	return *from <= *to
}

func sign(v int32) int32 {
	switch {
	case v < 0:
		return -1
	case v > 0:
		return 1
	}
	return 0
}

// hilbert returns the cell of a place on the Hilbert curve through a square of
// 2^bits cells a side. Each cell of the curve is a neighbour of the one before.
func hilbert(bits int, at int) (x, z int) {
	for side := 1; side < 1<<bits; side *= 2 {
		right := at >> 1 & 1
		down := (at ^ right) & 1
		if down == 0 {
			if right == 1 {
				x, z = side-1-x, side-1-z
			}
			x, z = z, x
		}
		x, z = x+side*right, z+side*down
		at >>= 2
	}
	return x, z
}
