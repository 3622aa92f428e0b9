package noise

import (
	"fmt"

	"strata/pregen/worldgen/rng"
)

const (
	limitOctaves    = 16
	selectorOctaves = 8

	// baseFrequency is the frequency of the limit stacks at scale 1.
	baseFrequency = 684.412
)

// BlendedParameters are the data of a Blended noise. Scales and factors are
// within 0.001..1000, the smear scale within 1..8.
type BlendedParameters struct {
	XZScale, YScale   float64
	XZFactor, YFactor float64 // the selector's frequencies are divided by them
	SmearScale        float64
}

// Validate reports whether a noise can be made. Its errors wrap
// ErrParameters.
func (p BlendedParameters) Validate() error {
	for _, field := range []struct {
		name             string
		value, low, high float64
	}{
		{"xz_scale", p.XZScale, 0.001, 1000},
		{"y_scale", p.YScale, 0.001, 1000},
		{"xz_factor", p.XZFactor, 0.001, 1000},
		{"y_factor", p.YFactor, 0.001, 1000},
		{"smear_scale_multiplier", p.SmearScale, 1, 8},
	} {
		if !(field.value >= field.low && field.value <= field.high) { // NaN is neither
			return fmt.Errorf("%w: %s is %v, not %v to %v", ErrParameters, field.name, field.value, field.low, field.high)
		}
	}
	return nil
}

// Blended is the terrain noise of old: a selector blends from a low to a high
// limit stack. Only the chosen stack is evaluated where the selector is out
// of the range in between.
type Blended struct {
	low, high [limitOctaves]Improved // from octave 0 downwards
	selector  [selectorOctaves]Improved

	xzScale, yScale   float64 // frequencies of the limits
	xzFactor, yFactor float64
	smear             float64 // step of the limits' smearing
	smearSelector     float64 // and of the selector's
}

// NewBlended draws all 40 octaves from the source in turn.
func NewBlended(source rng.Source, p BlendedParameters) (*Blended, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	n := &Blended{
		xzScale: baseFrequency * p.XZScale, yScale: baseFrequency * p.YScale,
		xzFactor: p.XZFactor, yFactor: p.YFactor,
	}
	n.smear = n.yScale * p.SmearScale
	n.smearSelector = n.smear / p.YFactor
	for _, stack := range [][]Improved{n.low[:], n.high[:], n.selector[:]} {
		for i := range stack {
			stack[i] = *NewImproved(source)
		}
	}
	return n, nil
}

// Max is the bound the game takes for the values' size: that of a limit stack
// whose octaves reach 2 more than the vertical frequency.
func (n *Blended) Max() float64 {
	const weights = 1 << limitOctaves
	weight := float64(weights/2) / (weights - 1)
	var sum float64
	for range limitOctaves {
		sum += float64((n.yScale + 2) * weight)
		weight /= 2
	}
	return sum
}

// blend mixes the sums of the limit stacks.
func blend(selector, low, high float64) float64 {
	low, high = float64(low/512), float64(high/512) // a division by 2^9 is compiled to a product
	switch {
	case selector < 0:
		return low / 128
	case selector > 1:
		return high / 128
	}
	return lerp(selector, low, high) / 128
}

// At samples the noise at a block.
func (n *Blended) At(blockX, blockY, blockZ int) float64 {
	x, y, z := float64(blockX)*n.xzScale, float64(blockY)*n.yScale, float64(blockZ)*n.xzScale
	choice := n.choose(x, y, z)
	var low, high float64
	frequency := 1.0
	for i := range limitOctaves {
		wx, wy, wz := wrap(x*frequency), wrap(y*frequency), wrap(z*frequency)
		step, limit := n.smear*frequency, y*frequency
		if choice < 1 {
			low += n.low[i].Smeared(wx, wy, wz, step, limit) / frequency
		}
		if choice > 0 {
			high += n.high[i].Smeared(wx, wy, wz, step, limit) / frequency
		}
		frequency /= 2
	}
	return blend(choice, low, high)
}

// choose is the selector: below 0 for the low limit alone, above 1 for the
// high one.
func (n *Blended) choose(x, y, z float64) float64 {
	x, y, z = x/n.xzFactor, y/n.yFactor, z/n.xzFactor
	var sum float64
	frequency := 1.0
	for i := range selectorOctaves {
		sum += n.selector[i].Smeared(wrap(x*frequency), wrap(y*frequency), wrap(z*frequency),
			n.smearSelector*frequency, y*frequency) / frequency
		frequency /= 2
	}
	return selectorOf(sum)
}

func selectorOf(sum float64) float64 { return (sum/10 + 1) / 2 }

// Column samples the blocks at x, z with y = lowestY + i*stepY into out[i].
func (n *Blended) Column(blockX, lowestY, stepY, blockZ int, out []float64) {
	for len(out) > 0 {
		rows := min(len(out), blockRows)
		n.columnBlock(blockX, lowestY, stepY, blockZ, out[:rows])
		out, lowestY = out[rows:], lowestY+rows*stepY
	}
}

// columnBlock is Column for up to blockRows rows.
func (n *Blended) columnBlock(blockX, lowestY, stepY, blockZ int, out []float64) {
	var heights, scaled, sums [blockRows]float64
	rows := len(out)
	x, z := float64(blockX)*n.xzScale, float64(blockZ)*n.xzScale
	for i := range rows {
		heights[i] = float64(float64(lowestY+i*stepY) * n.yScale)
		scaled[i] = heights[i] / n.yFactor
	}
	addSmearedStack(n.selector[:], x/n.xzFactor, z/n.xzFactor, n.smearSelector, scaled[:rows], sums[:rows])
	for i := range out {
		out[i] = selectorOf(sums[i])
	}

	low := chosen{want: func(choice float64) bool { return choice < 1 }}
	high := chosen{want: func(choice float64) bool { return choice > 0 }}
	low.sum(n.low[:], x, z, n.smear, heights[:rows], out)
	high.sum(n.high[:], x, z, n.smear, heights[:rows], out)
	for i, choice := range out {
		out[i] = blend(choice, low.take(choice), high.take(choice))
	}
}

// chosen sums a limit stack in those rows that its want says it counts in.
type chosen struct {
	want          func(choice float64) bool
	heights, sums [blockRows]float64
	taken         int
}

func (c *chosen) sum(stack []Improved, x, z, step float64, heights, choices []float64) {
	rows := 0
	for i, choice := range choices {
		if c.want(choice) {
			c.heights[rows] = heights[i]
			rows++
		}
	}
	addSmearedStack(stack, x, z, step, c.heights[:rows], c.sums[:rows])
}

// take returns the sum of the next row, or 0 where the stack does not count.
func (c *chosen) take(choice float64) float64 {
	if !c.want(choice) {
		return 0
	}
	c.taken++
	return c.sums[c.taken-1]
}

// addSmearedStack adds the octaves of a stack at x, z and the heights ys.
func addSmearedStack(stack []Improved, x, z, step float64, ys, sums []float64) {
	if len(ys) == 0 {
		return
	}
	frequency, inverse := 1.0, 1.0
	for i := range stack {
		stack[i].addColumn(columnTask{
			x: wrap(x * frequency), z: wrap(z * frequency),
			scale: 1, frequency: frequency,
			amplitude: inverse, weight: 1,
			step: step * frequency,
		}, ys, sums)
		frequency /= 2
		inverse *= 2
	}
}
