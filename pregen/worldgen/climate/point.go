package climate

import (
	"errors"
	"fmt"
	"math"
)

// The parameters of a climate, in the order of all arrays of this package.
const (
	Temperature = iota
	Humidity
	Continentalness
	Erosion
	Depth
	Weirdness
	Parameters // how many there are
)

// parameterNames are the names in documents.
var parameterNames = [Parameters]string{"temperature", "humidity", "continentalness", "erosion", "depth", "weirdness"}

const (
	// MaxRows is how many rows a table may have.
	MaxRows = 1 << 17
	// limitValue and limitOffset bound the values of rows, 2 and 1 in documents.
	limitValue  = 20000
	limitOffset = 10000
	// offset is the place of a row's offset behind the parameters.
	offset     = Parameters
	dimensions = Parameters + 1
)

// ErrInvalid is wrapped by the errors about documents and rows that the game
// would refuse.
var ErrInvalid = errors.New("invalid biome source")

// Point is a climate, times 10,000.
type Point [Parameters]int64

// PointOf makes a point of the values of density functions, rounded as the
// game rounds them: to single precision first, and then towards zero.
func PointOf(values *[Parameters]float64) Point {
	var p Point
	for i, v := range values {
		p[i] = quantize(float32(v))
	}
	return p
}

// quantize is Java's (long)(v * 10000f), which saturates and makes NaN zero.
func quantize(v float32) int64 {
	scaled := float32(v * 10000)
	switch {
	case scaled != scaled:
		return 0
	case scaled >= 1<<63:
		return math.MaxInt64
	case scaled < -1<<63:
		return math.MinInt64
	}
	return int64(scaled)
}

// farthest is how far from 0 a value may be for sums of squares to stay far
// below the limits of int64.
const farthest = 1 << 27

// near reports whether no sum of squares of the point can overflow.
func (p *Point) near() bool {
	for _, v := range p {
		if v > farthest || v < -farthest {
			return false
		}
	}
	return true
}

// Row is a box of climates that stands for a biome. Values are times 10,000.
type Row struct {
	Low, High [Parameters]int32
	// Offset is a distance that every point has from the box, whatever it is.
	Offset int32
	Biome  string
}

// validate checks what the game demands of a row.
func (r *Row) validate() error {
	for i := range Parameters {
		if r.Low[i] < -limitValue || r.High[i] > limitValue || r.Low[i] > r.High[i] {
			return fmt.Errorf("%s from %d to %d: %w", parameterNames[i], r.Low[i], r.High[i], ErrInvalid)
		}
	}
	if r.Offset < 0 || r.Offset > limitOffset {
		return fmt.Errorf("offset %d: %w", r.Offset, ErrInvalid)
	}
	if r.Biome == "" {
		return fmt.Errorf("no biome: %w", ErrInvalid)
	}
	return nil
}

// Distance is the sum of squares from the row to a point. Like Java's it wraps
// around for points that are absurdly far away.
func (r *Row) Distance(p *Point) int64 {
	sum := int64(r.Offset) * int64(r.Offset)
	for i, v := range p {
		d := max(v-int64(r.High[i]), int64(r.Low[i])-v, 0)
		sum += d * d
	}
	return sum
}
