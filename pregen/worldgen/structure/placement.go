package structure

import (
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
	"strata/pregen/worldgen/settings"
)

// placement says which chunks may start a structure of a set.
type placement struct {
	rings *rings // nil for a grid

	spacing, separation int32 // of the grid's cells, in chunks
	triangular          bool

	salt      int32
	frequency float32
	reduction reduction
	excluding string // another set, empty for none
	distance  int32  // to chunks of that, in chunks

	exclusion *placement // that of excluding
}

// reduction is how a frequency is drawn.
type reduction uint8

const (
	reduceDefault reduction = iota
	reduceByRegion
	reduceBySalt
	reduceByDouble
)

var reductions = map[string]reduction{
	"default": reduceDefault, "legacy_type_1": reduceByRegion, "legacy_type_2": reduceBySalt, "legacy_type_3": reduceByDouble,
}

// Limits of the game's codec, in chunks.
const (
	maxSpacing   = 4096
	maxExclusion = 16
	maxRings     = 4095
	maxSpread    = 1023
)

// readPlacement reads the placement of a set.
func (l *Loader) readPlacement(v provider.Value) (*placement, error) {
	kind, err := memberID(v, "type")
	if err != nil {
		return nil, err
	}
	p := &placement{frequency: 1}
	if p.salt, err = number(v, "salt", 0, 1<<31-1); err != nil {
		return nil, err
	}
	if member, ok, err := v.Optional("frequency"); err != nil {
		return nil, err
	} else if ok {
		if p.frequency, err = member.Float32(0, 1); err != nil {
			return nil, err
		}
	}
	if p.reduction, err = choice(v, "frequency_reduction_method", reductions); err != nil {
		return nil, err
	}
	if err := p.readExclusion(v); err != nil {
		return nil, err
	}
	switch kind {
	case "minecraft:random_spread":
		return p, p.readGrid(v)
	case "minecraft:concentric_rings":
		p.rings, err = l.readRings(v)
		return p, err
	}
	return nil, v.Errorf("unknown placement %s", kind)
}

func (p *placement) readGrid(v provider.Value) (err error) {
	if p.spacing, err = number(v, "spacing", 0, maxSpacing); err != nil {
		return err
	}
	if p.separation, err = number(v, "separation", 0, maxSpacing); err != nil {
		return err
	}
	if p.spacing <= p.separation {
		return v.Errorf("spacing %d is not larger than separation %d", p.spacing, p.separation)
	}
	p.triangular, err = choice(v, "spread_type", map[string]bool{"linear": false, "triangular": true})
	return err
}

func (p *placement) readExclusion(v provider.Value) error {
	zone, ok, err := v.Optional("exclusion_zone")
	if err != nil || !ok {
		return err
	}
	if p.excluding, err = memberID(zone, "other_set"); err != nil {
		return err
	}
	p.distance, err = number(zone, "chunk_count", 1, maxExclusion)
	return err
}

// allows reports whether a structure of the set may start in a chunk.
func (p *placement) allows(w *placing, x, z int32) bool {
	return p.meets(w, x, z) && p.frequent(w, x, z) && !p.excluded(w, x, z)
}

// meets reports whether a chunk is on the grid or in the rings.
func (p *placement) meets(w *placing, x, z int32) bool {
	if p.rings != nil {
		return w.inRings(p.rings, x, z)
	}
	inX, inZ := p.inCell(w, floorDiv(x, p.spacing), floorDiv(z, p.spacing))
	return inX == x && inZ == z
}

// inCell returns the chunk of a cell of the grid that may have a start.
func (p *placement) inCell(w *placing, cellX, cellZ int32) (x, z int32) {
	w.random.SetRegionSeed(w.seed, cellX, cellZ, p.salt)
	room := p.spacing - p.separation
	x = cellX*p.spacing + p.spread(&w.random, room)
	return x, cellZ*p.spacing + p.spread(&w.random, room)
}

func (p *placement) spread(random *rng.Worldgen, room int32) int32 {
	first := random.IntN(room)
	if !p.triangular {
		return first
	}
	return (first + random.IntN(room)) / 2
}

// saltOfTreasures is what legacy_type_2 uses in place of the set's own salt.
const saltOfTreasures = 10387320

// frequent draws whether a chunk is among those that the frequency leaves.
func (p *placement) frequent(w *placing, x, z int32) bool {
	if p.frequency >= 1 {
		return true
	}
	random := &w.random
	switch p.reduction {
	case reduceByRegion:
		regionX, regionZ := x>>4, z>>4
		random.SetSeed(int64(regionX^regionZ<<4) ^ w.seed)
		random.Int()
		return random.IntN(int32(1/p.frequency)) == 0
	case reduceBySalt:
		random.SetRegionSeed(w.seed, x, z, saltOfTreasures)
		return random.Float() < p.frequency
	case reduceByDouble:
		random.SetLargeFeatureSeed(w.seed, x, z)
		return random.Double() < float64(p.frequency)
	}
	random.SetRegionSeed(w.seed, p.salt, x, z) // in this order, as the game has it
	return random.Float() < p.frequency
}

// excluded reports whether a chunk is near one of another set.
func (p *placement) excluded(w *placing, x, z int32) bool {
	if p.exclusion == nil {
		return false
	}
	for nearX := x - p.distance; nearX <= x+p.distance; nearX++ {
		for nearZ := z - p.distance; nearZ <= z+p.distance; nearZ++ {
			if p.exclusion.allows(w, nearX, nearZ) {
				return true
			}
		}
	}
	return false
}

// placing is a worker's scratch for placements.
type placing struct {
	seed   int64
	random rng.Worldgen
	ground Ground
	found  map[*rings]*ringPlaces
}

func newPlacing(seed int64, ground Ground) *placing {
	return &placing{seed: seed, random: rng.NewWorldgenLegacy(0), ground: ground, found: map[*rings]*ringPlaces{}}
}

func floorDiv(a, b int32) int32 {
	quotient := a / b
	if a%b < 0 {
		quotient--
	}
	return quotient
}

// memberID reads a member that is an id.
func memberID(v provider.Value, name string) (string, error) {
	member, err := v.Member(name)
	if err != nil {
		return "", err
	}
	return member.ID()
}

// number reads a member that is an integer.
func number(v provider.Value, name string, low, high int32) (int32, error) {
	member, err := v.Member(name)
	if err != nil {
		return 0, err
	}
	return member.Int(low, high)
}

// choice reads a member that is one of some texts; the zero value if it is
// missing.
func choice[T any](v provider.Value, name string, among map[string]T) (value T, err error) {
	member, ok, err := v.Optional(name)
	if err != nil || !ok {
		return value, err
	}
	text, err := member.Text()
	if err != nil {
		return value, err
	}
	value, ok = among[text]
	if !ok {
		return value, member.Errorf("unknown %s %q", name, text)
	}
	return value, nil
}

// idsOf reads a member that is an id, a list of them or a tag.
func idsOf(source settings.Source, registry string, v provider.Value) ([]string, error) {
	if list, ok := v.List(); ok {
		ids := make([]string, len(list))
		for i, element := range list {
			var err error
			if ids[i], err = element.ID(); err != nil {
				return nil, err
			}
		}
		return ids, nil
	}
	text, err := v.Text()
	if err != nil {
		return nil, err
	}
	if len(text) > 0 && text[0] == '#' {
		ids, err := source.Tag(registry, settings.ID(text[1:]))
		if err != nil {
			return nil, v.Errorf("tag: %v", err)
		}
		return ids, nil
	}
	id, err := v.ID()
	return []string{id}, err
}
