package rng

import "math"

// The natural logarithm of a value in (0,1), rounded correctly but for about
// one in some thousand of the hardest cases. Go's math.Log is not used: it is
// other code on other machines. No platform's fused arithmetic is used
// either: products are split exactly by Dekker's method.

// two is an unevaluated sum hi+lo with lo below half a unit of hi.
type two struct{ hi, lo float64 }

// ln2 is the logarithm of 2 to 106 bits.
var ln2 = two{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56}

// logUnit returns the logarithm of v, which is positive, finite and normal.
// It writes v = m * 2^k with m in [sqrt(1/2), sqrt(2)) and sums the series
// log m = 2 (s + s^3/3 + s^5/5 + ...) of s = (m-1)/(m+1).
func logUnit(v float64) float64 {
	m, k := math.Frexp(v)
	if m < math.Sqrt2/2 {
		m, k = m*2, k-1
	}
	s := divide(two{hi: m - 1}, twoSum(m, 1)) // m-1 is exact
	square := multiply(s, s)

	const lastTerm = 41 // s*s is at most 0.0295: the rest is below 2^-105
	sum := divide(two{hi: 1}, two{hi: lastTerm})
	for n := float64(lastTerm - 2); n >= 1; n -= 2 {
		sum = add(divide(two{hi: 1}, two{hi: n}), multiply(sum, square))
	}
	log := multiply(two{2 * s.hi, 2 * s.lo}, sum)
	return add(multiply(two{hi: float64(k)}, ln2), log).hi
}

func twoSum(a, b float64) two {
	sum := a + b
	part := sum - a
	return two{sum, (a - (sum - part)) + (b - part)}
}

// twoProduct returns a*b exactly, from halves of 26 bits.
func twoProduct(a, b float64) two {
	product := float64(a * b)
	a1, a2 := halves(a)
	b1, b2 := halves(b)
	rest := float64(a1*b1) - product
	rest += float64(a1 * b2)
	rest += float64(a2 * b1)
	rest += float64(a2 * b2)
	return two{product, rest}
}

func halves(v float64) (high, low float64) {
	scaled := float64(v * (1<<27 + 1))
	high = scaled - (scaled - v)
	return high, v - high
}

func add(a, b two) two {
	sum := twoSum(a.hi, b.hi)
	low := twoSum(a.lo, b.lo)
	sum = twoSum(sum.hi, sum.lo+low.hi)
	return twoSum(sum.hi, sum.lo+low.lo)
}

func multiply(a, b two) two {
	product := twoProduct(a.hi, b.hi)
	return twoSum(product.hi, product.lo+(float64(a.hi*b.lo)+float64(a.lo*b.hi)))
}

func divide(a, b two) two {
	quotient := a.hi / b.hi
	back := multiply(two{hi: quotient}, b)
	rest := (a.hi - back.hi) - back.lo + a.lo
	return twoSum(quotient, rest/b.hi)
}
