package noise

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"strata/pregen/worldgen/rng"
)

// MaxOctaves bounds how many amplitudes Parameters may have. The game's own
// noises have up to 16.
const MaxOctaves = 64

// ErrParameters is wrapped by errors about parameters that make no noise.
var ErrParameters = errors.New("noise parameters")

// Parameters are what the data says of a noise: the octave of the first
// amplitude (a scale of 2 to that power, usually below 0) and the amplitudes
// from there upwards.
type Parameters struct {
	FirstOctave int
	Amplitudes  []float64
}

// Validate reports whether a noise can be made. Its errors wrap
// ErrParameters.
func (p Parameters) Validate() error {
	if len(p.Amplitudes) == 0 || len(p.Amplitudes) > MaxOctaves {
		return fmt.Errorf("%w: %d amplitudes, not 1 to %d", ErrParameters, len(p.Amplitudes), MaxOctaves)
	}
	if p.FirstOctave < -512 || p.FirstOctave > 512 {
		return fmt.Errorf("%w: first octave %d beyond 512", ErrParameters, p.FirstOctave)
	}
	for i, amplitude := range p.Amplitudes {
		if math.IsNaN(amplitude) || math.IsInf(amplitude, 0) {
			return fmt.Errorf("%w: amplitude %d is %v", ErrParameters, i, amplitude)
		}
	}
	return nil
}

// Perlin is a stack of octaves.
type Perlin struct {
	octaves []octave // those that are present, from the lowest frequency
	edge    float64  // see edgeValue
}

// octave is one Improved noise with its scale and weight. Weights keep the
// two factors apart: the game multiplies by one after the other.
type octave struct {
	noise     *Improved
	frequency float64
	amplitude float64
	weight    float64
}

// NewPerlin makes a stack whose octaves are seeded by their names from a
// factory that is drawn from the source.
func NewPerlin(source rng.Source, p Parameters) (*Perlin, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	factory := source.Positional()
	levels := make([]*Improved, len(p.Amplitudes))
	for i, amplitude := range p.Amplitudes {
		if amplitude != 0 {
			levels[i] = NewImproved(factory.Hash("octave_" + strconv.Itoa(p.FirstOctave+i)))
		}
	}
	return stack(levels, p), nil
}

// skippedDraws is how many steps an absent octave takes from the source: an
// Improved's three doubles, of two steps each, and 256 integers.
const skippedDraws = 262

// NewLegacyPerlin makes a stack whose octaves are drawn from the source one
// after the other, from octave 0 down. No octave may be above 0.
func NewLegacyPerlin(source rng.Source, p Parameters) (*Perlin, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	zero := -p.FirstOctave // the index of octave 0
	if len(p.Amplitudes)-1 > zero {
		return nil, fmt.Errorf("%w: an octave above 0 in a legacy noise", ErrParameters)
	}
	levels := make([]*Improved, len(p.Amplitudes))
	for i := zero; i >= 0; i-- {
		present := i < len(levels) && p.Amplitudes[i] != 0
		// Octave 0 is drawn even where it is absent.
		switch {
		case present:
			levels[i] = NewImproved(source)
		case i == zero:
			NewImproved(source)
		default:
			source.Consume(skippedDraws)
		}
	}
	return stack(levels, p), nil
}

// stack gives octaves their scales: frequencies double, weights halve and sum
// to 1.
func stack(levels []*Improved, p Parameters) *Perlin {
	count := len(levels)
	frequency := math.Ldexp(1, p.FirstOctave)
	weight := math.Ldexp(1, count-1) / (math.Ldexp(1, count) - 1)
	n := new(Perlin)
	for i, level := range levels {
		if level != nil {
			amplitude := p.Amplitudes[i]
			n.octaves = append(n.octaves, octave{level, frequency, amplitude, weight})
		}
		frequency *= 2
		weight /= 2
	}
	n.edge = n.edgeValue(2)
	return n
}

// edgeValue is the sum of all octaves at the same value.
func (n *Perlin) edgeValue(each float64) float64 {
	var sum float64
	for i := range n.octaves {
		o := &n.octaves[i]
		sum += float64(o.amplitude * each * o.weight)
	}
	return sum
}

// Max is the bound the game takes for the values' size. It is generous, and
// shows in the output where min and max of densities skip an argument.
func (n *Perlin) Max() float64 { return n.edge }

// At samples the noise.
func (n *Perlin) At(x, y, z float64) float64 {
	var sum float64
	for i := range n.octaves {
		o := &n.octaves[i]
		value := o.noise.At(wrap(x*o.frequency), wrap(y*o.frequency), wrap(z*o.frequency))
		sum += float64(o.amplitude * value * o.weight)
	}
	return sum
}

// Column samples x, ys[i], z into out[i]. out must be as long as ys.
func (n *Perlin) Column(x float64, ys []float64, z float64, out []float64) {
	out = out[:len(ys)]
	clear(out)
	n.addColumn(x, ys, 1, z, out)
}

// addColumn adds the samples at x, ys[i]*scale, z to sums.
func (n *Perlin) addColumn(x float64, ys []float64, scale, z float64, sums []float64) {
	for i := range n.octaves {
		o := &n.octaves[i]
		o.noise.addColumn(columnTask{
			x: wrap(x * o.frequency), z: wrap(z * o.frequency),
			scale: scale, frequency: o.frequency,
			amplitude: o.amplitude, weight: o.weight,
		}, ys, sums)
	}
}

// Batch samples the points xs[i], ys[i], zs[i] into out[i]. All must be as
// long as xs.
func (n *Perlin) Batch(xs, ys, zs, out []float64) {
	out = out[:len(xs)]
	clear(out)
	n.addBatch(xs, ys, zs, 1, out)
}

func (n *Perlin) addBatch(xs, ys, zs []float64, scale float64, sums []float64) {
	ys, zs, sums = ys[:len(xs)], zs[:len(xs)], sums[:len(xs)]
	for i := range n.octaves {
		o := &n.octaves[i]
		for k := range xs {
			x, y, z := xs[k]*scale, ys[k]*scale, zs[k]*scale
			value := o.noise.At(wrap(x*o.frequency), wrap(y*o.frequency), wrap(z*o.frequency))
			sums[k] += float64(o.amplitude * value * o.weight)
		}
	}
}
