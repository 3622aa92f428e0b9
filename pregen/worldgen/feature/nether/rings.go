package nether

// rings visits the places within reach along each axis, nearest first by the
// sum of their distances along the axes, until visit returns false. Among
// places of one distance x ascends, then y; of the two z the greater is first.
func rings(reachX, reachY, reachZ int, visit func(dx, dy, dz, distance int) bool) {
	for distance := 0; distance <= reachX+reachY+reachZ; distance++ {
		wide := min(reachX, distance)
		for dx := -wide; dx <= wide; dx++ {
			high := min(reachY, distance-abs(dx))
			for dy := -high; dy <= high; dy++ {
				dz := distance - abs(dx) - abs(dy)
				if dz > reachZ {
					continue
				}
				if !visit(dx, dy, dz, distance) || dz != 0 && !visit(dx, dy, -dz, distance) {
					return
				}
			}
		}
	}
}
