package rng

const (
	lcgMultiplier = 0x5DEECE66D
	lcgIncrement  = 0xB
	lcgMask       = 1<<48 - 1
)

// Legacy is the generator of java.util.Random. The zero value is a valid
// source, though not that of any simple seed; use NewLegacy.
type Legacy struct {
	state uint64
	pair  gaussianPair
}

// NewLegacy returns the source that new java.util.Random(seed) is.
func NewLegacy(seed int64) Legacy { return Legacy{state: scramble(seed)} }

func scramble(seed int64) uint64 { return (uint64(seed) ^ lcgMultiplier) & lcgMask }

// SetSeed restarts the source and forgets the second half of a Gaussian pair.
func (l *Legacy) SetSeed(seed int64) { *l = NewLegacy(seed) }

// next returns the top bits (1 to 32) of the next state.
func (l *Legacy) next(bits uint) int32 {
	l.state = (l.state*lcgMultiplier + lcgIncrement) & lcgMask
	return int32(l.state >> (48 - bits))
}

// Int implements Source.
func (l *Legacy) Int() int32 { return l.next(32) }

// IntN implements Source. A power of two takes the top bits; other bounds
// reject the incomplete last stretch of the 31-bit range.
func (l *Legacy) IntN(bound int32) int32 {
	checkBound(bound)
	if bound&(bound-1) == 0 {
		return int32(int64(bound) * int64(l.next(31)) >> 31)
	}
	for {
		draw := l.next(31)
		value := draw % bound
		if draw-value+(bound-1) >= 0 { // overflow marks the incomplete stretch
			return value
		}
	}
}

// Long implements Source: two steps, the second one sign-extended.
func (l *Legacy) Long() int64 {
	high := int64(l.next(32)) << 32
	return high + int64(l.next(32))
}

// Bool implements Source.
func (l *Legacy) Bool() bool { return l.next(1) != 0 }

// Float implements Source.
func (l *Legacy) Float() float32 { return float32(float32(l.next(24)) * floatUnit) }

// Double implements Source.
func (l *Legacy) Double() float64 {
	high := int64(l.next(26)) << 27
	return float64(float64(high+int64(l.next(27))) * doubleUnit)
}

// Gaussian implements Source.
func (l *Legacy) Gaussian() float64 {
	if value, ok := l.pair.take(); ok {
		return value
	}
	for {
		a, b := l.Double(), l.Double()
		if value, ok := l.pair.draw(a, b); ok {
			return value
		}
	}
}

// Consume implements Source in time that grows with the logarithm of n:
// repeated squaring of the step x -> mul*x + add.
func (l *Legacy) Consume(n int) {
	mul, add := uint64(lcgMultiplier), uint64(lcgIncrement)
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			l.state = (l.state*mul + add) & lcgMask
		}
		add = add*mul + add
		mul *= mul
	}
}

// Fork implements Source.
func (l *Legacy) Fork() Source { fork := NewLegacy(l.Long()); return &fork }

// Positional implements Source.
func (l *Legacy) Positional() Positional { return l.Factory() }

// Factory is Positional without the interface.
func (l *Legacy) Factory() LegacyPositional { return LegacyPositional{seed: l.Long()} }

// LegacyPositional makes Legacy sources.
type LegacyPositional struct{ seed int64 }

// At implements Positional.
func (p LegacyPositional) At(x, y, z int32) Source { s := p.ValueAt(x, y, z); return &s }

// Hash implements Positional with the 32 bits of Java's String.hashCode.
func (p LegacyPositional) Hash(name string) Source { s := p.ValueHash(name); return &s }

// Seed implements Positional. The factory's own seed takes no part in it.
func (p LegacyPositional) Seed(seed int64) Source { s := p.ValueSeed(seed); return &s }

// ValueAt is At without the interface.
func (p LegacyPositional) ValueAt(x, y, z int32) Legacy {
	return NewLegacy(PositionSeed(x, y, z) ^ p.seed)
}

// ValueHash is Hash without the interface.
func (p LegacyPositional) ValueHash(name string) Legacy {
	return NewLegacy(int64(StringHash(name)) ^ p.seed)
}

// ValueSeed is Seed without the interface.
func (p LegacyPositional) ValueSeed(seed int64) Legacy { return NewLegacy(seed) }

var (
	_ Source     = (*Legacy)(nil)
	_ Positional = LegacyPositional{}
)
