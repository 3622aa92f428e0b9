package rng

import "math"

// gaussianPair is Marsaglia's polar method: two normal values from a point
// drawn inside the unit disc, the second kept for the next call.
type gaussianPair struct {
	second float64
	held   bool
}

func (g *gaussianPair) take() (float64, bool) {
	held := g.held
	g.held = false
	return g.second, held
}

// draw takes two uniform values in [0,1) and reports whether their point was
// inside the disc.
func (g *gaussianPair) draw(a, b float64) (float64, bool) {
	a, b = float64(2*a)-1, float64(2*b)-1
	square := float64(a*a) + float64(b*b)
	if square >= 1 || square == 0 {
		return 0, false
	}
	factor := math.Sqrt(-2 * logUnit(square) / square)
	g.second, g.held = b*factor, true
	return a * factor, true
}
