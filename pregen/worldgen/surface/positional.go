package surface

import "strata/pregen/worldgen/rng"

// positional is a positional factory of either kind whose draws neither
// allocate nor call through an interface.
type positional struct {
	isLegacy  bool
	legacy    rng.LegacyPositional
	xoroshiro rng.XoroshiroPositional
}

// newPositional returns the form of a factory of package rng.
func newPositional(factory rng.Positional) positional {
	switch f := factory.(type) {
	case rng.LegacyPositional:
		return positional{isLegacy: true, legacy: f}
	case rng.XoroshiroPositional:
		return positional{xoroshiro: f}
	}
	panic("surface: a positional factory of an unknown kind")
}

// double draws the first double of a position's source.
func (p *positional) double(x, y, z int32) float64 {
	if p.isLegacy {
		source := p.legacy.ValueAt(x, y, z)
		return source.Double()
	}
	source := p.xoroshiro.ValueAt(x, y, z)
	return source.Double()
}

// float draws the first float of a position's source.
func (p *positional) float(x, y, z int32) float32 {
	if p.isLegacy {
		source := p.legacy.ValueAt(x, y, z)
		return source.Float()
	}
	source := p.xoroshiro.ValueAt(x, y, z)
	return source.Float()
}
