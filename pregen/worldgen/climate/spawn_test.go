package climate

import (
	"math"
	"testing"
)

// Blocks are whole numbers, rounded towards zero from products with sines. If
// none is near to a whole one, any good sine gives the game's.
func TestRingsDoNotDependOnTheLastDigitsOfSines(t *testing.T) {
	for _, ring := range []struct {
		reach, step float32
		blocks      int
	}{{2048, 512, 65}, {512, 32, 862}} {
		blocks := 0
		eachRingBlock(ring.reach, ring.step, func(int, int) { blocks++ })
		if blocks != ring.blocks {
			t.Errorf("%d blocks within %g, want %d", blocks, ring.reach, ring.blocks)
		}
		for radius := ring.step; radius <= ring.reach; radius += ring.step {
			for angle := ring.step / radius; float64(angle) <= 2*math.Pi; angle += ring.step / radius {
				for _, pair := range [][2]float64{
					{sine(float64(angle)), math.Sin(float64(angle))},
					{cosine(float64(angle)), math.Cos(float64(angle))},
				} {
					off := math.Abs(pair[0]-pair[1]) * float64(radius)
					exact := pair[1] * float64(radius)
					if gap := math.Abs(exact - math.Round(exact)); gap < 1e-6 || off > 1e-8 {
						t.Errorf("radius %g, angle %g: %g from a block, and %g off", radius, angle, gap, off)
					}
				}
			}
		}
	}
	if sine(0) != 0 || cosine(0) != 1 {
		t.Errorf("sine and cosine of 0 are %g and %g", sine(0), cosine(0))
	}
}
