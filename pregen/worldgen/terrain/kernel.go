package terrain

import "math"

// The kernel of beards is a cube of 24 blocks, from -12 to 11 around a place.
const (
	kernelRadius = 12
	kernelSize   = 2 * kernelRadius
)

// kernel has the weights of the kernel by squaresOf: e to the power of minus a
// sixteenth of the squared distance, where y is half a block higher, in single
// precision.
var kernel = newKernel()

// squaresOf is x*x + z*z + y*y + y, the squared distance of the kernel less a
// quarter.
func squaresOf(x, y, z int32) int32 { return x*x + z*z + y*y + y }

// largestSquares is that of the kernel's lowest corner.
const largestSquares = 2*kernelRadius*kernelRadius + kernelRadius*kernelRadius - kernelRadius

// newKernel computes e^(-(n + 1/4)/16) in double precision, by its series and
// by division. The error is far below what would change the rounding to single
// precision: a test compares with a computation of many digits.
func newKernel() (weights [largestSquares + 1]float32) {
	const e = 2.718281828459045
	for n := range weights {
		sixtyFourths := 4*n + 1
		whole, rest := sixtyFourths/64, float64(sixtyFourths%64)/64
		term, sum := 1.0, 1.0
		for k := 1; k < 20; k++ {
			term = float64(term * (-rest / float64(k)))
			sum += term
		}
		for range whole {
			sum /= e
		}
		weights[n] = float32(sum)
	}
	return weights
}

// thin has the beards of places that are as high above the ground as above
// what they are taken to, by the squared distance along x and z and by the
// height plus kernelRadius.
var thin = newThin() // 55 kB

func newThin() *[2*kernelRadius*kernelRadius + 1][kernelSize]float64 {
	var values [2*kernelRadius*kernelRadius + 1][kernelSize]float64
	for square := range values {
		for i := range values[square] {
			y := int32(i - kernelRadius)
			height := float64(y) + 0.5
			slope := -height * fastInverseRoot((float64(square)+float64(height*height))/2) / 2
			values[square][i] = slope * float64(kernel[int32(square)+y*y+y])
		}
	}
	return &values
}

// bury falls from 1 to 0 over 6 blocks.
func bury(x, y, z float64) float64 {
	return clampRange(math.Sqrt(squares(x, y, z)), 0, 6, 1, 0)
}

// beard is ground below and air above, by the height above the ground, within
// the reach of the kernel.
func beard(x, y, z, above int32) float64 {
	const size, radius = kernelSize, kernelRadius
	kernelX, kernelY, kernelZ := uint32(x+radius), uint32(y+radius), uint32(z+radius)
	if kernelX >= size || kernelY >= size || kernelZ >= size {
		return 0
	}
	height := float64(above) + 0.5
	slope := -height * fastInverseRoot(squares(float64(x), height, float64(z))/2) / 2
	return slope * float64(kernel[squaresOf(x, y, z)])
}

func squares(x, y, z float64) float64 { return float64(x*x) + float64(y*y) + float64(z*z) }

// fastInverseRoot is the game's approximation of 1/sqrt(v): a guess from the
// bits and one step of Newton's method.
func fastInverseRoot(v float64) float64 {
	half := 0.5 * v
	guess := math.Float64frombits(0x5fe6eb50c7b537aa - math.Float64bits(v)>>1)
	return guess * (1.5 - float64(float64(half*guess)*guess))
}
