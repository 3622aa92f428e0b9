package surface

import (
	"fmt"
	"sync"

	"strata/pregen/worldgen/noise"
	"strata/pregen/worldgen/rng"
)

// climateNoises are the noises of temperatures at places. They are the same in
// all worlds.
type climateNoises struct {
	height *noise.PerlinSimplex // how fast it gets colder upwards
	frozen *noise.PerlinSimplex // large patches of frozen oceans
	patch  *noise.PerlinSimplex // their rims, and small patches
}

var climates = sync.OnceValue(func() *climateNoises {
	return &climateNoises{
		height: fixedNoise(1234, 0),
		frozen: fixedNoise(3456, -2, -1, 0),
		patch:  fixedNoise(2345, 0),
	}
})

func fixedNoise(seed int64, octaves ...int) *noise.PerlinSimplex {
	source := rng.NewWorldgenLegacy(seed)
	n, err := noise.NewPerlinSimplex(&source, octaves)
	if err != nil {
		panic(fmt.Sprintf("the noise of seed %d: %v", seed, err))
	}
	return n
}

// Limits of temperature.
const (
	coldEnoughToSnow = 0.15 // below it water freezes
	warmEnoughToMelt = 0.1  // above it icebergs are lower
	coolingStart     = 17   // blocks above the sea
)

// TemperatureAt returns the temperature of the biome at a block: less the
// higher it is, and warmer in patches of frozen oceans. seaLevel is that of the
// dimension.
func (b *Biome) TemperatureAt(x, y, z, seaLevel int) float32 {
	n := climates()
	t := b.Temperature
	if b.Frozen && n.warmPatch(x, z) {
		t = 0.2
	}
	start := seaLevel + coolingStart
	if y <= start {
		return t
	}
	v := float32(float64(n.height.At(float64(float32(x)/8), float64(float32(z)/8), false) * 8))
	return t - float32(float32((v+float32(y)-float32(start))*0.05)/40)
}

// warmPatch reports whether a place in a frozen ocean is not frozen.
func (n *climateNoises) warmPatch(x, z int) bool {
	large := float64(n.frozen.At(float64(x)*0.05, float64(z)*0.05, false) * 7)
	if large+n.patch.At(float64(x)*0.2, float64(z)*0.2, false) >= 0.3 {
		return false
	}
	return n.patch.At(float64(x)*0.09, float64(z)*0.09, false) < 0.8
}

// ColdEnoughToSnow reports whether the biome's temperature at a block is one
// at which water freezes.
func (b *Biome) ColdEnoughToSnow(x, y, z, seaLevel int) bool {
	return b.TemperatureAt(x, y, z, seaLevel) < coldEnoughToSnow
}
