package noise

import (
	"fmt"
	"math"
	"slices"

	"strata/pregen/worldgen/rng"
)

// PerlinSimplex is a stack of two-dimensional simplex octaves. The game
// tells temperatures at heights and swamp colours with it.
type PerlinSimplex struct {
	octaves []simplexOctave // from the highest frequency
}

type simplexOctave struct {
	noise             *Simplex
	frequency, weight float64
}

// NewPerlinSimplex makes a stack of the given octaves, which are unique and
// within -64..64. Octave 0 and those below are drawn from the source in turn;
// those above come from a source seeded by a sample of octave 0.
func NewPerlinSimplex(source rng.Source, octaves []int) (*PerlinSimplex, error) {
	if len(octaves) == 0 {
		return nil, fmt.Errorf("%w: no octaves", ErrParameters)
	}
	highest, lowest := slices.Max(octaves), slices.Min(octaves)
	if lowest < -MaxOctaves || highest > MaxOctaves {
		return nil, fmt.Errorf("%w: octaves %d to %d beyond %d", ErrParameters, lowest, highest, MaxOctaves)
	}
	count := highest - lowest + 1
	levels := make([]*Simplex, count)
	draw := func(from rng.Source, index int) {
		if index < 0 || index >= count || !slices.Contains(octaves, highest-index) {
			from.Consume(skippedDraws)
			return
		}
		levels[index] = NewSimplex(from)
	}
	zero := NewSimplex(source) // drawn even where octave 0 is absent
	if highest >= 0 && highest < count && slices.Contains(octaves, 0) {
		levels[highest] = zero
	}
	for i := highest + 1; i < count; i++ {
		draw(source, i)
	}
	if highest > 0 {
		sample := zero.At3(zero.offset[0], zero.offset[1], zero.offset[2])
		above := rng.NewWorldgenLegacy(toLong(float64(sample * (1 << 63))))
		for i := highest - 1; i >= 0; i-- {
			draw(&above, i)
		}
	}
	n := new(PerlinSimplex)
	frequency, weight := math.Ldexp(1, highest), 1/(math.Ldexp(1, count)-1)
	for _, level := range levels {
		if level != nil {
			n.octaves = append(n.octaves, simplexOctave{level, frequency, weight})
		}
		frequency /= 2
		weight *= 2
	}
	return n, nil
}

// toLong converts as Java does: what is out of range becomes the nearest
// number that is in it.
func toLong(v float64) int64 {
	switch {
	case v != v:
		return 0
	case v >= 1<<63:
		return math.MaxInt64
	case v <= -1<<63:
		return math.MinInt64
	}
	return int64(v)
}

// At samples the noise. With offsets each octave is moved by its own.
func (n *PerlinSimplex) At(x, y float64, offsets bool) float64 {
	var sum float64
	for i := range n.octaves {
		o := &n.octaves[i]
		var moveX, moveY float64
		if offsets {
			moveX, moveY = o.noise.offset[0], o.noise.offset[1]
		}
		sum += float64(o.noise.At2(float64(x*o.frequency)+moveX, float64(y*o.frequency)+moveY) * o.weight)
	}
	return sum
}
