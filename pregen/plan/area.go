package plan

import (
	"fmt"
	"math/bits"

	"strata/region"
)

// Area is a set of chunks. It does not change and is safe for concurrent use.
type Area struct {
	shape  Shape
	text   string
	bounds Rect
	form   form
	stored *stored // of Existing
}

// form is the geometry of an area in blocks.
type form interface {
	// contains reports whether the point is in the form, or on its border.
	contains(x, z int64) bool
	// uniform reports whether all points of the rectangle are known to be in
	// the form if one is. It may say no where the answer is yes.
	uniform(x0, z0, x1, z1 int64) bool
}

// NewArea returns the area of a shape that is given by centre and radius:
// every shape but Polygon and Existing. The error wraps ErrShape, ErrRadius or
// ErrRange.
func NewArea(shape Shape, centre Block, radius Radius) (*Area, error) {
	a := &Area{shape: shape, text: fmt.Sprintf("%s, radius %s, centre %d,%d", shape, radius, centre.X, centre.Z)}
	if radius.X != radius.Z && shape != Rectangle && shape != Ellipse {
		return nil, fmt.Errorf("%w %s: a %s has one", ErrRadius, radius, shape)
	}
	cx, cz, rx, rz := metric(centre, radius)
	switch shape {
	case Square, Rectangle:
		box := box{cx - rx, cz - rz, cx + rx, cz + rz}
		if radius.Blocks {
			box = box.widened()
		}
		a.form = box
	case Circle, Ellipse:
		a.form = newEllipse(cx, cz, rx, rz)
	case Diamond:
		a.form = diamond{cx, cz, rx}
	case Triangle, Pentagon, Hexagon, Star:
		a.form = regular(corners[shape], cx, cz, rx)
	case Polygon, Existing:
		return nil, fmt.Errorf("%w: a %s is not made of centre and radius", ErrShape, shape)
	default:
		return nil, fmt.Errorf("%w %q", ErrShape, shape)
	}
	return a.within(cx-rx, cz-rz, cx+rx, cz+rz)
}

// metric is centre and radius in blocks. With a radius in chunks the centre is
// the middle of its chunk and half a chunk is added, so that the chunks that
// are counted are inside with all of their area.
func metric(centre Block, r Radius) (cx, cz, rx, rz int64) {
	if r.Blocks {
		return int64(centre.X), int64(centre.Z), int64(r.X), int64(r.Z)
	}
	return int64(centre.X&^15) + 8, int64(centre.Z&^15) + 8, int64(r.X)*16 + 8, int64(r.Z)*16 + 8
}

// NewBox returns the chunks of a rectangle of blocks, both corners included,
// such as a world border's.
func NewBox(from, to Block) (*Area, error) {
	if from.X > to.X || from.Z > to.Z {
		return nil, fmt.Errorf("box from %v to %v: %w", from, to, ErrRange)
	}
	a := &Area{shape: Rectangle, text: fmt.Sprintf("rectangle from %d,%d to %d,%d", from.X, from.Z, to.X, to.Z)}
	a.form = box{int64(from.X), int64(from.Z), int64(to.X), int64(to.Z)}.widened()
	return a.within(int64(from.X), int64(from.Z), int64(to.X), int64(to.Z))
}

// within sets the bounding box by one in blocks, with room to spare.
func (a *Area) within(x0, z0, x1, z1 int64) (*Area, error) {
	if min(x0, z0) < -MaxBlock || max(x1, z1) > MaxBlock {
		return nil, fmt.Errorf("%s: %w: the world ends at %d blocks", a.text, ErrRange, MaxBlock)
	}
	a.bounds = Rect{int32(x0>>4) - 1, int32(z0>>4) - 1, int32(x1>>4) + 1, int32(z1>>4) + 1}
	if a.bounds.Chunks() > MaxBounds {
		return nil, fmt.Errorf("%s: %w: more than %d chunks", a.text, ErrRange, int64(MaxBounds))
	}
	return a, nil
}

// Shape is the kind of the area.
func (a *Area) Shape() Shape { return a.shape }

