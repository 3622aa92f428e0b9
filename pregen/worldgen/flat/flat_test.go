package flat_test

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"strata/anvil/block"
	"strata/anvil/level"
	"strata/pregen/worldgen/flat"
	"strata/pregen/worldgen/preset"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/settings"
)

func builtin(t testing.TB) settings.Source {
	t.Helper()
	s, err := settings.Builtin(4903)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// overworld returns the generator of the overworld of a new world, and its
// dimension.
func overworld(t testing.TB, o preset.Options) (*flat.Flat, *preset.Dimension) {
	t.Helper()
	created, err := preset.New(builtin(t), o)
	if err != nil {
		t.Fatal(err)
	}
	w, err := preset.Read(builtin(t), created)
	if err != nil {
		t.Fatal(err)
	}
	d, err := w.Dimension("overworld")
	if err != nil {
		t.Fatal(err)
	}
	g, err := flat.New(*d.Generator.Flat, d.Type.MinY, d.Type.Height)
	if err != nil {
		t.Fatal(err)
	}
	return g, d
}

// column is the layers that a flat preset says, read from its document here
// once more: a block's name for each y from the bottom up.
func column(t testing.TB, id string) []string {
	t.Helper()
	text, err := builtin(t).Document("worldgen/flat_level_generator_preset", id)
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Settings struct {
			Layers []struct {
				Block  string
				Height int
			}
		}
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, l := range document.Settings.Layers {
		for range l.Height {
			names = append(names, l.Block)
		}
	}
	return names
}

// dirty returns a chunk that was used and reset.
func dirty(x, z int32, minY, height int) *proto.Chunk {
	c := proto.New(minY, height)
	for i := range c.Blocks {
		c.Blocks[i] = block.MustParse("stone")
	}
	for i := range c.Biomes {
		c.Biomes[i] = 7
	}
	c.ComputeHeights()
	c.Reset(x, z)
	return c
}

func TestFlatPresetsAreTheirLayers(t *testing.T) {
	for _, c := range []struct {
		id             string
		biome          string
		high           int // layers
		surface, floor int // heights of the terrain
		decoration     flat.Decoration
	}{
		{"bottomless_pit", "minecraft:plains", 6, -58, -58, flat.Decoration{}},
		{"classic_flat", "minecraft:plains", 4, -60, -60, flat.Decoration{}},
		{"desert", "minecraft:desert", 64, 0, 0, flat.Decoration{Features: true}},
		{"overworld", "minecraft:plains", 64, 0, 0, flat.Decoration{Features: true, Lakes: true}},
		{"redstone_ready", "minecraft:desert", 120, 56, 56, flat.Decoration{}},
		{"snowy_kingdom", "minecraft:snowy_plains", 65, 0, 0, flat.Decoration{}}, // the snow comes later
		{"the_void", "minecraft:the_void", 1, -64, -64, flat.Decoration{Features: true}},
		{"tunnelers_dream", "minecraft:windswept_hills", 237, 173, 173, flat.Decoration{Features: true}},
		{"water_world", "minecraft:deep_ocean", 170, 106, 16, flat.Decoration{}},
	} {
		g, d := overworld(t, preset.Options{FlatPreset: c.id})
		layers := column(t, c.id)
		if len(layers) != c.high || !slices.Equal(g.Biomes(), []string{c.biome}) || g.Decoration() != c.decoration {
			t.Errorf("%s: %d layers, %v, %+v", c.id, len(layers), g.Biomes(), g.Decoration())
		}
		chunk := dirty(-3, 8, d.Type.MinY, d.Type.Height)
		g.Terrain(chunk)
		again := proto.New(d.Type.MinY, d.Type.Height)
		copy(again.Blocks, chunk.Blocks)
		again.ComputeHeights()
		for _, at := range [][2]int{{0, 0}, {15, 15}, {4, 11}} {
			surface, floor := chunk.HeightAt(proto.WorldSurface, at[0], at[1]), chunk.HeightAt(proto.OceanFloor, at[0], at[1])
			if surface != c.surface || floor != c.floor {
				t.Errorf("%s: heights %d and %d, want %d and %d", c.id, surface, floor, c.surface, c.floor)
			}
			if surface != again.HeightAt(proto.WorldSurface, at[0], at[1]) || floor != again.HeightAt(proto.OceanFloor, at[0], at[1]) {
				t.Errorf("%s: the heights are not those of the blocks", c.id)
			}
		}
		before := slices.Clone(chunk.Blocks)
		g.Decorate(chunk)
		if changed := !slices.Equal(before, chunk.Blocks); changed != (c.id == "snowy_kingdom") {
			t.Errorf("%s: decorating changes blocks: %t", c.id, changed)
		}
		if chunk.HeightAt(proto.WorldSurface, 3, 3) != c.surface {
			t.Errorf("%s: decorating moves heights", c.id)
		}
		wrong := 0
		for y := d.Type.MinY; y < d.Type.MinY+d.Type.Height; y++ {
			want := "minecraft:air"
			if i := y - d.Type.MinY; i < len(layers) {
				want = layers[i]
			}
			id, ok := block.Find(want)
			for z := range 16 {
				for x := range 16 {
					if !ok || chunk.Block(x, y, z) != id.Default() {
						wrong++
					}
				}
			}
		}
		if wrong > 0 {
			t.Errorf("%s: %d blocks are not those of the layers", c.id, wrong)
		}
		if slices.ContainsFunc(chunk.Biomes, func(b proto.Biome) bool { return b != 0 }) {
			t.Errorf("%s: biomes that are not listed", c.id)
		}
	}
}

func TestTheFlatPresetOfAllDimensionsIsFlat(t *testing.T) {
	created, err := preset.New(builtin(t), preset.Options{Preset: "flat_all_dimensions"})
	if err != nil {
		t.Fatal(err)
	}
	w, err := preset.Read(builtin(t), created)
	if err != nil || len(w.Dimensions) != 3 {
		t.Fatal(w, err)
	}
	for i, want := range []struct{ top, biome string }{
		{"sandstone", "minecraft:desert"}, {"basalt", "minecraft:basalt_deltas"}, {"end_stone", "minecraft:the_end"},
	} {
		d := w.Dimensions[i]
		g, err := flat.New(*d.Generator.Flat, d.Type.MinY, d.Type.Height)
		if err != nil {
			t.Fatal(err)
		}
		c := dirty(0, 0, d.Type.MinY, d.Type.Height)
		g.Terrain(c)
		y := c.HeightAt(proto.WorldSurface, 5, 5) - 1
		if c.Block(5, y, 5) != block.MustParse(want.top) || c.Block(5, d.Type.MinY, 5) != block.MustParse("bedrock") || g.Biomes()[0] != want.biome {
			t.Errorf("%s: %v at %d, %v", d.ID, c.Block(5, y, 5), y, g.Biomes())
		}
	}
}

func TestLayersEndAtTheTop(t *testing.T) {
	f := level.Flat{Biome: "minecraft:plains", Layers: []level.Layer{
		{Block: "minecraft:stone", Height: 30}, {Block: "minecraft:dirt", Height: 4000}, {Block: "minecraft:snow", Height: 3},
	}}
	g, err := flat.New(f, 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	c := dirty(1, 1, 16, 32)
	g.Terrain(c)
	g.Decorate(c)
	if c.HeightAt(proto.WorldSurface, 0, 0) != 48 || c.Block(0, 47, 0) != block.MustParse("dirt") || c.Block(0, 45, 0) != block.MustParse("stone") {
		t.Errorf("height %d, %v at the top", c.HeightAt(proto.WorldSurface, 0, 0), c.Block(0, 47, 0))
	}
}

func TestLateLayersFillAirOnly(t *testing.T) {
	f := level.Flat{Biome: "minecraft:plains", Layers: []level.Layer{
		{Block: "minecraft:stone", Height: 1}, {Block: "minecraft:short_grass", Height: 2}, {Block: "minecraft:glass", Height: 1}, {Block: "minecraft:air", Height: 1},
	}}
	g, err := flat.New(f, 0, 16)
	if err != nil {
		t.Fatal(err)
	}
	c := dirty(0, 0, 0, 16)
	g.Terrain(c)
	if c.Block(3, 1, 3) != 0 || c.Block(3, 3, 3) != block.MustParse("glass") || c.HeightAt(proto.OceanFloor, 3, 3) != 4 {
		t.Error("the terrain is not stone, air and glass")
	}
	c.SetBlock(7, 1, 7, block.MustParse("oak_log"))
	c.SetBlock(8, 1, 7, block.MustParse("cave_air"))
	c.SetBlock(8, 4, 7, block.MustParse("cave_air"))
	c.SetBlock(8, 5, 7, block.MustParse("cave_air"))
	c.SetBlock(9, 4, 7, block.MustParse("oak_log"))
	g.Decorate(c)
	grass := block.MustParse("short_grass")
	if c.Block(7, 1, 7) != block.MustParse("oak_log") || c.Block(7, 2, 7) != grass || c.Block(8, 1, 7) != grass || c.Block(0, 1, 0) != grass {
		t.Error("grass is not where there was air")
	}
	// A layer of air is one too.
	if c.Block(8, 4, 7) != 0 || c.Block(8, 5, 7) != block.MustParse("cave_air") || c.Block(9, 4, 7) != block.MustParse("oak_log") {
		t.Error("air is not where there was cave air")
	}
}

func TestAWorldOfAirHasNoFeaturesButInTheVoid(t *testing.T) {
	for _, c := range []struct {
		biome  string
		layers []level.Layer
		want   bool
	}{
		{"minecraft:plains", nil, false},
		{"minecraft:plains", []level.Layer{{Block: "minecraft:air", Height: 3}}, false},
		{"minecraft:plains", []level.Layer{{Block: "minecraft:stone", Height: 0}}, false},
		{"minecraft:plains", []level.Layer{{Block: "minecraft:air", Height: 3}, {Block: "minecraft:snow", Height: 1}}, true},
		{"minecraft:the_void", nil, true},
	} {
		g, err := flat.New(level.Flat{Biome: c.biome, Layers: c.layers, Features: true}, 0, 64)
		if err != nil || g.Decoration().Features != c.want {
			t.Errorf("%s, %v: %v, %v", c.biome, c.layers, g.Decoration(), err)
		}
	}
	if _, err := flat.New(level.Flat{Layers: []level.Layer{{Block: "a:b", Height: 1}}}, 0, 64); !errors.Is(err, flat.ErrBlock) {
		t.Error(err)
	}
}

func BenchmarkTerrain(b *testing.B) {
	for _, id := range []string{"classic_flat", "tunnelers_dream"} {
		b.Run("preset="+id, func(b *testing.B) {
			g, d := overworld(b, preset.Options{FlatPreset: id})
			c := proto.New(d.Type.MinY, d.Type.Height)
			b.ReportAllocs()
			for b.Loop() {
				c.Reset(1, 2)
				g.Terrain(c)
				g.Decorate(c)
			}
		})
	}
}
