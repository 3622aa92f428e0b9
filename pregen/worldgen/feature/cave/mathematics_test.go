package cave

import (
	"math"
	"testing"
)

func TestRootsAndLogarithmsAreThoseOfMath(t *testing.T) {
	for i := 1; i < 40000; i++ {
		v := float64(i) / 1000
		if got, want := cubeRoot(v), math.Cbrt(v); math.Abs(got-want) > 4e-16*want {
			t.Fatalf("cube root of %v is %v, want %v", v, got, want)
		}
		if got, want := logarithm(v), math.Log(v); math.Abs(got-want) > 4e-16*max(1, math.Abs(want)) {
			t.Fatalf("logarithm of %v is %v, want %v", v, got, want)
		}
	}
}

func TestConesHaveTheHeightsOfThePublishedFormula(t *testing.T) {
	for radius := 1; radius <= 16; radius++ {
		for _, bluntness := range [...]float64{0.3, 0.65, 0.9} {
			for _, scale := range [...]float64{0.4, 1.1, 1.9} {
				d := cone{radius: radius, bluntness: bluntness, scale: scale}
				for away := 0.0; away <= float64(radius); away += 0.37 {
					r := max(away, bluntness) / float64(radius) * 0.384
					height := scale * (0.75*math.Pow(r, 4.0/3) - math.Pow(r, 2.0/3) - math.Log(r)/3)
					want := int(max(height, 0) / 0.384 * float64(radius))
					if got := d.height(away); got != want {
						t.Errorf("radius %d, bluntness %v, scale %v at %v: %d, want %d", radius, bluntness, scale, away, got, want)
					}
				}
			}
		}
	}
}
