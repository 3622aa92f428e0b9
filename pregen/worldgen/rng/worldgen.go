package rng

// Worldgen is the source that carvers, features and structures draw from. It
// takes the top bits of its inner source's steps and composes numbers from
// them as Legacy does. Unlike the other sources it keeps the second half of a
// Gaussian pair when it is seeded again, as the game does.
type Worldgen struct {
	lcg   Legacy
	xoro  Xoroshiro
	xored bool // xoro is the inner source, else lcg
	pair  gaussianPair
	count int
}

// NewWorldgenLegacy returns a source over Legacy, as carvers and structure
// placement use in every dimension.
func NewWorldgenLegacy(seed int64) Worldgen { return Worldgen{lcg: NewLegacy(seed)} }

// NewWorldgenXoroshiro returns a source over Xoroshiro, as decoration uses.
func NewWorldgenXoroshiro(seed int64) Worldgen {
	return Worldgen{xoro: NewXoroshiro(seed), xored: true}
}

// SetSeed restarts the inner source.
func (w *Worldgen) SetSeed(seed int64) {
	if w.xored {
		w.xoro.SetSeed(seed)
	} else {
		w.lcg.SetSeed(seed)
	}
}

// Count is the number of steps drawn through this source since it was made.
func (w *Worldgen) Count() int { return w.count }

func (w *Worldgen) next(bits uint) int32 {
	w.count++
	if w.xored {
		return int32(w.xoro.next() >> (64 - bits))
	}
	return w.lcg.next(bits)
}

// Int implements Source.
func (w *Worldgen) Int() int32 { return w.next(32) }

// IntN implements Source, by Legacy's rule.
func (w *Worldgen) IntN(bound int32) int32 {
	checkBound(bound)
	if bound&(bound-1) == 0 {
		return int32(int64(bound) * int64(w.next(31)) >> 31)
	}
	for {
		draw := w.next(31)
		value := draw % bound
		if draw-value+(bound-1) >= 0 {
			return value
		}
	}
}

// Long implements Source: two steps, over Xoroshiro as well.
func (w *Worldgen) Long() int64 {
	high := int64(w.next(32)) << 32
	return high + int64(w.next(32))
}

// Bool implements Source.
func (w *Worldgen) Bool() bool { return w.next(1) != 0 }

// Float implements Source.
func (w *Worldgen) Float() float32 { return float32(float32(w.next(24)) * floatUnit) }

// Double implements Source.
func (w *Worldgen) Double() float64 {
	high := int64(w.next(26)) << 27
	return float64(float64(high+int64(w.next(27))) * doubleUnit)
}

// Gaussian implements Source.
func (w *Worldgen) Gaussian() float64 {
	if value, ok := w.pair.take(); ok {
		return value
	}
	for {
		a, b := w.Double(), w.Double()
		if value, ok := w.pair.draw(a, b); ok {
			return value
		}
	}
}

// Consume implements Source.
func (w *Worldgen) Consume(n int) {
	for range n {
		w.next(32)
	}
}

// Fork implements Source: a fork of the inner source, not a Worldgen.
func (w *Worldgen) Fork() Source {
	if w.xored {
		return w.xoro.Fork()
	}
	return w.lcg.Fork()
}

// Positional implements Source: the factory of the inner source.
func (w *Worldgen) Positional() Positional {
	if w.xored {
		return w.xoro.Positional()
	}
	return w.lcg.Positional()
}

// SetDecorationSeed seeds the source for decorating the chunk whose lowest
// corner is at the block x, z, and returns the decoration seed, from which
// SetFeatureSeed derives.
func (w *Worldgen) SetDecorationSeed(world int64, blockX, blockZ int32) int64 {
	w.SetSeed(world)
	a, b := w.Long()|1, w.Long()|1
	seed := int64(blockX)*a + int64(blockZ)*b ^ world
	w.SetSeed(seed)
	return seed
}

// SetFeatureSeed seeds the source for the feature or structure at index in
// the list of a decoration step.
func (w *Worldgen) SetFeatureSeed(decoration int64, index, step int32) {
	w.SetSeed(decoration + int64(index) + int64(10000*step))
}

// SetLargeFeatureSeed seeds the source for carvers and structures that start
// in a chunk. Unlike the decoration seed the factors may be even and are
// joined by exclusive or.
func (w *Worldgen) SetLargeFeatureSeed(world int64, chunkX, chunkZ int32) {
	w.SetSeed(world)
	a, b := w.Long(), w.Long()
	w.SetSeed(int64(chunkX)*a ^ int64(chunkZ)*b ^ world)
}

// SetRegionSeed seeds the source for the placement of a structure set, whose
// salt it is, in a cell of its grid.
func (w *Worldgen) SetRegionSeed(world int64, cellX, cellZ, salt int32) {
	w.SetSeed(int64(cellX)*341873128712 + int64(cellZ)*132897987541 + world + int64(salt))
}

var _ Source = (*Worldgen)(nil)
