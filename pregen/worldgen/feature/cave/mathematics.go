package cave

import "math"

// cubeRoot is the cube root of a number above 0, to about two units of the last
// place. Package math's is other code on other machines.
func cubeRoot(v float64) float64 {
	fraction, exponent := math.Frexp(v)
	for exponent%3 != 0 {
		fraction /= 2
		exponent++
	}
	// Newton's method from a line through the ends of 1/8 to 1.
	root := 0.43 + float64(fraction*0.57)
	for range 6 {
		root -= float64(root-float64(fraction/float64(root*root))) / 3
	}
	return math.Ldexp(root, exponent/3)
}

// logarithm is the natural logarithm of a number above 0, to about two units of
// the last place.
func logarithm(v float64) float64 {
	const ln2 = 0x1.62e42fefa39efp-1
	fraction, exponent := math.Frexp(v)
	if fraction < math.Sqrt2/2 {
		fraction *= 2
		exponent--
	}
	ratio := (fraction - 1) / (fraction + 1) // at most 0.172
	square := float64(ratio * ratio)
	sum := 0.0
	for k := 21; k >= 1; k -= 2 {
		sum = float64(sum*square) + 1/float64(k)
	}
	return float64(float64(exponent)*ln2) + float64(2*float64(ratio*sum))
}
