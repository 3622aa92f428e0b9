package surface

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"strata/anvil/block"
	"strata/pregen/worldgen/climate"
	"strata/pregen/worldgen/density"
	"strata/pregen/worldgen/noise"
	"strata/pregen/worldgen/oracletest"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/settings"
)

// world is a dimension of a seed, with what its surface needs.
type world struct {
	minY, height int
	system       *System
	builder      *Builder
	density      *density.Chunk
	source       *climate.Source
	reader       *climate.Reader
	biomes       []Biome
	zoom         climate.Zoom
}

// documents are the game's names for a dimension's folders of the oracle.
var documents = map[string]struct {
	settings, preset string
	minY, height     int
}{
	"overworld":  {"minecraft:overworld", "minecraft:overworld", -64, 384},
	"the_nether": {"minecraft:nether", "minecraft:nether", 0, 256},
	"the_end":    {"minecraft:end", "", 0, 256},
}

// worlds are those made before. Tests of this package do not run in parallel.
var worlds = make(map[string]*world)

// newWorld returns a dimension made from the documents of 26.2.
func newWorld(t testing.TB, dimension string, seed int64) *world {
	t.Helper()
	key := fmt.Sprint(dimension, seed)
	if worlds[key] == nil {
		worlds[key] = makeWorld(t, dimension, seed)
	}
	return worlds[key]
}

func makeWorld(t testing.TB, dimension string, seed int64) *world {
	t.Helper()
	source, err := settings.Builtin(4903)
	if err != nil {
		t.Fatal(err)
	}
	names := documents[dimension]
	w := &world{minY: names.minY, height: names.height, zoom: climate.NewZoom(seed)}
	noises := noise.NewSet(seed, dimension != "overworld", settings.Noises(source))
	loader := density.NewLoader(source, noises)
	router, shape, err := loader.Settings(names.settings)
	if err != nil {
		t.Fatal(err)
	}
	program, err := density.Compile(loader.Graph(), router, shape)
	if err != nil {
		t.Fatal(err)
	}
	w.density = program.NewChunk()
	w.source = loadBiomes(t, source, names.preset)
	w.reader = w.source.Reader(w.density)
	if w.biomes, err = ReadBiomes(source, w.source.Biomes()); err != nil {
		t.Fatal(err)
	}
	w.system = newSystem(t, source, names.settings, noises, w.biomes)
	w.builder = w.system.NewBuilder()
	return w
}

// newSystem makes a system of noise settings.
func newSystem(t testing.TB, source settings.Source, id string, noises *noise.Set, biomes []Biome) *System {
	t.Helper()
	text, err := source.Document("worldgen/noise_settings", id)
	if err != nil {
		t.Fatal(err)
	}
	var data struct {
		SeaLevel int                   `json:"sea_level"`
		Default  struct{ Name string } `json:"default_block"`
		Rule     json.RawMessage       `json:"surface_rule"`
		Noise    struct {
			MinY   int `json:"min_y"`
			Height int
		}
	}
	if err := json.Unmarshal(text, &data); err != nil {
		t.Fatal(err)
	}
	rule, err := Parse(source, id, data.Rule)
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Settings{
		Rule: rule, Noises: noises, Biomes: biomes,
		DefaultBlock: block.MustParse(data.Default.Name), SeaLevel: data.SeaLevel,
		MinY: data.Noise.MinY, Height: data.Noise.Height,
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// loadBiomes loads the biome source of a preset, or that of the End.
func loadBiomes(t testing.TB, source settings.Source, preset string) *climate.Source {
	t.Helper()
	document := `{"type": "minecraft:the_end"}`
	if preset != "" {
		document = `{"type": "minecraft:multi_noise", "preset": "` + preset + `"}`
	}
	loaded, err := climate.Load([]byte(document), climate.Options{Settings: source, DataVersion: 4903})
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

// live looks biomes up in the climate each time it is asked, as whoever made the
// dumps did: where two are equally near, the one found before wins, and so the
// answer depends on the order of questions. It keeps its last answers.
type live struct {
	w      *world
	finder *climate.Finder
	asked  map[[3]int]proto.Biome
}

// live returns the biomes of a dimension that has a table.
func (w *world) live() *live {
	return &live{w: w, finder: w.source.Table().Finder(), asked: make(map[[3]int]proto.Biome)}
}

// At implements Biomes.
func (l *live) At(x, y, z int) proto.Biome {
	qx, qy, qz := l.w.zoom.Cell(x, y, z)
	var out [1][climate.Parameters]float64
	l.w.density.Climate(qx, qz, []int{qy}, out[:])
	found := l.finder.Find(climate.PointOf(&out[0])).Biome
	l.asked[[3]int{x, y, z}] = found
	return found
}

// recorded answers as live did, and what live was not asked from a view.
type recorded struct {
	*climate.View
	asked map[[3]int]proto.Biome
}

// At implements Biomes.
func (r recorded) At(x, y, z int) proto.Biome {
	if biome, ok := r.asked[[3]int{x, y, z}]; ok {
		return biome
	}
	return r.View.At(x, y, z)
}

// Present implements Palette.
func (r recorded) Present(low, high int, list []proto.Biome) []proto.Biome {
	for at, biome := range r.asked {
		if low <= at[1] && at[1] <= high && !slices.Contains(list, biome) {
			list = append(list, biome)
		}
	}
	return append(list, r.View.Present(low, high, nil)...)
}

// view computes the biomes in and around a chunk.
func (w *world) view(x, z int32) *climate.View {
	v := climate.NewView(w.minY, w.height)
	v.Reset(w.zoom, x, z)
	c := proto.New(w.minY, w.height)
	for i := range int32(9) {
		c.Reset(x+i%3-1, z+i/3-1)
		w.density.Begin(c.X, c.Z)
		w.reader.Fill(c)
		v.Load(c)
	}
	w.density.Begin(x, z)
	return v
}

// load fills a chunk with the blocks of a dump.
func (w *world) load(d *oracletest.Dump) *proto.Chunk {
	c := proto.New(w.minY, w.height)
	c.Reset(d.X, d.Z)
	for y := d.MinY; y < d.MinY+d.Height; y++ {
		for z := range 16 {
			for x := range 16 {
				c.Blocks[c.Index(x, y, z)] = d.Block(x, y, z)
			}
		}
	}
	c.ComputeHeights()
	return c
}
