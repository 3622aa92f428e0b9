package terrain

import "strata/pregen/worldgen/rng"

// factory makes random sources by positions, of both kinds without an
// allocation.
type factory struct {
	xoroshiro rng.XoroshiroPositional
	legacy    rng.LegacyPositional
	isLegacy  bool
}

// newFactory returns the positional factory of a name in a dimension.
func newFactory(dimension rng.Positional, name string) factory {
	f := factory{}
	switch positional := dimension.Hash(name).Positional().(type) {
	case rng.XoroshiroPositional:
		f.xoroshiro = positional
	case rng.LegacyPositional:
		f.legacy, f.isLegacy = positional, true
	default:
		panic("terrain: a positional factory of a third kind")
	}
	return f
}

// random is a source that a factory made.
type random struct {
	xoroshiro rng.Xoroshiro
	legacy    rng.Legacy
	isLegacy  bool
}

// at returns the source of a position.
func (f *factory) at(x, y, z int32) random {
	if f.isLegacy {
		return random{legacy: f.legacy.ValueAt(x, y, z), isLegacy: true}
	}
	return random{xoroshiro: f.xoroshiro.ValueAt(x, y, z)}
}

func (r *random) float() float32 {
	if r.isLegacy {
		return r.legacy.Float()
	}
	return r.xoroshiro.Float()
}

func (r *random) intN(bound int32) int32 {
	if r.isLegacy {
		return r.legacy.IntN(bound)
	}
	return r.xoroshiro.IntN(bound)
}
