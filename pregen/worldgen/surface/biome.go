package surface

import (
	"encoding/json"
	"fmt"
	"math"

	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/settings"
)

// Biome is what the surface needs of a biome.
type Biome struct {
	Name        string // full id
	Temperature float32
	// Frozen is the temperature modifier of frozen oceans, which makes patches
	// of them warmer.
	Frozen bool
}

// ReadBiomes reads biomes by their full ids, in that order.
func ReadBiomes(source settings.Source, names []string) ([]Biome, error) {
	list := make([]Biome, len(names))
	for i, name := range names {
		b, err := readBiome(source, name)
		if err != nil {
			return nil, err
		}
		list[i] = b
	}
	return list, nil
}

func readBiome(source settings.Source, name string) (Biome, error) {
	text, err := source.Document("worldgen/biome", name)
	if err != nil {
		return Biome{}, err
	}
	where := "worldgen/biome " + name
	var data struct {
		Temperature *float64
		Modifier    *string `json:"temperature_modifier"`
	}
	if err := json.Unmarshal(text, &data); err != nil {
		return Biome{}, fmt.Errorf("%s: %w", where, err)
	}
	b := Biome{Name: settings.ID(name)}
	if data.Temperature == nil {
		return Biome{}, fmt.Errorf("%s: temperature: %w", where, invalid("is missing"))
	}
	b.Temperature = float32(*data.Temperature)
	if math.IsInf(float64(b.Temperature), 0) {
		return Biome{}, fmt.Errorf("%s: temperature: %w", where, invalid("is out of range"))
	}
	if data.Modifier != nil {
		switch *data.Modifier {
		case "none":
		case "frozen":
			b.Frozen = true
		default:
			return Biome{}, fmt.Errorf("%s: temperature_modifier: %w", where, invalid("%.50q is neither none nor frozen", *data.Modifier))
		}
	}
	return b, nil
}

// Biomes tells the biome of each block of a chunk, the zoomed one of the game's
// biome manager. x, y and z are those of the dimension.
type Biomes interface {
	At(x, y, z int) proto.Biome
}

// Palette is a Biomes that also tells what At may return. A Builder uses it to
// look up no biome where it makes no difference, which is most of its speed.
type Palette interface {
	Biomes
	// Present appends to list, which is empty, the biomes that At may return for
	// blocks of the chunk from y low to high, both included. It may name others
	// too, and any of them more than once. An empty list says that it could be
	// any biome.
	Present(low, high int, list []proto.Biome) []proto.Biome
}

// Preliminary tells the preliminary surface: the height at which a column of
// blocks would first be solid from above without caves. The Builder asks at the
// four corners of a chunk, which are multiples of 16.
type Preliminary interface {
	PreliminarySurface(x, z int) int
}
