package template

import "strata/anvil/block"

// Turn returns where a block of a template comes to lie, beside the pivot of
// the turn at pivotX, pivotZ: it is reflected first.
func Turn(x, y, z int32, m block.Mirror, r block.Rotation, pivotX, pivotZ int32) (int32, int32, int32) {
	switch m {
	case block.LeftRight:
		z = -z
	case block.FrontBack:
		x = -x
	}
	switch r {
	case block.Counterclockwise90:
		return pivotX - pivotZ + z, y, pivotX + pivotZ - x
	case block.Clockwise90:
		return pivotX + pivotZ - z, y, pivotZ - pivotX + x
	case block.Clockwise180:
		return 2*pivotX - x, y, 2*pivotZ - z
	}
	return x, y, z
}

// Box returns the box of the template when its first block, turned by nothing,
// is at x, y, z.
func (s *Shape) Box(x, y, z int32, m block.Mirror, r block.Rotation, pivotX, pivotZ int32) Box {
	x0, y0, z0 := Turn(0, 0, 0, m, r, pivotX, pivotZ)
	x1, y1, z1 := Turn(s.SizeX-1, s.SizeY-1, s.SizeZ-1, m, r, pivotX, pivotZ)
	return Corners(x0, y0, z0, x1, y1, z1).Moved(x, y, z)
}

// Size returns the sizes of the template when it is turned.
func (s *Shape) Size(r block.Rotation) (x, y, z int32) {
	if r == block.Clockwise90 || r == block.Counterclockwise90 {
		return s.SizeZ, s.SizeY, s.SizeX
	}
	return s.SizeX, s.SizeY, s.SizeZ
}
