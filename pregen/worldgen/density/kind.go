package density

// kind is what a node computes from its arguments a, b and c, its numbers p
// and its position.
type kind uint8

const (
	constant kind = iota
	plus          // a + p0
	times         // a * p0
	add           // a + b
	mul           // a * b, 0 where a is 0
	minimum       // of a and b; a alone where it is below p0, b's lower bound
	maximum       // of a and b; a alone where it is above p0, b's upper bound
	abs
	square
	cube
	halfNegative
	quarterNegative
	invert
	squeeze
	clamp          // a within p0..p1
	gradient       // of height: p2 at p0 to p3 at p1
	rangeChoice    // b where a is in p0..p1, else c
	intervalSelect // by thresholds on a, one of more
	sample         // of a noise at the position times p0 (x, z) and p1 (y)
	shiftedSample  // the same, moved by a, b and c
	shift          // four times a noise at a quarter of the position
	shiftA         // the same at x, 0, z
	shiftB         // the same at z, x, 0
	weirdScaled    // a noise at a scale that a chooses; p0 is 1 or 2, the mapper
	blendedNoise   // the old terrain noise
	endIslands
	splineOf
	topSurface // the highest of steps of p1, from b down to p0, where a is positive
	flatCache
	interpolated
	cellInterpolated // interpolated inside cache_all_in_cell; made by programs
	cache2D
	cacheOnce
	cacheAllInCell
	blendDensity
	blendAlpha
	blendOffset
	beardifier
)

// names are the types of the data; those without are written otherwise there.
var names = [...]string{
	constant: "constant", plus: "add", times: "mul", add: "add", mul: "mul",
	minimum: "min", maximum: "max", abs: "abs", square: "square", cube: "cube",
	halfNegative: "half_negative", quarterNegative: "quarter_negative",
	invert: "invert", squeeze: "squeeze", clamp: "clamp",
	gradient: "y_clamped_gradient", rangeChoice: "range_choice",
	intervalSelect: "interval_select", sample: "noise",
	shiftedSample: "shifted_noise", shift: "shift", shiftA: "shift_a",
	shiftB: "shift_b", weirdScaled: "weird_scaled_sampler",
	blendedNoise: "old_blended_noise", endIslands: "end_islands",
	splineOf: "spline", topSurface: "find_top_surface", flatCache: "flat_cache",
	interpolated: "interpolated", cellInterpolated: "interpolated",
	cache2D: "cache_2d", cacheOnce: "cache_once",
	cacheAllInCell: "cache_all_in_cell", blendDensity: "blend_density",
	blendAlpha: "blend_alpha", blendOffset: "blend_offset",
	beardifier: "beardifier",
}

func (k kind) String() string { return names[k] }

// arguments is how many of a, b and c a kind has.
func (k kind) arguments() int {
	switch k {
	case add, mul, minimum, maximum, topSurface:
		return 2
	case rangeChoice, shiftedSample:
		return 3
	case plus, times, abs, square, cube, halfNegative, quarterNegative, invert,
		squeeze, clamp, intervalSelect, weirdScaled, flatCache, interpolated,
		cellInterpolated, cache2D, cacheOnce, cacheAllInCell, blendDensity:
		return 1
	default:
		return 0
	}
}
