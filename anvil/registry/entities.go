package registry

// Entity is an entity type.
type Entity struct {
	ID        int32
	Name      string  // with namespace
	Width     float32 // in blocks, of an adult at scale 1
	Height    float32
	EyeHeight float32
	// Category is the mob category by which spawning counts it: "monster",
	// "creature", "ambient", "axolotls", "underground_water_creature",
	// "water_creature", "water_ambient" or "misc".
	Category    string
	FireImmune  bool
	Summonable  bool
	Saved       bool // in chunks; players and some helpers are not
	SpawnsFar   bool // may spawn at any distance from a player
	Attackable  bool
	Mob         bool
	MaxPerChunk int32 // of one spawning cluster; 0 for what does not spawn so
	Experience  int32 // dropped when killed
	// Placement and Heightmap say where spawning puts it: "on_ground",
	// "in_water", "in_lava" or "unrestricted"; "motion_blocking" or
	// "motion_blocking_no_leaves".
	Placement string
	Heightmap string
	// HurtSound is a number in minecraft:sound_event or -1: few types have one
	// in the source.
	HurtSound int32
	// Attributes are those that the type has, with the base values of a fresh
	// one. What is not living has none.
	Attributes []AttributeValue
	// Metadata is its tracked data by index.
	Metadata []MetadataField
}

// AttributeValue is the value of an attribute.
type AttributeValue struct {
	Attribute int32 // number in minecraft:attribute
	Value     float64
}

// MetadataField is one place of an entity's tracked data.
type MetadataField struct {
	Name string // such as "shared_flags"; unique in an entity type
	Type int32  // number in the enum "metadata_type"
}

// Entities returns all entity types by number. The result is shared and must
// not be changed.
func Entities(v Version) []Entity { return of(v).entities() }

// EntityByName returns the entity type of a name, or nil.
func EntityByName(name string, v Version) *Entity {
	id, ok := Of("entity_type", v).ID(name)
	if !ok {
		return nil
	}
	return &of(v).entities()[id]
}

// Base returns the base value of an attribute, and false if the type does not
// have it.
func (e *Entity) Base(attribute int32) (float64, bool) {
	for _, a := range e.Attributes {
		if a.Attribute == attribute {
			return a.Value, true
		}
	}
	return 0, false
}

// MetadataIndex returns the place of a metadata field by its name.
func (e *Entity) MetadataIndex(name string) (int, bool) {
	for i := range e.Metadata {
		if e.Metadata[i].Name == name {
			return i, true
		}
	}
	return 0, false
}

// decodeEntities reads for each entity type: width, height, eye height; the
// category (shared text); six truth values; largest group, experience;
// placement and heightmap (shared texts); number of the hurt sound plus one;
// n attributes: number, value; m metadata fields: name (shared text), type.
func decodeEntities(data []byte, names *nameTable) ([]Entity, error) {
	d := newTextDecoder(data)
	types := names.get(d, "entity_type")
	sounds := len(names.get(d, "sound_event").names)
	attributes := len(names.get(d, "attribute").names)
	list := make([]Entity, len(types.names))
	for id := range list {
		list[id] = Entity{
			ID: int32(id), Name: types.names[id],
			Width: d.float(), Height: d.float(), EyeHeight: d.float(), Category: d.sharedString(),
			FireImmune: d.truth(), Summonable: d.truth(), Saved: d.truth(), SpawnsFar: d.truth(),
			Attackable: d.truth(), Mob: d.truth(), MaxPerChunk: d.int32(), Experience: d.int32(),
			Placement: d.sharedString(), Heightmap: d.sharedString(), HurtSound: d.optional(sounds),
			Attributes: decodeAttributes(d, attributes), Metadata: decodeMetadata(d),
		}
	}
	return list, d.end()
}

func decodeAttributes(d *decoder, limit int) []AttributeValue {
	n := d.count()
	if n == 0 {
		return nil
	}
	list := make([]AttributeValue, n)
	for i := range list {
		list[i] = AttributeValue{int32(d.index(limit)), d.double()}
	}
	return list
}

func decodeMetadata(d *decoder) []MetadataField {
	list := make([]MetadataField, d.count())
	for i := range list {
		list[i] = MetadataField{d.sharedString(), d.int32()}
	}
	return list
}
