package noise

import "strata/pregen/worldgen/rng"

// secondScale is the scale of a Normal's second stack.
const secondScale = 1.0181268882175227

// Normal is the sum of two stacks, scaled so that its deviation hardly
// depends on the number of octaves.
type Normal struct {
	first, second *Perlin
	factor        float64
}

// NewNormal makes a noise with octaves seeded by name.
func NewNormal(source rng.Source, p Parameters) (*Normal, error) {
	return newNormal(source, p, NewPerlin)
}

// NewLegacyNormal makes a noise with octaves drawn in turn, as the two
// climate noises of the Nether are.
func NewLegacyNormal(source rng.Source, p Parameters) (*Normal, error) {
	return newNormal(source, p, NewLegacyPerlin)
}

func newNormal(source rng.Source, p Parameters, stack func(rng.Source, Parameters) (*Perlin, error)) (*Normal, error) {
	first, err := stack(source, p)
	if err != nil {
		return nil, err
	}
	second, err := stack(source, p)
	if err != nil {
		return nil, err
	}
	return &Normal{first, second, valueFactor(p.Amplitudes)}, nil
}

// valueFactor depends on how far the outermost present octaves are apart.
func valueFactor(amplitudes []float64) float64 {
	lowest, highest := len(amplitudes), -1
	for i, amplitude := range amplitudes {
		if amplitude != 0 {
			lowest, highest = min(lowest, i), i
		}
	}
	// Without any octave the game's 32-bit difference of its two sentinels
	// wraps to 1. All values are 0 then.
	span := 2
	if highest >= 0 {
		span = highest - lowest + 1
	}
	deviation := 0.1 * (1 + 1/float64(span))
	return 0.16666666666666666 / deviation
}

// Max is the bound the game takes for the values' size.
func (n *Normal) Max() float64 { return (n.first.edge + n.second.edge) * n.factor }

// At samples the noise.
func (n *Normal) At(x, y, z float64) float64 {
	return (n.first.At(x, y, z) + n.second.At(x*secondScale, y*secondScale, z*secondScale)) * n.factor
}

// blockRows is how many values of a column or batch are worked on together,
// in scratch on the stack.
const blockRows = 64

// Column samples x, ys[i], z into out[i]. out must be as long as ys and must
// not overlap it.
func (n *Normal) Column(x float64, ys []float64, z float64, out []float64) {
	out = out[:len(ys)]
	var scratch [blockRows]float64
	for len(ys) > 0 {
		rows := min(len(ys), blockRows)
		second := scratch[:rows]
		clear(second)
		clear(out[:rows])
		n.first.addColumn(x, ys[:rows], 1, z, out[:rows])
		n.second.addColumn(x*secondScale, ys[:rows], secondScale, z*secondScale, second)
		n.finish(out[:rows], second)
		ys, out = ys[rows:], out[rows:]
	}
}

// Batch samples the points xs[i], ys[i], zs[i] into out[i]. All must be as
// long as xs, and out must not overlap the others.
func (n *Normal) Batch(xs, ys, zs, out []float64) {
	ys, zs, out = ys[:len(xs)], zs[:len(xs)], out[:len(xs)]
	var scratch [blockRows]float64
	for len(xs) > 0 {
		rows := min(len(xs), blockRows)
		second := scratch[:rows]
		clear(second)
		clear(out[:rows])
		n.first.addBatch(xs[:rows], ys, zs, 1, out)
		n.second.addBatch(xs[:rows], ys, zs, secondScale, second)
		n.finish(out[:rows], second)
		xs, ys, zs, out = xs[rows:], ys[rows:], zs[rows:], out[rows:]
	}
}

func (n *Normal) finish(out, second []float64) {
	for i := range out {
		out[i] = (out[i] + second[i]) * n.factor
	}
}
