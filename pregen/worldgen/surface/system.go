package surface

import (
	"fmt"

	"strata/anvil/block"
	"strata/pregen/worldgen/noise"
)

// Settings are what a System is made of.
type Settings struct {
	Rule   *Rule
	Noises *noise.Set // of the dimension and seed
	// Biomes are those of the dimension, by their numbers; 1 to 65,536.
	Biomes []Biome
	// DefaultBlock is what terrain is made of; rules replace nothing else.
	DefaultBlock block.State
	SeaLevel     int
	// MinY and Height are the range that is generated: the part of the
	// dimension's that lies in the one of the noise settings. MinY is within
	// -2032..2031, Height within 1..4064.
	MinY, Height int
}

// Validate reports whether a System can be made. Its errors wrap ErrSettings.
func (s *Settings) Validate() error {
	switch {
	case s.Rule == nil || s.Noises == nil:
		return fmt.Errorf("%w: no rule or no noises", ErrSettings)
	case len(s.Biomes) < 1 || len(s.Biomes) > 1<<16:
		return fmt.Errorf("%w: %d biomes", ErrSettings, len(s.Biomes))
	case !s.DefaultBlock.Native():
		return fmt.Errorf("%w: default block %d", ErrSettings, s.DefaultBlock)
	case s.MinY < lowestAnchor || s.Height < 1 || s.MinY+s.Height > highestAnchor+1:
		return fmt.Errorf("%w: heights %d to %d", ErrSettings, s.MinY, s.MinY+s.Height-1)
	case s.SeaLevel < -1<<24 || s.SeaLevel > 1<<24:
		return fmt.Errorf("%w: sea level %d", ErrSettings, s.SeaLevel)
	}
	return nil
}

// The noises that code uses, whatever the rules.
const (
	noiseSurface   = "minecraft:surface"
	noiseSecondary = "minecraft:surface_secondary"
	noiseClay      = "minecraft:clay_bands_offset"
)

// System is a rule made ready for one dimension and seed. It does not change.
type System struct {
	settings  Settings
	nodes     []node
	facts     []facts
	tests     []test
	noises    []*noise.Normal
	gradients []gradient
	sets      []biomeSet
	random    positional // of the dimension
	bands     *clayBands
	// plainBands says that all bands are plain states.
	plainBands bool

	// surface, secondary and clay are the numbers of the noises that code uses.
	surface, secondary, clay int32
	badlands, icebergs       pillarNoises

	plan     plan
	kinds    []kind     // of each state
	special  []landform // of each biome
	landform bool       // whether any biome has one
	// above reports whether any test asks for the minimum surface level.
	above bool
}

// New makes a System. Its errors wrap ErrSettings or noise.ErrParameters, or
// are those of the noises' source.
func New(s Settings) (*System, error) { return newLimited(s, defaultLimits) }

func newLimited(s Settings, l limits) (*System, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	c := newCompiler(&s, l)
	system := &System{settings: s, random: newPositional(s.Noises.Factory())}
	if err := system.named(c); err != nil {
		return nil, err
	}
	root, err := c.rule(s.Rule.root, nothing)
	if err != nil {
		return nil, err
	}
	system.plan = c.plan(root)
	system.facts = c.facts()
	system.nodes, system.tests, system.noises = c.graph.nodes, c.tests, c.noises
	system.gradients, system.sets = c.gradients, c.sets
	for i := range system.tests {
		system.above = system.above || system.tests[i].op == opAboveSurface
	}
	system.bands = newBands(s.Noises.Factory().Hash("minecraft:clay_bands"))
	system.plainBands = true
	for _, state := range system.bands {
		system.plainBands = system.plainBands && plain(s.DefaultBlock, state)
	}
	system.kinds = stateKinds()
	system.special = make([]landform, len(s.Biomes))
	for i := range s.Biomes {
		system.special[i] = landformOf(s.Biomes[i].Name)
		system.landform = system.landform || system.special[i] != noLandform
	}
	return system, nil
}

// named makes the noises that code uses.
func (s *System) named(c *compiler) error {
	for _, want := range []struct {
		id string
		at *int32
	}{{noiseSurface, &s.surface}, {noiseSecondary, &s.secondary}, {noiseClay, &s.clay}} {
		at, err := c.noise(want.id)
		if err != nil {
			return err
		}
		*want.at = at
	}
	for _, want := range []struct {
		id string
		to **noise.Normal
	}{
		{"minecraft:badlands_surface", &s.badlands.surface},
		{"minecraft:badlands_pillar", &s.badlands.pillar},
		{"minecraft:badlands_pillar_roof", &s.badlands.roof},
		{"minecraft:iceberg_surface", &s.icebergs.surface},
		{"minecraft:iceberg_pillar", &s.icebergs.pillar},
		{"minecraft:iceberg_pillar_roof", &s.icebergs.roof},
	} {
		n, err := s.settings.Noises.Named(want.id)
		if err != nil {
			return err
		}
		*want.to = n
	}
	return nil
}

// kind is how the stage sees a state.
type kind uint8

const (
	isAir kind = iota
	isFluid
	isSolid
)

func kindOf(state block.State) kind {
	switch {
	case state.Air():
		return isAir
	case state.Fluid() != block.NoFluid:
		return isFluid
	}
	return isSolid
}

// stateKinds returns the kinds of all native states.
func stateKinds() []kind {
	var list []kind
	for state := block.State(0); state.Native(); state++ {
		list = append(list, kindOf(state))
	}
	return list
}

// plain reports whether a state may take the place of the default block without
// a change of heights or a mark.
func plain(standard, state block.State) bool {
	return kindOf(state) == isSolid && kindOf(standard) == isSolid &&
		state.WorldSurface() == standard.WorldSurface() && state.OceanFloor() == standard.OceanFloor()
}
