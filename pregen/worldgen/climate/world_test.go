package climate_test

import (
	"encoding/json"
	"testing"

	"strata/pregen/worldgen/climate"
	"strata/pregen/worldgen/density"
	"strata/pregen/worldgen/noise"
	"strata/pregen/worldgen/oracletest"
	"strata/pregen/worldgen/settings"
)

// dimension is a dimension of the game's own world.
type dimension struct {
	source *climate.Source
	chunk  *density.Chunk
	router density.Router
	spawn  []climate.Row
}

// partial is the chunk as a Partial. All of the game's climates are flat but
// for the depth.
type partial struct {
	*density.Chunk
	functions [climate.Parameters]density.Node
}

var _ climate.Partial = partial{}

func (d *dimension) partial() partial {
	r := &d.router
	return partial{d.chunk, [climate.Parameters]density.Node{r.Temperature, r.Vegetation, r.Continents, r.Erosion, r.Depth, r.Ridges}}
}

func (partial) Flat() [climate.Parameters]bool {
	return [climate.Parameters]bool{true, true, true, true, false, true}
}

func (p partial) Parameter(parameter, qx, qz int) float64 {
	return p.At(p.functions[parameter], qx*4, 0, qz*4)
}

// generators name the noise settings and the biome source of dimensions.
var generators = map[string]struct {
	settings, source string
	legacy           bool
}{
	"overworld":  {"overworld", `{"type": "minecraft:multi_noise", "preset": "minecraft:overworld"}`, false},
	"the_nether": {"nether", `{"type": "minecraft:multi_noise", "preset": "minecraft:nether"}`, true},
	"the_end":    {"end", `{"type": "minecraft:the_end"}`, true},
}

// openDimension makes a dimension of a world.
func openDimension(t testing.TB, name string, seed int64, dataVersion int32) *dimension {
	t.Helper()
	documents, err := settings.Builtin(dataVersion)
	if err != nil {
		t.Fatal(err)
	}
	g := generators[name]
	loader := density.NewLoader(documents, noise.NewSet(seed, g.legacy, settings.Noises(documents)))
	router, shape, err := loader.Settings("minecraft:" + g.settings)
	if err != nil {
		t.Fatal(err)
	}
	program, err := density.Compile(loader.Graph(), router, shape)
	if err != nil {
		t.Fatal(err)
	}
	d := &dimension{chunk: program.NewChunk(), router: router}
	d.source, err = climate.Load([]byte(g.source), climate.Options{Settings: documents, DataVersion: dataVersion})
	if err != nil {
		t.Fatal(err)
	}
	text, err := documents.Document("worldgen/noise_settings", "minecraft:"+g.settings)
	if err != nil {
		t.Fatal(err)
	}
	var data struct {
		SpawnTarget json.RawMessage `json:"spawn_target"`
	}
	if err := json.Unmarshal(text, &data); err != nil {
		t.Fatal(err)
	}
	if d.spawn, err = climate.ParsePoints(data.SpawnTarget); err != nil {
		t.Fatal(err)
	}
	return d
}

// versionOf is the data version of a world of the oracle.
func versionOf(folder string) int32 {
	if folder == "stages-26.1.2" {
		return version261
	}
	return version262
}

// stages are the stages of chunks that have biomes.
var stages = []string{"biomes", "noise", "carvers", "initialize_light", "full"}

// seedOf is the seed of a world of the oracle.
func seedOf(t testing.TB, folder string) int64 {
	t.Helper()
	for _, w := range oracletest.Worlds {
		if w.Folder == folder {
			return w.Seed
		}
	}
	t.Fatalf("no world %s", folder)
	return 0
}
