package climate

import (
	"encoding/json"
	"fmt"
	"slices"

	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/settings"
)

// Options is what Load needs beside the document.
type Options struct {
	// Settings has the biomes, their tags and the parameter lists that
	// documents name. Required.
	Settings settings.Source
	// DataVersion is the world's. It chooses among the game's own tables, which
	// presets name and which are in no document: 26.1 has a row less.
	DataVersion int32
}

// Load reads a biome source, the biome_source of a generator of type noise.
// Errors name the place in the document; those about what the game would
// refuse, too, wrap ErrInvalid, and biomes and lists that do not exist
// fs.ErrNotExist. It takes up to a tenth of a second, for the overworld.
func Load(document []byte, o Options) (*Source, error) {
	var data struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(document, &data); err != nil {
		return nil, fmt.Errorf("no object: %w", ErrInvalid)
	}
	var s *Source
	var err error
	switch kind := settings.ID(data.Type); kind {
	case "minecraft:fixed":
		s, err = loadFixed(document)
	case "minecraft:checkerboard":
		s, err = loadCheckerboard(document, o.Settings)
	case "minecraft:multi_noise":
		s, err = loadMultiNoise(document, o)
	case "minecraft:the_end":
		s = &Source{kind: theEnd, biomes: endBiomes}
	default:
		return nil, fmt.Errorf("type: unknown %q: %w", kind, ErrInvalid)
	}
	if err != nil {
		return nil, err
	}
	for _, biome := range s.biomes {
		if _, err := o.Settings.Document("worldgen/biome", biome); err != nil {
			return nil, fmt.Errorf("biome %s: %w", biome, err)
		}
	}
	return s, nil
}

func loadFixed(document []byte) (*Source, error) {
	var data struct {
		Biome string `json:"biome"`
	}
	if err := json.Unmarshal(document, &data); err != nil || data.Biome == "" {
		return nil, fmt.Errorf("biome: missing or no name: %w", ErrInvalid)
	}
	return &Source{kind: fixed, biomes: []string{settings.ID(data.Biome)}}, nil
}

// The largest scale of a checkerboard, and the shift of its smallest squares,
// which are a chunk.
const (
	limitScale = 62
	chunkShift = 2
)

func loadCheckerboard(document []byte, from settings.Source) (*Source, error) {
	var data struct {
		Biomes json.RawMessage `json:"biomes"`
		Scale  *int            `json:"scale"`
	}
	if err := json.Unmarshal(document, &data); err != nil {
		return nil, fmt.Errorf("scale: no whole number: %w", ErrInvalid)
	}
	s := &Source{kind: checkerboard, shift: chunkShift + 2}
	if data.Scale != nil {
		if *data.Scale < 0 || *data.Scale > limitScale {
			return nil, fmt.Errorf("scale: %d is not within 0 and %d: %w", *data.Scale, limitScale, ErrInvalid)
		}
		s.shift = chunkShift + uint(*data.Scale)
	}
	list, err := biomeSet(data.Biomes, from)
	if err != nil {
		return nil, fmt.Errorf("biomes: %w", err)
	}
	if len(list) == 0 || len(list) > MaxRows {
		return nil, fmt.Errorf("biomes: %d entries, not 1 to %d: %w", len(list), MaxRows, ErrInvalid)
	}
	for _, biome := range list {
		at := slices.Index(s.biomes, biome)
		if at < 0 {
			at = len(s.biomes)
			s.biomes = append(s.biomes, biome)
		}
		s.pattern = append(s.pattern, proto.Biome(at))
	}
	return s, nil
}

// biomeSet reads a list of biomes, a single one, or a tag.
func biomeSet(text json.RawMessage, from settings.Source) ([]string, error) {
	var one string
	if json.Unmarshal(text, &one) == nil && one != "" {
		if one[0] == '#' {
			return from.Tag("worldgen/biome", settings.ID(one[1:]))
		}
		return []string{settings.ID(one)}, nil
	}
	var list []string
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("no list of names: %w", ErrInvalid)
	}
	for i := range list {
		list[i] = settings.ID(list[i])
	}
	return list, nil
}

func loadMultiNoise(document []byte, o Options) (*Source, error) {
	var data struct {
		Biomes json.RawMessage `json:"biomes"`
		Preset json.RawMessage `json:"preset"`
	}
	if err := json.Unmarshal(document, &data); err != nil {
		return nil, fmt.Errorf("no object: %w", ErrInvalid)
	}
	var rows []Row
	var err error
	switch {
	case data.Biomes != nil:
		rows, err = ParseRows(data.Biomes)
	case data.Preset != nil:
		if rows, err = presetRows(data.Preset, o); err != nil {
			err = fmt.Errorf("preset: %w", err)
		}
	default:
		err = fmt.Errorf("neither biomes nor preset: %w", ErrInvalid)
	}
	if err != nil {
		return nil, err
	}
	table, err := NewTable(rows)
	if err != nil {
		return nil, err
	}
	return &Source{kind: multiNoise, biomes: table.biomes, table: table}, nil
}

// presetRows follows a preset: the name of a document, or a document in place,
// which in turn names a table of the game.
func presetRows(text json.RawMessage, o Options) ([]Row, error) {
	const registry = "worldgen/multi_noise_biome_source_parameter_list"
	var name string
	if json.Unmarshal(text, &name) == nil {
		found, err := o.Settings.Document(registry, settings.ID(name))
		if err != nil {
			return nil, err
		}
		text = found
	}
	var list struct {
		Preset string `json:"preset"`
	}
	if err := json.Unmarshal(text, &list); err != nil || list.Preset == "" {
		return nil, fmt.Errorf("%s %s: preset: missing or no name: %w", registry, name, ErrInvalid)
	}
	table, err := settings.BiomeParameters(settings.ID(list.Preset), o.DataVersion)
	if err != nil {
		return nil, fmt.Errorf("%s %s: preset: %w", registry, name, err)
	}
	rows := make([]Row, len(table))
	for i := range table {
		rows[i] = Row(table[i])
	}
	return rows, nil
}
