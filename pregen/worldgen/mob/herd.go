package mob

import (
	"strata/anvil/block"
	"strata/anvil/registry"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/settings"
)

// Herd is one kind of herd of a biome.
type Herd struct {
	kind      *kind
	weight    int32
	low, high int32 // animals
}

// herds are those of a biome.
type herds struct {
	list   []Herd
	weight int32 // of all
	chance float32
}

// kind is a type of animals.
type kind struct {
	id            string
	width, height float64
	inLava        bool
	on            []bool // blocks that it may stand on, by id; nil for any
	rule          rule
	form          former
}

// Animals are those of a dimension.
type Animals struct {
	herds  []herds // by biome
	about  []climate
	inside []bool // blocks that nothing begins in
}

// climate is what variants ask about a biome.
type climate struct {
	id                        string
	cold, warm                bool
	coldFrogs, warmFrogs      bool
	whiteRabbits, goldRabbits bool
	snowFoxes                 bool
	jungle, savanna, badlands bool
	polarBearsOnIce           bool
}

// Limits of what a biome says.
const (
	maxHerds  = 1024
	maxWeight = 1 << 20
	maxHerd   = 1024
)

// standardChance is how likely there is another herd if the biome does not say.
const standardChance = 0.1

// Load reads the animals of biomes, by their ids. Types that biomes name and
// the game does not have are an error.
func Load(source settings.Source, biomes []string) (*Animals, error) {
	l := &loader{source: source, kinds: make(map[string]*kind)}
	a := &Animals{inside: l.blocks("prevent_mob_spawning_inside")}
	for _, id := range biomes {
		h, err := l.biome(id)
		if err != nil {
			return nil, err
		}
		a.herds = append(a.herds, h)
	}
	a.about = l.climates(biomes)
	return a, nil
}

type loader struct {
	source settings.Source
	kinds  map[string]*kind
}

func (l *loader) biome(id string) (h herds, err error) {
	const registry = "worldgen/biome"
	h.chance = standardChance
	text, err := l.source.Document(registry, id)
	if err != nil {
		return h, err
	}
	v, err := provider.Parse(registry, id, text)
	if err != nil {
		return h, err
	}
	chance, ok, err := v.Optional("creature_spawn_probability")
	if err != nil {
		return h, err
	}
	if ok {
		if h.chance, err = chance.Float32(0, 0.9999999); err != nil {
			return h, err
		}
	}
	spawners, ok, err := v.Optional("spawners")
	if err != nil || !ok {
		return h, err
	}
	creatures, ok, err := spawners.Optional("creature")
	if err != nil || !ok {
		return h, err
	}
	list, ok := creatures.List()
	if !ok || len(list) > maxHerds {
		return h, creatures.Errorf("not a list of at most %d", maxHerds)
	}
	for _, element := range list {
		herd, err := l.herd(element)
		if err != nil {
			return h, err
		}
		h.list = append(h.list, herd)
		h.weight += herd.weight
	}
	return h, nil
}

func (l *loader) herd(v provider.Value) (h Herd, err error) {
	for _, m := range []struct {
		name      string
		low, high int32
		to        *int32
	}{{"weight", 0, maxWeight, &h.weight}, {"minCount", 1, maxHerd, &h.low}, {"maxCount", 1, maxHerd, &h.high}} {
		member, err := v.Member(m.name)
		if err != nil {
			return h, err
		}
		if *m.to, err = member.Int(m.low, m.high); err != nil {
			return h, err
		}
	}
	if h.low > h.high {
		return h, v.Errorf("from %d to %d", h.low, h.high)
	}
	member, err := v.Member("type")
	if err != nil {
		return h, err
	}
	id, err := member.ID()
	if err != nil {
		return h, err
	}
	if h.kind = l.kind(id); h.kind == nil {
		return h, member.Errorf("no entity type %s", id)
	}
	return h, nil
}

// kind returns the type of an id, nil if there is none.
func (l *loader) kind(id string) *kind {
	if k := l.kinds[id]; k != nil {
		return k
	}
	e := registry.EntityByName(id, registry.V26_2)
	if e == nil {
		return nil
	}
	k := &kind{id: id, width: float64(e.Width), height: float64(e.Height), inLava: e.Placement == "in_lava"}
	ways, ok := known[id]
	if !ok {
		ways = way{on: "animals_spawnable_on", rule: bright, form: plain}
	}
	if ways.on != "" {
		k.on = l.blocks(ways.on)
	}
	k.rule, k.form = ways.rule, ways.form
	l.kinds[id] = k
	return k
}

// blocks reads a tag of blocks; one that is not there is empty.
func (l *loader) blocks(tag string) []bool {
	set := make([]bool, block.BlockCount)
	names, err := l.source.Tag("block", settings.ID(tag))
	if err != nil {
		return set
	}
	for _, name := range names {
		if id, ok := block.Find(settings.ID(name)); ok {
			set[id] = true
		}
	}
	return set
}

// climates reads what variants ask about.
func (l *loader) climates(biomes []string) []climate {
	all := make([]climate, len(biomes))
	for i, id := range biomes {
		all[i].id = id
	}
	for _, t := range []struct {
		tag string
		set func(*climate)
	}{
		{"spawns_cold_variant_farm_animals", func(c *climate) { c.cold = true }},
		{"spawns_warm_variant_farm_animals", func(c *climate) { c.warm = true }},
		{"spawns_cold_variant_frogs", func(c *climate) { c.coldFrogs = true }},
		{"spawns_warm_variant_frogs", func(c *climate) { c.warmFrogs = true }},
		{"spawns_white_rabbits", func(c *climate) { c.whiteRabbits = true }},
		{"spawns_gold_rabbits", func(c *climate) { c.goldRabbits = true }},
		{"spawns_snow_foxes", func(c *climate) { c.snowFoxes = true }},
		{"is_jungle", func(c *climate) { c.jungle = true }},
		{"is_savanna", func(c *climate) { c.savanna = true }},
		{"is_badlands", func(c *climate) { c.badlands = true }},
		{"polar_bears_spawn_on_alternate_blocks", func(c *climate) { c.polarBearsOnIce = true }},
	} {
		names, err := l.source.Tag("worldgen/biome", settings.ID(t.tag))
		if err != nil {
			continue
		}
		for _, name := range names {
			for i, id := range biomes {
				if id == settings.ID(name) {
					t.set(&all[i])
				}
			}
		}
	}
	return all
}
