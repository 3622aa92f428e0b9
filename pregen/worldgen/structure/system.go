package structure

import (
	"cmp"
	"slices"
	"strings"

	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/terrain"
)

const (
	setRegistry       = "worldgen/structure_set"
	structureRegistry = "worldgen/structure"
)

// steps are the steps of decoration, by the names that structures use.
var steps = [...]string{
	"raw_generation", "lakes", "local_modifications", "underground_structures", "surface_structures", "strongholds",
	"underground_ores", "underground_decoration", "fluid_springs", "vegetal_decoration", "top_layer_modification",
}

// Structure is an entry of worldgen/structure.
type Structure struct {
	ID         string
	Type       string // such as minecraft:jigsaw
	Adaptation terrain.Adaptation
	Step       int32
	// Index is its place among all structures of its step, which seeds it.
	Index  int32
	Layout Layout // nil where there is no factory for the type

	biomes []bool // that it may be in, by number
}

// Allowed reports whether the structure may be in a biome.
func (s *Structure) allowed(l *Layouter, p Point) bool {
	return s.biomes[l.Biome(p.X>>2, p.Y>>2, p.Z>>2)]
}

// set is an entry of worldgen/structure_set.
type set struct {
	id        string
	placement *placement
	entries   []entry
	total     int32 // of weights
}

type entry struct {
	structure *Structure
	weight    int32
}

// System has the structures of a dimension. It does not change and may be used
// concurrently.
type System struct {
	sets       []*set
	structures []*Structure // of the sets, by id
	byID       map[string]*Structure
	missing    []string
	seed       int64
}

// maxEntries bounds the structures of a set.
const maxEntries = 1 << 12

// Load reads the structures that may be in a dimension with some biomes, ids by
// number.
func Load(l *Loader, biomes []string, seed int64) (*System, error) {
	s := &System{byID: make(map[string]*Structure), seed: seed}
	all, err := l.structures(biomes)
	if err != nil {
		return nil, err
	}
	ids, err := l.source.IDs(setRegistry)
	if err != nil {
		return nil, err
	}
	sortIDs(ids)
	placements := map[string]*placement{}
	var excluding []*placement
	for _, id := range ids {
		set, err := l.readSet(id, all)
		if err != nil {
			return nil, err
		}
		placements[id] = set.placement
		excluding = append(excluding, set.placement)
		if set.placement.rings != nil {
			set.placement.rings.resolve(biomes)
		}
		if slices.ContainsFunc(set.entries, func(e entry) bool { return slices.Contains(e.structure.biomes, true) }) {
			s.sets = append(s.sets, set)
		}
	}
	for _, p := range excluding {
		p.exclusion = placements[p.excluding]
	}
	s.collect()
	return s, nil
}

// collect lists the structures of the sets and the types that are missing.
func (s *System) collect() {
	for _, set := range s.sets {
		for _, e := range set.entries {
			if s.byID[e.structure.ID] != nil {
				continue
			}
			s.byID[e.structure.ID] = e.structure
			s.structures = append(s.structures, e.structure)
			if e.structure.Layout == nil {
				s.missing = append(s.missing, e.structure.Type)
			}
		}
	}
	slices.SortFunc(s.structures, func(a, b *Structure) int {
		return cmp.Or(cmp.Compare(a.Step, b.Step), cmp.Compare(a.Index, b.Index))
	})
	slices.Sort(s.missing)
	s.missing = slices.Compact(s.missing)
}

// Missing lists the types of structures of the dimension that have no factory.
// They never start.
func (s *System) Missing() []string { return s.missing }

// Structures lists the structures that may be in the dimension. It must not be
// changed.
func (s *System) Structures() []*Structure { return s.structures }

// Structure returns a structure of the dimension by its id; nil if there is
// none.
func (s *System) Structure(id string) *Structure { return s.byID[id] }

// sortIDs puts ids in the order of the game's registries: by path, then by
// namespace.
func sortIDs(ids []string) {
	slices.SortFunc(ids, func(a, b string) int {
		spaceA, pathA, _ := strings.Cut(a, ":")
		spaceB, pathB, _ := strings.Cut(b, ":")
		return cmp.Or(cmp.Compare(pathA, pathB), cmp.Compare(spaceA, spaceB))
	})
}

// structures reads all structures, by id.
func (l *Loader) structures(biomes []string) (map[string]*Structure, error) {
	ids, err := l.source.IDs(structureRegistry)
	if err != nil {
		return nil, err
	}
	sortIDs(ids)
	all := make(map[string]*Structure, len(ids))
	var inStep [len(steps)]int32
	for _, id := range ids {
		s, err := l.readStructure(id, biomes)
		if err != nil {
			return nil, err
		}
		s.Index = inStep[s.Step]
		inStep[s.Step]++
		all[id] = s
	}
	return all, nil
}

// document reads a document by name.
func (l *Loader) document(registry, id string) (provider.Value, error) {
	text, err := l.source.Document(registry, id)
	if err != nil {
		return provider.Value{}, err
	}
	return provider.Parse(registry, id, text)
}

func (l *Loader) readStructure(id string, biomes []string) (*Structure, error) {
	v, err := l.document(structureRegistry, id)
	if err != nil {
		return nil, err
	}
	s := &Structure{ID: id}
	if s.Type, err = memberID(v, "type"); err != nil {
		return nil, err
	}
	member, err := v.Member("biomes")
	if err != nil {
		return nil, err
	}
	allowed, err := idsOf(l.source, "worldgen/biome", member)
	if err != nil {
		return nil, err
	}
	s.biomes = maskOf(biomes, allowed)
	if member, ok, err := v.Optional("terrain_adaptation"); err != nil {
		return nil, err
	} else if ok {
		text, err := member.Text()
		if err != nil {
			return nil, err
		}
		if s.Adaptation, err = terrain.ParseAdaptation(text); err != nil {
			return nil, member.Errorf("%v", err)
		}
	}
	if member, err = v.Member("step"); err != nil {
		return nil, err
	}
	step, err := member.Text()
	if err != nil {
		return nil, err
	}
	i := slices.Index(steps[:], step)
	if i < 0 {
		return nil, member.Errorf("unknown step %q", step)
	}
	s.Step = int32(i)
	if factory := l.factories[s.Type]; factory != nil {
		s.Layout, err = factory(l, v)
	}
	return s, err
}

func (l *Loader) readSet(id string, all map[string]*Structure) (*set, error) {
	v, err := l.document(setRegistry, id)
	if err != nil {
		return nil, err
	}
	s := &set{id: id}
	member, err := v.Member("placement")
	if err != nil {
		return nil, err
	}
	if s.placement, err = l.readPlacement(member); err != nil {
		return nil, err
	}
	if member, err = v.Member("structures"); err != nil {
		return nil, err
	}
	list, ok := member.List()
	if !ok || len(list) > maxEntries {
		return nil, member.Errorf("not a list of at most %d", maxEntries)
	}
	for _, element := range list {
		id, err := memberID(element, "structure")
		if err != nil {
			return nil, err
		}
		e := entry{structure: all[id]}
		if e.structure == nil {
			return nil, element.Errorf("no structure %s", id)
		}
		if e.weight, err = number(element, "weight", 1, 1<<20); err != nil {
			return nil, err
		}
		s.entries = append(s.entries, e)
		s.total += e.weight
	}
	return s, nil
}

var _ feature.Structures = (*Starts)(nil)
