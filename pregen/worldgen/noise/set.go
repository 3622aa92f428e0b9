package noise

import (
	"fmt"
	"sync"

	"strata/pregen/worldgen/rng"
)

// Set makes the named noises of one dimension and world, and its positional
// factories. It remembers the noises it made. All methods may be called
// concurrently.
type Set struct {
	world      int64
	legacy     bool
	factory    rng.Positional
	parameters func(id string) (Parameters, error)

	mu   sync.Mutex // guards made
	made map[string]*Normal
}

// NewSet returns the noises of a world seed. legacy is the dimension's
// legacy_random_source, true for the Nether and the End. parameters reads an
// entry of worldgen/noise by its full id.
func NewSet(world int64, legacy bool, parameters func(id string) (Parameters, error)) *Set {
	s := &Set{world: world, legacy: legacy, parameters: parameters, made: make(map[string]*Normal)}
	if legacy {
		source := rng.NewLegacy(world)
		s.factory = source.Positional()
	} else {
		source := rng.NewXoroshiro(world)
		s.factory = source.Positional()
	}
	return s
}

// World returns the world seed.
func (s *Set) World() int64 { return s.world }

// Legacy reports whether the dimension uses the legacy random source.
func (s *Set) Legacy() bool { return s.legacy }

// Factory returns the dimension's positional factory.
func (s *Set) Factory() rng.Positional { return s.factory }

// Named returns the noise of a full id, such as "minecraft:surface". In
// dimensions with the legacy random source three noises are made in ways of
// their own: the temperature and vegetation of the Nether have octaves drawn in
// turn, from the world seed plus 0 and 1, and the offset of shifts is zero.
func (s *Set) Named(id string) (*Normal, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := s.made[id]; n != nil {
		return n, nil
	}
	n, err := s.make(id)
	if err != nil {
		return nil, fmt.Errorf("noise %s: %w", id, err)
	}
	s.made[id] = n
	return n, nil
}

func (s *Set) make(id string) (*Normal, error) {
	p, err := s.parameters(id)
	if err != nil {
		return nil, err
	}
	if s.legacy {
		switch id {
		case "minecraft:nether/temperature":
			source := rng.NewLegacy(s.world)
			return NewLegacyNormal(&source, p)
		case "minecraft:nether/vegetation":
			source := rng.NewLegacy(s.world + 1)
			return NewLegacyNormal(&source, p)
		case "minecraft:offset":
			return NewNormal(s.factory.Hash(id), Parameters{Amplitudes: []float64{0}})
		}
	}
	return NewNormal(s.factory.Hash(id), p)
}

// Blended returns the old terrain noise of the dimension.
func (s *Set) Blended(p BlendedParameters) (*Blended, error) {
	if s.legacy {
		source := rng.NewLegacy(s.world)
		return NewBlended(&source, p)
	}
	return NewBlended(s.factory.Hash("minecraft:terrain"), p)
}
