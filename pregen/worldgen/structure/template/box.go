package template

// Box is a box of blocks, its ends included, in coordinates of the world or of
// a piece. One whose end is below its beginning is empty.
type Box struct{ MinX, MinY, MinZ, MaxX, MaxY, MaxZ int32 }

// Corners returns the box that has two blocks in opposite corners.
func Corners(x0, y0, z0, x1, y1, z1 int32) Box {
	return Box{min(x0, x1), min(y0, y1), min(z0, z1), max(x0, x1), max(y0, y1), max(z0, z1)}
}

// Moved returns the box elsewhere.
func (b Box) Moved(x, y, z int32) Box {
	return Box{b.MinX + x, b.MinY + y, b.MinZ + z, b.MaxX + x, b.MaxY + y, b.MaxZ + z}
}

// Grown returns the box with as many blocks more on each side.
func (b Box) Grown(by int32) Box {
	return Box{b.MinX - by, b.MinY - by, b.MinZ - by, b.MaxX + by, b.MaxY + by, b.MaxZ + by}
}

// With returns the box around both.
func (b Box) With(o Box) Box {
	return Box{
		min(b.MinX, o.MinX), min(b.MinY, o.MinY), min(b.MinZ, o.MinZ),
		max(b.MaxX, o.MaxX), max(b.MaxY, o.MaxY), max(b.MaxZ, o.MaxZ),
	}
}

// Meets reports whether the boxes have a block in common.
func (b Box) Meets(o Box) bool {
	return b.MinX <= o.MaxX && o.MinX <= b.MaxX && b.MinY <= o.MaxY && o.MinY <= b.MaxY &&
		b.MinZ <= o.MaxZ && o.MinZ <= b.MaxZ
}

// MeetsColumns reports whether the box has a block in the columns from minX,
// minZ to maxX, maxZ.
func (b Box) MeetsColumns(minX, minZ, maxX, maxZ int32) bool {
	return b.MinX <= maxX && minX <= b.MaxX && b.MinZ <= maxZ && minZ <= b.MaxZ
}

// Contains reports whether a block is in the box.
func (b Box) Contains(x, y, z int32) bool {
	return x >= b.MinX && x <= b.MaxX && y >= b.MinY && y <= b.MaxY && z >= b.MinZ && z <= b.MaxZ
}

// Encloses reports whether all of another box is in the box.
func (b Box) Encloses(o Box) bool {
	return b.Contains(o.MinX, o.MinY, o.MinZ) && b.Contains(o.MaxX, o.MaxY, o.MaxZ)
}

// Span returns the sizes along x, y and z, in blocks.
func (b Box) Span() (x, y, z int32) {
	return b.MaxX - b.MinX + 1, b.MaxY - b.MinY + 1, b.MaxZ - b.MinZ + 1
}

// Center returns the block in the middle, of two the one with the higher
// coordinate.
func (b Box) Center() (x, y, z int32) {
	return b.MinX + (b.MaxX-b.MinX+1)/2, b.MinY + (b.MaxY-b.MinY+1)/2, b.MinZ + (b.MaxZ-b.MinZ+1)/2
}
