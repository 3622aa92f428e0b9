package preset

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"

	"strata/anvil"
	"strata/anvil/level"
	"strata/pregen/worldgen/settings"
)

// Dimension is what makes the chunks of one.
type Dimension struct {
	ID        string
	Type      Type
	Generator Generator
}

// Type is a dimension type: what its height and light are.
type Type struct {
	ID            string // "" if it stands in the settings themselves
	MinY          int    // of the lowest block
	Height        int    // in blocks
	LogicalHeight int    // in blocks, as far as portals and chorus fruit go
	HasSkylight   bool
	HasCeiling    bool
	Scale         float64 // of coordinates, against the overworld's
	Document      []byte  // all of it, as JSON
}

// Kind is a type of generator.
type Kind uint8

// The generators of the game (registry worldgen/chunk_generator of 26.2).
const (
	Noise Kind = iota + 1 // "minecraft:noise"
	Flat                  // "minecraft:flat"
	Debug                 // "minecraft:debug"
)

// String returns the id of the generator.
func (k Kind) String() string {
	switch k {
	case Noise:
		return "minecraft:noise"
	case Flat:
		return "minecraft:flat"
	case Debug:
		return "minecraft:debug"
	}
	return fmt.Sprintf("generator %d", uint8(k))
}

// Generator is what makes blocks and biomes.
type Generator struct {
	Kind Kind
	// SettingsID is that of the noise settings, "" if they stand in the world's
	// settings themselves.
	SettingsID string
	// Settings are the noise settings, as a JSON document of
	// worldgen/noise_settings; nil but for Noise.
	Settings []byte
	// BiomeSource of Noise.
	BiomeSource BiomeSource
	// Flat is the settings of a flat generator, complete and checked; nil but
	// for Flat. Its biome and blocks are full ids.
	Flat *level.Flat
}

// reader reads the documents of one dimension.
type reader struct{ source settings.Source }

// The registries that dimensions refer to.
const (
	typeRegistry          = "dimension_type"
	noiseSettingsRegistry = "worldgen/noise_settings"
	biomeRegistry         = "worldgen/biome"
	parameterRegistry     = "worldgen/multi_noise_biome_source_parameter_list"
)

func (r reader) dimension(id string, text json.RawMessage) (*Dimension, error) {
	var document struct {
		Type      json.RawMessage
		Generator json.RawMessage
	}
	if err := decode("", text, &document); err != nil {
		return nil, err
	}
	if !level.ValidID(id) {
		return nil, bad("id", "%q is none", id)
	}
	d := &Dimension{ID: id}
	var err error
	if d.Type, err = r.dimensionType(document.Type); err != nil {
		return nil, err
	}
	d.Generator, err = r.generator(document.Generator)
	return d, err
}

// decode reads an object that must be there.
func decode(path string, text json.RawMessage, to any) error {
	if path == "" {
		path = "dimension"
	}
	if len(text) == 0 {
		return bad(path, "missing")
	}
	if text[0] != '{' {
		return bad(path, "no object")
	}
	if err := json.Unmarshal(text, to); err != nil {
		return fmt.Errorf("%s: %w: %w", path, settings.ErrDocument, err)
	}
	return nil
}

// holder reads what is either the id of a registry's entry or stands there
// itself. id is "" for the latter.
func (r reader) holder(path, registry string, text json.RawMessage) (id string, document json.RawMessage, err error) {
	switch {
	case len(text) == 0:
		return "", nil, bad(path, "missing")
	case text[0] == '{':
		return "", text, nil
	}
	if id, err = r.id(path, text); err != nil {
		return "", nil, err
	}
	document, err = r.source.Document(registry, id)
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return id, document, err
}

// id reads an id, with its namespace put on.
func (r reader) id(path string, text json.RawMessage) (string, error) {
	var id string
	if err := json.Unmarshal(text, &id); err != nil {
		return "", fmt.Errorf("%s: %w: %w", path, settings.ErrDocument, err)
	}
	if id = settings.ID(id); !level.ValidID(id) {
		return "", bad(path, "%q is no id", id)
	}
	return id, nil
}

func (r reader) dimensionType(text json.RawMessage) (t Type, err error) {
	if t.ID, t.Document, err = r.holder("type", typeRegistry, text); err != nil {
		return t, err
	}
	path := "type"
	if t.ID != "" {
		path = typeRegistry + " " + t.ID
	}
	var document struct {
		MinY          *int32   `json:"min_y"`
		Height        *int32   `json:"height"`
		LogicalHeight *int32   `json:"logical_height"`
		HasSkylight   *bool    `json:"has_skylight"`
		HasCeiling    *bool    `json:"has_ceiling"`
		Scale         *float64 `json:"coordinate_scale"`
	}
	if err := decode(path, t.Document, &document); err != nil {
		return t, err
	}
	switch {
	case document.MinY == nil:
		return t, bad(path, "min_y is missing")
	case document.Height == nil:
		return t, bad(path, "height is missing")
	case document.LogicalHeight == nil:
		return t, bad(path, "logical_height is missing")
	case document.HasSkylight == nil:
		return t, bad(path, "has_skylight is missing")
	case document.HasCeiling == nil:
		return t, bad(path, "has_ceiling is missing")
	case document.Scale == nil:
		return t, bad(path, "coordinate_scale is missing")
	}
	if h := (anvil.Height{MinY: *document.MinY, Blocks: *document.Height}); !h.Valid() {
		return t, bad(path, "%d blocks from %d on", h.Blocks, h.MinY)
	}
	if *document.LogicalHeight < 0 || *document.LogicalHeight > *document.Height {
		return t, bad(path, "logical_height %d of %d", *document.LogicalHeight, *document.Height)
	}
	if s := *document.Scale; math.IsNaN(s) || s < 1e-5 || s > 3e7 {
		return t, bad(path, "coordinate_scale %v", s)
	}
	t.MinY, t.Height, t.LogicalHeight = int(*document.MinY), int(*document.Height), int(*document.LogicalHeight)
	t.HasSkylight, t.HasCeiling, t.Scale = *document.HasSkylight, *document.HasCeiling, *document.Scale
	return t, nil
}

func (r reader) generator(text json.RawMessage) (g Generator, err error) {
	var document struct {
		Type        json.RawMessage
		Settings    json.RawMessage
		BiomeSource json.RawMessage `json:"biome_source"`
	}
	if err := decode("generator", text, &document); err != nil {
		return g, err
	}
	if len(document.Type) == 0 {
		return g, bad("generator/type", "missing")
	}
	kind, err := r.id("generator/type", document.Type)
	if err != nil {
		return g, err
	}
	switch kind {
	case Noise.String():
		g.Kind = Noise
		if g.SettingsID, g.Settings, err = r.holder("generator/settings", noiseSettingsRegistry, document.Settings); err != nil {
			return g, err
		}
		g.BiomeSource, err = r.biomeSource("generator/biome_source", document.BiomeSource)
	case Flat.String():
		g.Kind = Flat
		g.Flat, err = r.flat("generator/settings", document.Settings)
	case Debug.String():
		g.Kind = Debug
	default:
		err = unknown("generator/type", "generator", kind)
	}
	return g, err
}

// needs checks that a registry has an entry.
func (r reader) needs(path, registry, id string) error {
	_, err := r.source.Document(registry, id)
	if errors.Is(err, fs.ErrNotExist) {
		return notExist(path, registry, id)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
