package carve_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"strata/pregen/worldgen/oracletest"
	"strata/pregen/worldgen/settings"
)

func allBiomes(t testing.TB) []string {
	t.Helper()
	ids, err := oracletest.Datapack(t).IDs("worldgen/biome")
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

// carversOf returns the JSON of a biome's carvers, without spaces.
func carversOf(t testing.TB, biome string) string {
	t.Helper()
	text, err := oracletest.Datapack(t).Document("worldgen/biome", biome)
	if err != nil {
		t.Fatal(err)
	}
	var document struct{ Carvers json.RawMessage }
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(string(document.Carvers)), "")
}

// pack is a data pack: documents and tags by "registry id".
type pack struct {
	documents map[string]string
	tags      map[string][]string
}

var _ settings.Source = pack{}

func (p pack) Document(registry, id string) ([]byte, error) {
	text, ok := p.documents[registry+" "+id]
	if !ok {
		return nil, fmt.Errorf("%s %s: %w", registry, id, fs.ErrNotExist)
	}
	return []byte(text), nil
}

func (p pack) IDs(string) ([]string, error) { return nil, nil }

func (p pack) Tag(registry, id string) ([]string, error) {
	members, ok := p.tags[registry+" "+id]
	if !ok {
		return nil, fmt.Errorf("tag %s %s: %w", registry, id, fs.ErrNotExist)
	}
	return members, nil
}

// caveText and canyonText are documents of carvers that always start, and dig
// stone only. Tests change parts of them.
const (
	caveText = `{"type":"cave","config":{"probability":1,"y":{"absolute":40},"yScale":0.5,
		"lava_level":{"absolute":-60},"replaceable":"stone",
		"horizontal_radius_multiplier":1.2,"vertical_radius_multiplier":1.1,"floor_level":-0.7}}`
	canyonText = `{"type":"minecraft:canyon","config":{"probability":1,"y":{"absolute":30},"yScale":3,
		"lava_level":{"above_bottom":8},"replaceable":["minecraft:stone","deepslate"],
		"vertical_rotation":{"type":"uniform","min_inclusive":-0.125,"max_exclusive":0.125},
		"shape":{"distance_factor":0.9,"thickness":{"type":"trapezoid","min":0,"max":6,"plateau":2},
		"width_smoothness":3,"horizontal_radius_factor":1,
		"vertical_radius_default_factor":1,"vertical_radius_center_factor":0.5}}}`
)

// newPack returns a pack with the biomes a:0, a:1 ..., whose carvers are as
// given, and the carvers a:cave and a:canyon.
func newPack(biomes ...string) pack {
	p := pack{documents: map[string]string{
		"worldgen/configured_carver a:cave":   caveText,
		"worldgen/configured_carver a:canyon": canyonText,
	}, tags: map[string][]string{
		"worldgen/configured_carver a:both": {"a:cave", "a:canyon"},
		"block minecraft:rock":              {"minecraft:stone", "minecraft:granite"},
	}}
	for i, carvers := range biomes {
		p.documents[fmt.Sprintf("worldgen/biome a:%d", i)] = `{"carvers":` + carvers + `}`
	}
	return p
}

// biomes lists the biomes of newPack.
func biomes(n int) (ids []string) {
	for i := range n {
		ids = append(ids, fmt.Sprintf("a:%d", i))
	}
	return ids
}
