package terrain

// The range of y that dimensions may have, and the limits of a noise shape.
const (
	lowestY   = -2032
	highestY  = 2031
	maxHeight = highestY - lowestY + 1
	maxSize   = 4
)

// Shape is the range of the noise in y and the size of its cells.
type Shape struct {
	MinY           int // a multiple of 16
	Height         int // in blocks, a multiple of 16
	SizeHorizontal int // of a cell, in quarters of 4 blocks, 1 to 4
	SizeVertical   int // likewise
}

// CellWidth is the side of a cell in blocks. It is 12 for the size 3, which
// does not divide a chunk: as in the game, the last 4 rows of blocks then stay
// empty.
func (s Shape) CellWidth() int { return 4 * s.SizeHorizontal }

// CellHeight is the height of a cell in blocks.
func (s Shape) CellHeight() int { return 4 * s.SizeVertical }

// Clamp cuts the shape down to a dimension's range of y. The height is 0 where
// they do not meet.
func (s Shape) Clamp(minY, height int) Shape {
	low := max(s.MinY, minY)
	high := min(s.MinY+s.Height, minY+height)
	s.MinY, s.Height = low, max(high-low, 0)
	return s
}

func (r *reader) shape(root object) Shape {
	o := r.object(".noise", r.field(root, "noise"))
	s := Shape{
		MinY:           r.int(o, "min_y", lowestY, highestY),
		Height:         r.int(o, "height", 0, maxHeight),
		SizeHorizontal: r.int(o, "size_horizontal", 1, maxSize),
		SizeVertical:   r.int(o, "size_vertical", 1, maxSize),
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
