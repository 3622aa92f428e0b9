package noise_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/rand/v2"
	"testing"

	"strata/pregen/worldgen/noise"
	"strata/pregen/worldgen/rng"
)

// goldenDigest is of the bits of 60,000 samples, made with GOAMD64=v1, where
// no product is fused. The same digest has to come out of every build:
//
//	GOAMD64=v1 go test -run Golden ./pregen/worldgen/noise
//	GOAMD64=v3 go test -run Golden ./pregen/worldgen/noise
const goldenDigest = "9683096ca97ea3a0a582f56a9e2c336be0a769af392e5d5123b4174d5fb5003b"

func TestSamplesAreTheGoldenOnes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2)) // fixed: the digest is of these places
	digest := sha256.New()
	write := func(v float64) {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(v))
		digest.Write(b[:])
	}
	normal := normalOf(t, 7, "minecraft:test", shapes[2])
	overworld, nether := legacyBlended(t, 7, overworldBlend), legacyBlended(t, 7, netherBlend)
	source := rng.NewLegacy(7)
	legacy, err := noise.NewLegacyNormal(&source, noise.Parameters{FirstOctave: -7, Amplitudes: []float64{1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	temperature, err := noise.NewPerlinSimplex(&source, []int{-2, -1, 0, 1, 3})
	if err != nil {
		t.Fatal(err)
	}
	simplex, islands := noise.NewSimplex(&source), noise.NewIslands(7)
	gaussian := rng.NewXoroshiro(7)
	for i := range 6000 {
		x, y, z := place(random), place(random), place(random)
		blockX, blockZ := int(x)%30_000_000, int(z)%30_000_000
		write(normal.At(x, y, z))
		write(legacy.At(x, 0, z))
		write(overworld.At(blockX, int(y)%320, blockZ))
		write(nether.At(blockX, int(y)%128, blockZ))
		write(temperature.At(x, z, i%2 == 0))
		write(simplex.At2(x, z))
		write(simplex.At3(x, y, z))
		write(gaussian.Gaussian())
		write(gaussian.Double())
		if i%10 == 0 {
			if density := islands.At(int32(blockX), int32(blockZ)); density == density {
				write(density)
			} else {
				write(1e6) // the bits of NaN are not part of any promise
			}
		}
	}
	if got := hex.EncodeToString(digest.Sum(nil)); got != goldenDigest {
		t.Errorf("digest is %s, want %s", got, goldenDigest)
	}
}
