package rng

import "math/bits"

const (
	goldenRatio = 0x9E3779B97F4A7C15
	silverRatio = 0x6A09E667F3BCC909
)

// Xoroshiro is the xoroshiro128++ generator. Use NewXoroshiro or
// XoroshiroFromState: the zero value gives only zeros.
type Xoroshiro struct {
	low, high uint64
	pair      gaussianPair
}

// NewXoroshiro returns the source of a 64-bit seed, widened to 128 bits and
// mixed.
func NewXoroshiro(seed int64) Xoroshiro {
	low := uint64(seed) ^ silverRatio
	return XoroshiroFromState(mixStafford13(low), mixStafford13(low+goldenRatio))
}

// XoroshiroFromState returns the source in the given state. The state of all
// zeros, which would never leave zero, is replaced by two constants.
func XoroshiroFromState(low, high uint64) Xoroshiro {
	if low|high == 0 {
		low, high = goldenRatio, silverRatio
	}
	return Xoroshiro{low: low, high: high}
}

// mixStafford13 is variant 13 of David Stafford's 64-bit finalizers.
func mixStafford13(v uint64) uint64 {
	v = (v ^ v>>30) * 0xBF58476D1CE4E5B9
	v = (v ^ v>>27) * 0x94D049BB133111EB
	return v ^ v>>31
}

// SetSeed restarts the source and forgets the second half of a Gaussian pair.
func (x *Xoroshiro) SetSeed(seed int64) { *x = NewXoroshiro(seed) }

func (x *Xoroshiro) next() uint64 {
	a, b := x.low, x.high
	b ^= a
	x.low = bits.RotateLeft64(a, 49) ^ b ^ b<<21
	x.high = bits.RotateLeft64(b, 28)
	return bits.RotateLeft64(a+(a^b), 17) + a
}

// Int implements Source: the low half of a step.
func (x *Xoroshiro) Int() int32 { return int32(x.next()) }

// IntN implements Source: the high word of the product of bound and 32 random
// bits, rejecting low words that would make some results more likely.
func (x *Xoroshiro) IntN(bound int32) int32 {
	checkBound(bound)
	product := uint64(uint32(x.next())) * uint64(bound)
	if uint32(product) < uint32(bound) {
		for least := uint32(-bound) % uint32(bound); uint32(product) < least; {
			product = uint64(uint32(x.next())) * uint64(bound)
		}
	}
	return int32(product >> 32)
}

// Long implements Source.
func (x *Xoroshiro) Long() int64 { return int64(x.next()) }

// Bool implements Source: the lowest bit of a step.
func (x *Xoroshiro) Bool() bool { return x.next()&1 != 0 }

// Float implements Source.
func (x *Xoroshiro) Float() float32 { return float32(float32(x.next()>>40) * floatUnit) }

// Double implements Source.
func (x *Xoroshiro) Double() float64 { return float64(float64(x.next()>>11) * doubleUnit) }

// Gaussian implements Source.
func (x *Xoroshiro) Gaussian() float64 {
	if value, ok := x.pair.take(); ok {
		return value
	}
	for {
		a, b := x.Double(), x.Double()
		if value, ok := x.pair.draw(a, b); ok {
			return value
		}
	}
}

// Consume implements Source.
func (x *Xoroshiro) Consume(n int) {
	for range n {
		x.next()
	}
}

// Fork implements Source.
func (x *Xoroshiro) Fork() Source {
	low, high := x.next(), x.next()
	fork := XoroshiroFromState(low, high)
	return &fork
}

// Positional implements Source.
func (x *Xoroshiro) Positional() Positional { return x.Factory() }

// Factory is Positional without the interface.
func (x *Xoroshiro) Factory() XoroshiroPositional {
	low, high := x.next(), x.next()
	return XoroshiroPositional{low: low, high: high}
}

// XoroshiroPositional makes Xoroshiro sources.
type XoroshiroPositional struct{ low, high uint64 }

// At implements Positional. The position changes the low word only.
func (p XoroshiroPositional) At(x, y, z int32) Source { s := p.ValueAt(x, y, z); return &s }

// Hash implements Positional with the MD5 digest of the name.
func (p XoroshiroPositional) Hash(name string) Source { s := p.ValueHash(name); return &s }

// Seed implements Positional. The seed changes both words.
func (p XoroshiroPositional) Seed(seed int64) Source { s := p.ValueSeed(seed); return &s }

// ValueAt is At without the interface.
func (p XoroshiroPositional) ValueAt(x, y, z int32) Xoroshiro {
	return XoroshiroFromState(uint64(PositionSeed(x, y, z))^p.low, p.high)
}

// ValueHash is Hash without the interface.
func (p XoroshiroPositional) ValueHash(name string) Xoroshiro {
	low, high := NameSeed(name)
	return XoroshiroFromState(low^p.low, high^p.high)
}

// ValueSeed is Seed without the interface.
func (p XoroshiroPositional) ValueSeed(seed int64) Xoroshiro {
	return XoroshiroFromState(uint64(seed)^p.low, uint64(seed)^p.high)
}

var (
	_ Source     = (*Xoroshiro)(nil)
	_ Positional = XoroshiroPositional{}
)
