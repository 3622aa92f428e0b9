package noise

import "strata/pregen/worldgen/rng"

// Simplex is two- and three-dimensional simplex noise.
type Simplex struct {
	perm   [512]uint8
	offset [3]float64
}

// skew takes a plane's coordinates to the grid of squares, unskew back. They
// are (root of 3 - 1)/2 and (3 - root of 3)/6, rounded after each operation
// as constants of Go would not be.
const (
	skew   = 0x1.76cf5d0b09954p-2
	unskew = 0x1.b0cb174df99c8p-3
)

// NewSimplex draws what NewImproved draws.
func NewSimplex(source rng.Source) *Simplex {
	n := new(Simplex)
	n.offset, n.perm = drawLattice(source)
	return n
}

// At2 samples the plane. The noise's offset takes no part.
func (n *Simplex) At2(x, y float64) float64 {
	shift := float64((x + y) * skew)
	cellX, cellY := floor(x+shift), floor(y+shift)
	back := float64(float64(cellX+cellY) * unskew)
	x0, y0 := x-(float64(cellX)-back), y-(float64(cellY)-back)
	stepX, stepY := 0, 1 // the middle corner of the triangle
	if x0 > y0 {
		stepX, stepY = 1, 0
	}
	x1, y1 := x0-float64(stepX)+unskew, y0-float64(stepY)+unskew
	x2, y2 := x0-1+2*unskew, y0-1+2*unskew

	p := &n.perm
	i, j := cellX&255, cellY&255
	hash := func(stepX, stepY int) uint8 {
		return p[(i+stepX+int(p[(j+stepY)&255]))&255] % 12
	}
	first := cornerValue(hash(0, 0), x0, y0, 0, 0.5)
	second := cornerValue(hash(stepX, stepY), x1, y1, 0, 0.5)
	third := cornerValue(hash(1, 1), x2, y2, 0, 0.5)
	return 70 * (first + second + third)
}

// cornerValue is what a corner adds at a distance: nothing beyond the square
// root of reach.
func cornerValue(hash uint8, x, y, z, reach float64) float64 {
	left := reach - float64(x*x) - float64(y*y) - float64(z*z)
	if left < 0 {
		return 0
	}
	left *= left
	return left * left * dot(hash, x, y, z)
}

// At3 samples space. The noise's offset takes no part.
func (n *Simplex) At3(x, y, z float64) float64 {
	const third, sixth = 0.3333333333333333, 0.16666666666666666
	shift := float64((x + y + z) * third)
	cellX, cellY, cellZ := floor(x+shift), floor(y+shift), floor(z+shift)
	back := float64(float64(cellX+cellY+cellZ) * sixth)
	x0, y0, z0 := x-(float64(cellX)-back), y-(float64(cellY)-back), z-(float64(cellZ)-back)
	second, third3 := tetrahedron(x0, y0, z0)

	p := &n.perm
	hash := func(step [3]int) uint8 {
		inner := int(p[(cellZ+step[2])&255])
		inner = int(p[(cellY+step[1]+inner)&255])
		return p[(cellX+step[0]+inner)&255] % 12
	}
	at := func(step [3]int, back float64) float64 {
		return cornerValue(hash(step), x0-float64(step[0])+back, y0-float64(step[1])+back, z0-float64(step[2])+back, 0.6)
	}
	return 32 * (at([3]int{}, 0) + at(second, sixth) + at(third3, third) + at([3]int{1, 1, 1}, 0.5))
}

// tetrahedron returns the two middle corners of the simplex that a place in
// its cell lies in: first along the longest axis, then along two.
func tetrahedron(x, y, z float64) (second, third [3]int) {
	switch {
	case x >= y && y >= z:
		return [3]int{1, 0, 0}, [3]int{1, 1, 0}
	case x >= y && x >= z:
		return [3]int{1, 0, 0}, [3]int{1, 0, 1}
	case x >= y:
		return [3]int{0, 0, 1}, [3]int{1, 0, 1}
	case y < z:
		return [3]int{0, 0, 1}, [3]int{0, 1, 1}
	case x < z:
		return [3]int{0, 1, 0}, [3]int{0, 1, 1}
	}
	return [3]int{0, 1, 0}, [3]int{1, 1, 0}
}
