package terrain

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
