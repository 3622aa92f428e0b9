package sine

import "sync"

// Entries is the number of entries, those of a whole turn.
const Entries = 1 << 16

// scale is Entries/2pi as the game writes it.
const scale = 10430.378350470453

// Table is the table. It must not be changed.
type Table [Entries]float32

// Sin returns the sine of an angle in radians.
func (t *Table) Sin(angle float64) float32 {
	return t[int64(float64(angle*scale))&(Entries-1)]
}

// Cos returns the cosine of an angle in radians: the sine a quarter turn on.
func (t *Table) Cos(angle float64) float32 {
	return t[int64(float64(angle*scale)+Entries/4)&(Entries-1)]
}

// Get returns the table.
var Get = sync.OnceValue(func() *Table {
	t := new(Table)
	for i := range t {
		t[i] = float32(exact(float64(i) / scale))
	}
	return t
})

// Half a pi in three parts of 33, 33 and 53 bits: a small multiple of the first
// two is exact.
const (
	half1 = 0x1.921fb544p+0
	half2 = 0x1.0b4611a6p-34
	half3 = 0x1.3198a2e037073p-69
)

// exact returns the sine of x, which is in 0..2pi, to about one unit of the
// last place. math.Sin is not used: it is other code on other machines.
func exact(x float64) float64 {
	quarter := int(float64(x*(1/(half1+half2))) + 0.5)
	n := float64(quarter)
	rest := ((x - float64(n*half1)) - float64(n*half2)) - float64(n*half3)
	switch quarter & 3 {
	case 0:
		return sineSeries(rest)
	case 1:
		return cosineSeries(rest)
	case 2:
		return -sineSeries(rest)
	}
	return -cosineSeries(rest)
}

// terms is enough for what is left to be below 2^-60 at a quarter of pi.
const terms = 20

// sineSeries sums x - x^3/3! + x^5/5! - ... from the last term on.
func sineSeries(x float64) float64 {
	square := float64(x * x)
	sum := 0.0
	for n := float64(terms); n >= 2; n -= 2 {
		sum = -float64(square*(1+sum)) / float64(n*(n+1))
	}
	return x + float64(x*sum)
}

// cosineSeries sums 1 - x^2/2! + x^4/4! - ... from the last term on.
func cosineSeries(x float64) float64 {
	square := float64(x * x)
	sum := 0.0
	for n := float64(terms); n >= 2; n -= 2 {
		sum = -float64(square*(1+sum)) / float64(n*(n-1))
	}
	return 1 + sum
}
