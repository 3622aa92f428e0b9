package noise_test

import (
	"testing"

	"strata/pregen/worldgen/noise"
	"strata/pregen/worldgen/rng"
)

// climateNoises are five of the six climate parameters of the overworld of
// 26.2, which are a noise each, moved by the noise minecraft:offset. The
// column is that of a sample's row.
var climateNoises = []struct {
	name   string
	column int
	data   noise.Parameters
}{
	{"minecraft:temperature", 3, noise.Parameters{FirstOctave: -10, Amplitudes: []float64{1.5, 0, 1, 0, 0, 0}}},
	{"minecraft:vegetation", 4, noise.Parameters{FirstOctave: -8, Amplitudes: []float64{1, 1, 0, 0, 0, 0}}},
	{"minecraft:continentalness", 5, noise.Parameters{FirstOctave: -9, Amplitudes: []float64{1, 1, 2, 2, 2, 1, 1, 1, 1}}},
	{"minecraft:erosion", 6, noise.Parameters{FirstOctave: -9, Amplitudes: []float64{1, 1, 0, 1, 1}}},
	{"minecraft:ridge", 8, noise.Parameters{FirstOctave: -7, Amplitudes: []float64{1, 2, 1, 0, 0, 0}}},
}

var offsetNoise = noise.Parameters{FirstOctave: -3, Amplitudes: []float64{1, 1, 1, 0}}

// normalOf makes the noise of a world that does not use legacy random.
func normalOf(t testing.TB, world int64, name string, data noise.Parameters) *noise.Normal {
	t.Helper()
	source := rng.NewXoroshiro(world)
	seeded := source.Factory().ValueHash(name)
	n, err := noise.NewNormal(&seeded, data)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestNormalGivesTheGamesClimate(t *testing.T) {
	var rows [][9]int64
	readReference(t, "reference-chunks-26.2.tar.zst", "multi_noise_sample_no_blend_no_beard_0_0_0.json", &rows)
	offset := normalOf(t, 0, "minecraft:offset", offsetNoise)
	for _, climate := range climateNoises {
		n := normalOf(t, 0, climate.name, climate.data)
		wrong := 0
		for _, row := range rows {
			x, z := float64(row[0]*4), float64(row[2]*4)
			shiftX := offset.At(float64(x*0.25), 0, float64(z*0.25)) * 4
			shiftZ := offset.At(float64(z*0.25), float64(x*0.25), 0) * 4
			value := n.At(float64(x*0.25)+shiftX, 0, float64(z*0.25)+shiftZ)
			if int64(float32(value)*10000) != row[climate.column] {
				wrong++
			}
		}
		if wrong != 0 {
			t.Errorf("%s: %d of %d samples of seed 0 differ", climate.name, wrong, len(rows))
		}
	}
	if len(rows) < 1000 {
		t.Errorf("compared only %d samples", len(rows))
	}
}
