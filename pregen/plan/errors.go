package plan

import "errors"

// What is wrong with an area or a plan; the text says where.
var (
	// ErrShape: there is no such shape.
	ErrShape = errors.New("unknown shape")
	// ErrOrder: there is no such order.
	ErrOrder = errors.New("unknown order")
	// ErrRadius: the shape needs another radius, or it is out of range.
	ErrRadius = errors.New("invalid radius")
	// ErrRange: a coordinate is farther out than the game's world goes, or the
	// area is too large.
	ErrRange = errors.New("out of range")
	// ErrPolygon: the corners make no polygon, or cannot be read.
	ErrPolygon = errors.New("invalid polygon")
)
