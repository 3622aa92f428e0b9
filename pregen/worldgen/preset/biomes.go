package preset

import (
	"encoding/json"
	"fmt"

	"strata/pregen/worldgen/settings"
)

// SourceKind is a type of biome source.
type SourceKind uint8

// The biome sources of the game (registry worldgen/biome_source of 26.2).
const (
	MultiNoise   SourceKind = iota + 1 // "minecraft:multi_noise"
	Fixed                              // "minecraft:fixed"
	Checkerboard                       // "minecraft:checkerboard"
	TheEnd                             // "minecraft:the_end"
)

// sourceKinds are their ids.
var sourceKinds = [...]string{
	MultiNoise: "minecraft:multi_noise", Fixed: "minecraft:fixed",
	Checkerboard: "minecraft:checkerboard", TheEnd: "minecraft:the_end",
}

// String returns the id of the biome source.
func (k SourceKind) String() string {
	if k == 0 || int(k) >= len(sourceKinds) {
		return fmt.Sprintf("biome source %d", uint8(k))
	}
	return sourceKinds[k]
}

// BiomeSource is what says where which biome is.
type BiomeSource struct {
	Kind SourceKind
	// Table is that of [settings.BiomeParameters] for a MultiNoise that names a
	// parameter list, "" for one that has its rows in Document.
	Table string
	// Biome of Fixed, a full id.
	Biome string
	// Document is the source as JSON.
	Document []byte
}

func (r reader) biomeSource(path string, text json.RawMessage) (s BiomeSource, err error) {
	var document struct {
		Type   json.RawMessage
		Preset json.RawMessage // of MultiNoise
		Biomes json.RawMessage // of MultiNoise and Checkerboard
		Biome  json.RawMessage // of Fixed
	}
	if err := decode(path, text, &document); err != nil {
		return s, err
	}
	s.Document = text
	if len(document.Type) == 0 {
		return s, bad(path+"/type", "missing")
	}
	kind, err := r.id(path+"/type", document.Type)
	if err != nil {
		return s, err
	}
	switch kind {
	case MultiNoise.String():
		s.Kind = MultiNoise
		if len(document.Preset) > 0 {
			s.Table, err = r.parameterList(path+"/preset", document.Preset)
			break
		}
		err = needList(path+"/biomes", document.Biomes)
	case Fixed.String():
		s.Kind = Fixed
		if len(document.Biome) == 0 {
			return s, bad(path+"/biome", "missing")
		}
		if s.Biome, err = r.id(path+"/biome", document.Biome); err == nil {
			err = r.needs(path+"/biome", biomeRegistry, s.Biome)
		}
	case Checkerboard.String():
		s.Kind = Checkerboard
		if len(document.Biomes) == 0 {
			err = bad(path+"/biomes", "missing")
		}
	case TheEnd.String():
		s.Kind = TheEnd
	default:
		err = unknown(path+"/type", "biome source", kind)
	}
	return s, err
}

// needList checks that there is an array with something in it.
func needList(path string, text json.RawMessage) error {
	var list []json.RawMessage
	if len(text) == 0 {
		return bad(path, "neither preset nor biomes")
	}
	if err := json.Unmarshal(text, &list); err != nil {
		return fmt.Errorf("%s: %w: %w", path, settings.ErrDocument, err)
	}
	if len(list) == 0 {
		return bad(path, "empty")
	}
	return nil
}

// parameterList returns the table that a parameter list is.
func (r reader) parameterList(path string, text json.RawMessage) (string, error) {
	_, list, err := r.holder(path, parameterRegistry, text)
	if err != nil {
		return "", err
	}
	var document struct{ Preset json.RawMessage }
	if err := decode(path, list, &document); err != nil {
		return "", err
	}
	if len(document.Preset) == 0 {
		return "", bad(path+"/preset", "missing")
	}
	table, err := r.id(path+"/preset", document.Preset)
	if err != nil {
		return "", err
	}
	if !settings.HasBiomeParameters(table) {
		return "", unknown(path+"/preset", "table of biome parameters", table)
	}
	return table, nil
}
