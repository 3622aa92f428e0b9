package registry

// Biome is what a server needs of a biome beside its entry in the synced
// registry: climate and natural spawning.
type Biome struct {
	ID               int32
	Name             string // with namespace
	Temperature      float32
	Downfall         float32
	HasPrecipitation bool
	// Frozen says that the temperature varies by place with the "frozen"
	// modifier, as in frozen oceans.
	Frozen bool
	// SpawnProbability is the chance of creatures spawning with a fresh chunk.
	// Files that say none are assumed to mean 0.1.
	SpawnProbability float32
	Spawns           []SpawnGroup
	SpawnCosts       []SpawnCost
}

// SpawnGroup is what spawns of one mob category.
type SpawnGroup struct {
	Category string // as in Entity.Category
	Spawns   []Spawn
}

// Spawn is one choice of natural spawning.
type Spawn struct {
	Entity   int32 // number in minecraft:entity_type
	Weight   int32
	Min, Max int32 // size of a pack
}

// SpawnCost limits how dense an entity type may spawn.
type SpawnCost struct {
	Entity               int32
	EnergyBudget, Charge float64
}

// Biomes returns all biomes by number in minecraft:worldgen/biome. The result
// is shared and must not be changed.
func Biomes(v Version) []Biome { return of(v).biomes() }

// decodeBiomes reads for each biome: temperature, downfall, precipitation,
// frozen, spawn probability; n groups: category (shared text), m spawns of
// entity, weight, min, max; k costs of entity, budget, charge.
func decodeBiomes(data []byte, names *nameTable) ([]Biome, error) {
	d := newTextDecoder(data)
	registry := names.get(d, "worldgen/biome")
	entities := len(names.get(d, "entity_type").names)
	list := make([]Biome, len(registry.names))
	for id := range list {
		b := &list[id]
		*b = Biome{
			ID: int32(id), Name: registry.names[id], Temperature: d.float(), Downfall: d.float(),
			HasPrecipitation: d.truth(), Frozen: d.truth(), SpawnProbability: d.float(),
		}
		b.Spawns = make([]SpawnGroup, d.count())
		for i := range b.Spawns {
			group := SpawnGroup{Category: d.sharedString(), Spawns: make([]Spawn, d.count())}
			for k := range group.Spawns {
				group.Spawns[k] = Spawn{int32(d.index(entities)), d.int32(), d.int32(), d.int32()}
			}
			b.Spawns[i] = group
		}
		b.SpawnCosts = make([]SpawnCost, d.count())
		for i := range b.SpawnCosts {
			b.SpawnCosts[i] = SpawnCost{int32(d.index(entities)), d.double(), d.double()}
		}
	}
	return list, d.end()
}
