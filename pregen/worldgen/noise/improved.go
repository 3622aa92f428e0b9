package noise

import (
	"math"

	"strata/pregen/worldgen/rng"
)

// Improved is one octave of Perlin's improved noise. Values are within
// about -1.04..1.04.
type Improved struct {
	// perm is the shuffled table, twice in a row, so that sums of a table
	// value and a coordinate's low bits need no mask.
	perm [512]uint8
	// offset is added to coordinates. It is in 0..256 per axis.
	offset [3]float64
}

// gradients are the twelve directions to the edges of a cube, four of them
// twice, with a row for each value of a hash's low four bits.
var gradients = [16][4]float64{
	{1, 1, 0}, {-1, 1, 0}, {1, -1, 0}, {-1, -1, 0},
	{1, 0, 1}, {-1, 0, 1}, {1, 0, -1}, {-1, 0, -1},
	{0, 1, 1}, {0, -1, 1}, {0, 1, -1}, {0, -1, -1},
	{1, 1, 0}, {0, -1, 1}, {-1, 1, 0}, {0, -1, -1},
}

// NewImproved draws three offsets and a permutation from the source: three
// doubles and 256 bounded integers.
func NewImproved(source rng.Source) *Improved {
	n := new(Improved)
	n.offset, n.perm = drawLattice(source)
	return n
}

// drawLattice draws what Improved and Simplex are made of.
func drawLattice(source rng.Source) (offset [3]float64, perm [512]uint8) {
	for axis := range offset {
		offset[axis] = source.Double() * 256
	}
	for i := range 256 {
		perm[i] = uint8(i)
	}
	for i := range 256 {
		other := i + int(source.IntN(int32(256-i)))
		perm[i], perm[other] = perm[other], perm[i]
	}
	for i := 256; i < len(perm); i++ {
		perm[i] = perm[i-256]
	}
	return offset, perm
}

// Offset returns the random offset of the lattice.
func (n *Improved) Offset() (x, y, z float64) { return n.offset[0], n.offset[1], n.offset[2] }

// At samples the noise.
func (n *Improved) At(x, y, z float64) float64 {
	x, y, z = x+n.offset[0], y+n.offset[1], z+n.offset[2]
	cellX, cellY, cellZ := floor(x), floor(y), floor(z)
	fy := y - float64(cellY)
	return n.interpolate(cellX, cellY, cellZ, x-float64(cellX), fy, z-float64(cellZ), fy)
}

// Smeared samples the noise with the height inside a cell rounded down to a
// multiple of step, as far as it is not above limit when limit is positive.
// The rounded height counts for the gradients, the exact one for the fade. A
// step of 0 rounds nothing.
func (n *Improved) Smeared(x, y, z, step, limit float64) float64 {
	x, y, z = x+n.offset[0], y+n.offset[1], z+n.offset[2]
	cellX, cellY, cellZ := floor(x), floor(y), floor(z)
	fy := y - float64(cellY)
	return n.interpolate(cellX, cellY, cellZ, x-float64(cellX), fy-smear(fy, step, limit), z-float64(cellZ), fy)
}

// smear returns by how much Smeared lowers a height. The small summand is the
// game's, a single-precision 1e-7.
func smear(fy, step, limit float64) float64 {
	if step == 0 {
		return 0
	}
	if limit >= 0 && limit < fy {
		fy = limit
	}
	return float64(float64(floor(fy/step+float64(float32(1e-7)))) * step)
}

// interpolate mixes the eight corners of a cell. fy is the height for the
// gradients, fadeY the one for the fade.
func (n *Improved) interpolate(cellX, cellY, cellZ int, fx, fy, fz, fadeY float64) float64 {
	p := &n.perm
	x0, x1 := int(p[cellX&255]), int(p[cellX&255+1])
	y, z := cellY&255, cellZ&255
	x0y0, x0y1 := int(p[x0+y])+z, int(p[x0+y+1])+z
	x1y0, x1y1 := int(p[x1+y])+z, int(p[x1+y+1])+z
	u, v, w := fade(fx), fade(fadeY), fade(fz)
	gx, gy, gz := fx-1, fy-1, fz-1
	front := lerp(v,
		lerp(u, dot(p[x0y0], fx, fy, fz), dot(p[x1y0], gx, fy, fz)),
		lerp(u, dot(p[x0y1], fx, gy, fz), dot(p[x1y1], gx, gy, fz)))
	back := lerp(v,
		lerp(u, dot(p[x0y0+1], fx, fy, gz), dot(p[x1y0+1], gx, fy, gz)),
		lerp(u, dot(p[x0y1+1], fx, gy, gz), dot(p[x1y1+1], gx, gy, gz)))
	return lerp(w, front, back)
}

func dot(hash uint8, x, y, z float64) float64 {
	g := &gradients[hash&15]
	return float64(g[0]*x) + float64(g[1]*y) + float64(g[2]*z)
}

// fade is 6t^5 - 15t^4 + 10t^3.
func fade(t float64) float64 {
	return t * t * t * (float64(t*(float64(t*6)-15)) + 10)
}

func lerp(t, a, b float64) float64 { return a + float64(t*(b-a)) }

// floor is the largest integer that is not above v, for v within 2^62.
func floor(v float64) int {
	i := int(v)
	if v < float64(i) {
		i--
	}
	return i
}

// wrapLimit is where wrap begins to change coordinates; it is below 2^24.
const wrapLimit = 1.6e7

// wrap moves a coordinate by a multiple of 2^25, which is a multiple of the
// table's period, to about -2^24..2^24, so that fractions stay exact.
func wrap(v float64) float64 {
	if v < wrapLimit && v > -wrapLimit {
		return v
	}
	return wrapFar(v)
}

// wrapFar converts v because callers pass products, and are inlined with it.
func wrapFar(v float64) float64 {
	const period = 1 << 25
	return float64(v) - float64(math.Floor(float64(v*(1.0/period))+0.5)*period)
}
