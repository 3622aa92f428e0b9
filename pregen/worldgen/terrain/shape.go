package terrain

import "strata/pregen/worldgen/density"

// The range of y that dimensions may have, and the limits of a noise shape.
const (
	lowestY   = -2032
	highestY  = 2031
	maxHeight = highestY - lowestY + 1
	maxSize   = 4 // of a cell, in quarters of 4 blocks
)

// ShapeIn is the shape of the noise within a dimension's range of y. Its height
// is 0 where they do not meet.
func (s *Settings) ShapeIn(minY, height int) density.Shape {
	shape := s.Shape
	low := max(shape.MinY, minY)
	high := min(shape.MinY+shape.Height, minY+height)
	shape.MinY, shape.Height = low, max(high-low, 0)
	return shape
}

func (r *reader) shape(root object) density.Shape {
	o := r.object(".noise", r.field(root, "noise"))
	s := density.Shape{
		MinY:       r.int(o, "min_y", lowestY, highestY),
		Height:     r.int(o, "height", 0, maxHeight),
		CellWidth:  4 * r.int(o, "size_horizontal", 1, maxSize),
		CellHeight: 4 * r.int(o, "size_vertical", 1, maxSize),
	}
	switch {
	case s.MinY+s.Height > highestY+1:
		r.fail(".noise", "min_y %d plus height %d is above %d", s.MinY, s.Height, highestY+1)
	case s.Height%16 != 0:
		r.fail(".noise.height", "%d is not a multiple of 16", s.Height)
	case s.MinY%16 != 0:
		r.fail(".noise.min_y", "%d is not a multiple of 16", s.MinY)
	}
	return s
}