// String describes the area wholly, in one line: equal areas that were made in
// the same way have equal descriptions, and different ones have not.
func (a *Area) String() string { return a.text }

// Bounds is a rectangle that contains the area.
func (a *Area) Bounds() Rect { return a.bounds }

// Contains reports whether the chunk is in the area.
func (a *Area) Contains(c region.ChunkPos) bool {
	if !a.bounds.Contains(c) {
		return false
	}
	if a.stored != nil {
		return a.stored.contains(c)
	}
	return a.form.contains(int64(c.X)*16+8, int64(c.Z)*16+8)
}

// Mask is the area's part of a region.
func (a *Area) Mask(p region.Pos) (m Mask) {
	r := regionRect(p)
	if !r.overlaps(a.bounds) {
		return m
	}
	if a.stored != nil {
		return a.stored.regions[p]
	}
	if a.form.uniform(int64(r.MinX)*16+8, int64(r.MinZ)*16+8, int64(r.MaxX)*16+8, int64(r.MaxZ)*16+8) {
		if a.Contains(p.Chunk(0)) {
			return full
		}
		return m
	}
	for s := range region.Slot(region.Slots) {
		if a.Contains(p.Chunk(s)) {
			m.Set(s)
		}
	}
	return m
}

// Chunks counts the chunks of the area. It looks at each of its regions, which
// takes seconds for the largest ones.
func (a *Area) Chunks() int64 {
	n := int64(0)
	if a.stored != nil {
		for _, m := range a.stored.regions {
			n += int64(m.Count())
		}
		return n
	}
	r := a.bounds.shift(5)
	for z := r.MinZ; z <= r.MaxZ; z++ {
		for x := r.MinX; x <= r.MaxX; x++ {
			m := a.Mask(region.Pos{X: x, Z: z})
			n += int64(m.Count())
		}
	}
	return n
}

// box is a rectangle.
type box struct{ x0, z0, x1, z1 int64 }

// widened is b with the whole of the chunks that it touches.
func (b box) widened() box { return box{b.x0 &^ 15, b.z0 &^ 15, b.x1 | 15, b.z1 | 15} }

func (b box) contains(x, z int64) bool { return x >= b.x0 && x <= b.x1 && z >= b.z0 && z <= b.z1 }

func (b box) uniform(x0, z0, x1, z1 int64) bool {
	return b.contains(x0, z0) && b.contains(x1, z1) || x1 < b.x0 || x0 > b.x1 || z1 < b.z0 || z0 > b.z1
}

// ellipse has the lengths of its half axes squared, and their product, which
// takes more than 64 bits.
type ellipse struct {
	x, z     int64
	xx, zz   uint64
	high, lo uint64
}

func newEllipse(x, z, rx, rz int64) ellipse {
	e := ellipse{x: x, z: z, xx: uint64(rx * rx), zz: uint64(rz * rz)}
	e.high, e.lo = bits.Mul64(e.xx, e.zz)
	return e
}

func (e ellipse) contains(x, z int64) bool {
	dx, dz := x-e.x, z-e.z
	xh, xl := bits.Mul64(uint64(dx*dx), e.zz)
	zh, zl := bits.Mul64(uint64(dz*dz), e.xx)
	lo, carry := bits.Add64(xl, zl, 0)
	high, _ := bits.Add64(xh, zh, carry)
	return high < e.high || high == e.high && lo <= e.lo
}

func (e ellipse) uniform(x0, z0, x1, z1 int64) bool { return allCorners(e, x0, z0, x1, z1) }

// allCorners says for a convex form that the rectangle is in it.
func allCorners(f form, x0, z0, x1, z1 int64) bool {
	return f.contains(x0, z0) && f.contains(x1, z0) && f.contains(x0, z1) && f.contains(x1, z1)
}

// diamond is a square on its corner.
type diamond struct{ x, z, r int64 }

func (d diamond) contains(x, z int64) bool { return max(x-d.x, d.x-x)+max(z-d.z, d.z-z) <= d.r }

func (d diamond) uniform(x0, z0, x1, z1 int64) bool { return allCorners(d, x0, z0, x1, z1) }
