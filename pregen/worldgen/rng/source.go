package rng

// Source is a sequence of random numbers, with the drawing methods of the
// game's random sources.
type Source interface {
	// SetSeed restarts the source from a seed.
	SetSeed(seed int64)
	// Int is uniform over all 32-bit integers.
	Int() int32
	// IntN is uniform over 0..bound-1. It panics when bound is below 1.
	IntN(bound int32) int32
	// Long is over 64-bit integers; Legacy reaches 2^48 of them.
	Long() int64
	Bool() bool
	// Float is uniform in [0,1) with 24 bits.
	Float() float32
	// Double is uniform in [0,1) with 53 bits.
	Double() float64
	// Gaussian has mean 0 and deviation 1. Every second call gives the other
	// half of a pair drawn before.
	Gaussian() float64
	// Consume throws away n steps of the generator.
	Consume(n int)
	// Fork draws a seed and returns a source of the same kind.
	Fork() Source
	// Positional draws a seed and returns a factory of the same kind.
	Positional() Positional
}

// Positional makes sources from a position or name. What one gives does not
// depend on the others. It is safe for concurrent use.
type Positional interface {
	// At returns the source of a block position.
	At(x, y, z int32) Source
	// Hash returns the source of a name, such as "minecraft:terrain".
	Hash(name string) Source
	// Seed returns the source of a number.
	Seed(seed int64) Source
}

const (
	floatUnit  = 1.0 / (1 << 24)
	doubleUnit = 1.0 / (1 << 53)
)

// Between is uniform over low..high, both included. It panics when high is
// below low.
func Between(s Source, low, high int32) int32 { return s.IntN(high-low+1) + low }

// Range is uniform over low..high-1. It panics unless low is below high.
func Range(s Source, low, high int32) int32 {
	if low >= high {
		panic("rng: empty range")
	}
	return low + s.IntN(high-low)
}

// FloatBetween is uniform in [low,high).
func FloatBetween(s Source, low, high float32) float32 {
	return float32(s.Float()*(high-low)) + low
}

// Triangle draws from the triangular distribution around mode that ends at
// mode-spread and mode+spread.
func Triangle(s Source, mode, spread float64) float64 {
	first := s.Double()
	return mode + float64(spread*(first-s.Double()))
}

// TriangleFloat is Triangle in single precision.
func TriangleFloat(s Source, mode, spread float32) float32 {
	first := s.Float()
	return mode + float32(spread*(first-s.Float()))
}

// Shuffle permutes list in place as java.util.Collections.shuffle and the
// game do: from the end, each place swapped with one at or before it.
func Shuffle[T any](s Source, list []T) {
	for n := len(list); n > 1; n-- {
		other := s.IntN(int32(n))
		list[n-1], list[other] = list[other], list[n-1]
	}
}

func checkBound(bound int32) {
	if bound <= 0 {
		panic("rng: bound below 1")
	}
}
