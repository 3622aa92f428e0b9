package preset_test

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"strata/anvil/datapack"
	"strata/anvil/level"
	"strata/bench/testbed"
	"strata/nbt"
	"strata/pregen/worldgen/preset"
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

// sample reads the settings of generation of a sample world.
func sample(t testing.TB, world string) level.GenSettings {
	t.Helper()
	f, err := os.Open(testbed.Shared(t, "worlds", "sample-worlds.tar.zst"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	files := tar.NewReader(z)
	for {
		h, err := files.Next()
		if err != nil {
			t.Fatalf("no settings of %s: %v", world, err)
		}
		if h.Name != "sample/"+world+"/data/minecraft/world_gen_settings.dat" {
			continue
		}
		data, err := io.ReadAll(files)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := level.ParseDocument(data)
		if err != nil {
			t.Fatal(err)
		}
		s, err := doc.GenSettings()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}

// brief is what tests compare of a dimension.
type brief struct {
	ID, Type     string
	MinY, Height int
	Kind         string
	Settings     string
	Source       string
	Detail       string // table or biome
}

func briefOf(w *preset.World) (list []brief) {
	for _, d := range w.Dimensions {
		b := brief{ID: d.ID, Type: d.Type.ID, MinY: d.Type.MinY, Height: d.Type.Height, Kind: d.Generator.Kind.String(), Settings: d.Generator.SettingsID}
		if d.Generator.Kind == preset.Noise {
			b.Source, b.Detail = d.Generator.BiomeSource.Kind.String(), d.Generator.BiomeSource.Table+d.Generator.BiomeSource.Biome
		}
		list = append(list, b)
	}
	return list
}

var (
	overworld = brief{"minecraft:overworld", "minecraft:overworld", -64, 384, "minecraft:noise", "minecraft:overworld", "minecraft:multi_noise", "minecraft:overworld"}
	nether    = brief{"minecraft:the_nether", "minecraft:the_nether", 0, 256, "minecraft:noise", "minecraft:nether", "minecraft:multi_noise", "minecraft:nether"}
	end       = brief{"minecraft:the_end", "minecraft:the_end", 0, 256, "minecraft:noise", "minecraft:end", "minecraft:the_end", ""}
)

func read(t testing.TB, source settings.Source, created level.GenSettings) *preset.World {
	t.Helper()
	w, err := preset.Read(source, created)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestRealWorldsHaveTheirDimensions(t *testing.T) {
	for world, seed := range map[string]int64{"world-26.2": 0, "vanilla-26.1.2-fresh": -3892920047395383686} {
		source := builtin(t)
		if seed != 0 {
			var err error
			if source, err = settings.Builtin(4790); err != nil {
				t.Fatal(err)
			}
		}
		w := read(t, source, sample(t, world))
		if err := w.Err(); err != nil {
			t.Errorf("%s: %v", world, err)
		}
		if seed != 0 && w.Seed != seed || w.Seed == 0 {
			t.Errorf("%s: seed %d", world, w.Seed)
		}
		if diff := cmp.Diff([]brief{overworld, nether, end}, briefOf(w)); diff != "" {
			t.Errorf("%s:\n%s", world, diff)
		}
		d, err := w.Dimension("the_nether")
		if err != nil || !d.Type.HasCeiling || d.Type.HasSkylight || d.Type.LogicalHeight != 128 || d.Type.Scale != 8 {
			t.Errorf("%s: the Nether is %+v, %v", world, d, err)
		}
	}
}

// in makes settings with one dimension, given as SNBT-like Go values.
func in(t testing.TB, id string, kind, generatorType, generatorSettings, source any) level.GenSettings {
	t.Helper()
	raw := func(v any) nbt.Raw {
		if v == nil {
			return nbt.Raw{}
		}
		r, err := nbt.MarshalRaw(v)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	dimensions, err := level.Preset("normal")
	if err != nil {
		t.Fatal(err)
	}
	dimensions[id] = level.Dimension{Type: raw(kind), Generator: level.Generator{
		Type: generatorType.(string), Settings: raw(generatorSettings), BiomeSource: raw(source),
	}}
	return level.GenSettings{Seed: 1, Dimensions: dimensions}
}

type compound = map[string]any

// TestInlineSettingsBecomeDocuments takes the game's own documents as NBT in
// place of their ids.
func TestInlineSettingsBecomeDocuments(t *testing.T) {
	s := builtin(t)
	for _, c := range []struct{ kind, noise string }{{"overworld", "overworld"}, {"the_nether", "nether"}, {"the_end", "end"}} {
		kind, errKind := s.Document("dimension_type", c.kind)
		noise, errNoise := s.Document("worldgen/noise_settings", c.noise)
		if err := errors.Join(errKind, errNoise); err != nil {
			t.Fatal(err)
		}
		created := in(t, "a:b", preset.TagOf(t, kind), "noise", preset.TagOf(t, noise), compound{"type": "fixed", "biome": "desert"})
		w := read(t, s, created)
		d, err := w.Dimension("a:b")
		if err != nil {
			t.Fatal(err)
		}
		if d.Type.ID != "" || d.Generator.SettingsID != "" || d.Generator.BiomeSource.Biome != "minecraft:desert" {
			t.Errorf("%+v", briefOf(w))
		}
		if string(d.Type.Document) != string(kind) {
			t.Errorf("the type %s becomes\n%s\n, not\n%s", c.kind, d.Type.Document, kind)
		}
		if string(d.Generator.Settings) != string(noise) {
			t.Errorf("the settings %s become another document of %d bytes, not %d", c.noise, len(d.Generator.Settings), len(noise))
		}
		if named, err := w.Dimension("minecraft:" + c.kind); err != nil || d.Type.Height != named.Type.Height || d.Type.MinY != named.Type.MinY {
			t.Errorf("%v: heights %d from %d", err, d.Type.Height, d.Type.MinY)
		}
	}
}

func TestProblemsAreNamedAndTheRestIsRead(t *testing.T) {
	s := builtin(t)
	fixed := compound{"type": "minecraft:fixed", "biome": "minecraft:plains"}
	layers := func(v ...any) compound { return compound{"layers": v} }
	for name, c := range map[string]struct {
		created level.GenSettings
		want    error
		text    string
	}{
		"generator of a mod":  {in(t, "a:b", "overworld", "terra:terra", nil, nil), preset.ErrUnknown, `generator/type: generator "terra:terra"`},
		"no generator type":   {in(t, "a:b", "overworld", "", nil, nil), settings.ErrDocument, "generator/type"},
		"source of a mod":     {in(t, "a:b", "overworld", "noise", "overworld", compound{"type": "biolith:x"}), preset.ErrUnknown, `generator/biome_source/type: biome source "biolith:x"`},
		"no source":           {in(t, "a:b", "overworld", "noise", "overworld", nil), settings.ErrDocument, "generator/biome_source: "},
		"source is a text":    {in(t, "a:b", "overworld", "noise", "overworld", "fixed"), settings.ErrDocument, "generator/biome_source: "},
		"source without type": {in(t, "a:b", "overworld", "noise", "overworld", compound{}), settings.ErrDocument, "generator/biome_source/type"},
		"no settings":         {in(t, "a:b", "overworld", "noise", nil, fixed), settings.ErrDocument, "generator/settings"},
		"settings of no pack": {in(t, "a:b", "overworld", "noise", "a:gone", fixed), fs.ErrNotExist, "generator/settings: worldgen/noise_settings a:gone"},
		"settings no id":      {in(t, "a:b", "overworld", "noise", "A B", fixed), settings.ErrDocument, "generator/settings"},
		"type of no pack":     {in(t, "a:b", "a:gone", "noise", "overworld", fixed), fs.ErrNotExist, "type: dimension_type a:gone"},
		"no type":             {in(t, "a:b", nil, "noise", "overworld", fixed), settings.ErrDocument, "type: "},
		"type is a number":    {in(t, "a:b", int32(7), "noise", "overworld", fixed), settings.ErrDocument, "type: "},
		"type without height": {in(t, "a:b", compound{"min_y": int32(0)}, "noise", "overworld", fixed), settings.ErrDocument, "type: "},
		"biome of no pack":    {in(t, "a:b", "overworld", "noise", "overworld", compound{"type": "fixed", "biome": "a:gone"}), fs.ErrNotExist, "generator/biome_source/biome: worldgen/biome a:gone"},
		"list of no pack":     {in(t, "a:b", "overworld", "noise", "overworld", compound{"type": "multi_noise", "preset": "a:gone"}), fs.ErrNotExist, "generator/biome_source/preset"},
		"unknown table":       {in(t, "a:b", "overworld", "noise", "overworld", compound{"type": "multi_noise", "preset": compound{"preset": "a:table"}}), preset.ErrUnknown, "a:table"},
		"no rows":             {in(t, "a:b", "overworld", "noise", "overworld", compound{"type": "multi_noise"}), settings.ErrDocument, "generator/biome_source/biomes"},
		"empty rows":          {in(t, "a:b", "overworld", "noise", "overworld", compound{"type": "multi_noise", "biomes": []string{}}), settings.ErrDocument, "generator/biome_source/biomes"},
		"empty checkerboard":  {in(t, "a:b", "overworld", "noise", "overworld", compound{"type": "checkerboard"}), settings.ErrDocument, "generator/biome_source/biomes"},
		"flat without layers": {in(t, "a:b", "overworld", "flat", compound{}, nil), settings.ErrDocument, "generator/settings/layers"},
		"flat of a mod":       {in(t, "a:b", "overworld", "flat", layers(compound{"block": "a:b", "height": int32(1)}), nil), fs.ErrNotExist, "generator/settings/layers[0]: block a:b"},
		"negative layer":      {in(t, "a:b", "overworld", "flat", layers(compound{"block": "stone", "height": int32(-1)}), nil), settings.ErrDocument, "generator/settings/layers[0]/height"},
		"high layers":         {in(t, "a:b", "overworld", "flat", layers(compound{"height": int32(4064)}, compound{"height": int32(1)}), nil), settings.ErrDocument, "generator/settings/layers"},
		"flat biome":          {in(t, "a:b", "overworld", "flat", compound{"layers": []string{}, "biome": "gone"}, nil), fs.ErrNotExist, "generator/settings/biome"},
		"bad id":              {in(t, "A:b", "overworld", "debug", nil, nil), settings.ErrDocument, "id: "},
	} {
		w := read(t, s, c.created)
		if diff := cmp.Diff([]brief{overworld, nether, end}, briefOf(w)); diff != "" {
			t.Errorf("%s: the other dimensions:\n%s", name, diff)
		}
		if len(w.Problems) != 1 {
			t.Errorf("%s: problems %v", name, w.Problems)
			continue
		}
		p := w.Problems[0]
		if !errors.Is(p, c.want) || !errors.Is(w.Err(), c.want) || !strings.Contains(p.Error(), c.text) || !strings.HasPrefix(p.Error(), "dimension "+p.Dimension+": ") {
			t.Errorf("%s: %v", name, p)
		}
		if _, err := w.Dimension(p.Dimension); !errors.Is(err, c.want) {
			t.Errorf("%s: asked for it: %v", name, err)
		}
	}
}

func TestIdsWithoutNamespaceAreTheGames(t *testing.T) {
	dimensions, err := level.Preset("normal")
	if err != nil {
		t.Fatal(err)
	}
	dimensions["overworld"] = dimensions["minecraft:overworld"]
	delete(dimensions, "minecraft:overworld")
	if w := read(t, builtin(t), level.GenSettings{Dimensions: dimensions}); w.Err() != nil || len(w.Dimensions) != 3 {
		t.Errorf("%v, %v", briefOf(w), w.Err())
	}
}

func TestTooManyDimensionsAreRefused(t *testing.T) {
	dimensions := map[string]level.Dimension{}
	for i := range level.MaxDimensions {
		dimensions[fmt.Sprintf("a:d%d", i)] = level.Dimension{Generator: level.Generator{Type: "minecraft:debug"}}
	}
	if w, err := preset.Read(builtin(t), level.GenSettings{Dimensions: dimensions}); !errors.Is(err, settings.ErrDocument) {
		t.Errorf("%d dimensions beside the overworld: %v", len(w.Problems), err)
	}
	text := []string{}
	for id := range dimensions {
		text = append(text, fmt.Sprintf(`%q:{"type":"overworld","generator":{"type":"debug"}}`, id))
	}
	s := packOf(t, map[string]string{"a/worldgen/world_preset/many.json": `{"dimensions":{"a:one_more":{},` + strings.Join(text, ",") + `}}`})
	if _, err := preset.New(s, preset.Options{Preset: "a:many"}); !errors.Is(err, settings.ErrDocument) || !strings.Contains(err.Error(), "at most") {
		t.Error(err)
	}
}

func TestAWorldWithoutOverworldSaysSo(t *testing.T) {
	w := read(t, builtin(t), level.GenSettings{})
	if _, err := w.Dimension("overworld"); !errors.Is(err, fs.ErrNotExist) || len(w.Problems) != 1 {
		t.Errorf("%v, %v", err, w.Problems)
	}
	if _, err := w.Dimension("a:b"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func TestTypesAreChecked(t *testing.T) {
	valid := func() compound {
		return compound{
			"min_y": int32(-16), "height": int32(32), "logical_height": int32(32),
			"has_skylight": int8(1), "has_ceiling": int8(0), "coordinate_scale": 1.0,
		}
	}
	with := func(name string, v any) compound { c := valid(); c[name] = v; return c }
	w := read(t, builtin(t), in(t, "a:b", valid(), "debug", nil, nil))
	if err := w.Err(); err != nil {
		t.Fatal(err)
	}
	for name := range valid() {
		c := valid()
		delete(c, name)
		err := read(t, builtin(t), in(t, "a:b", c, "debug", nil, nil)).Err()
		if !errors.Is(err, settings.ErrDocument) || !strings.Contains(err.Error(), name) {
			t.Errorf("without %s: %v", name, err)
		}
	}
	for _, c := range []compound{
		with("min_y", int32(-15)), with("height", int32(0)), with("height", int32(17)), with("min_y", int32(2032)), with("min_y", int32(-2048)),
		with("height", int32(4080)), with("logical_height", int32(33)), with("coordinate_scale", 0.0), with("coordinate_scale", 3e8), with("min_y", "x"),
	} {
		if err := read(t, builtin(t), in(t, "a:b", c, "debug", nil, nil)).Err(); !errors.Is(err, settings.ErrDocument) {
			t.Errorf("%v: %v", c, err)
		}
	}
}

func TestFlatSettingsHaveTheirDefaults(t *testing.T) {
	w := read(t, builtin(t), in(t, "a:b", "overworld", "flat", compound{
		"layers": []any{compound{"block": "stone", "height": int32(3)}, compound{"height": int32(0)}}, "structure_overrides": "#a:sets",
	}, nil))
	d, err := w.Dimension("a:b")
	if err != nil {
		t.Fatal(err)
	}
	want := &level.Flat{
		Biome: "minecraft:plains", Layers: []level.Layer{{Block: "minecraft:stone", Height: 3}, {Block: "minecraft:air"}},
		Overrides: level.StructureSets{"#a:sets"},
	}
	if diff := cmp.Diff(want, d.Generator.Flat); diff != "" {
		t.Error(diff)
	}
}

// packOf makes a data pack of files below data/.
func packOf(t testing.TB, files map[string]string) settings.Source {
	t.Helper()
	dir := t.TempDir()
	files["../pack.mcmeta"] = `{"pack":{"description":"","min_format":107,"max_format":107}}`
	for path, text := range files {
		path = filepath.Join(dir, "data", filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, err := datapack.Open(dir, datapack.Options{Name: "pack"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return settings.Layered(builtin(t), datapack.NewStack(datapack.Format{Major: 107, Minor: 1}, p))
}

func TestDimensionsOfPacksArePartOfTheWorld(t *testing.T) {
	s := packOf(t, map[string]string{
		"sky/dimension/islands.json": `{"type":"sky:high","generator":{"type":"noise","settings":"sky:islands",
			"biome_source":{"type":"multi_noise","biomes":[{"biome":"sky:cloud","parameters":{}}]}}}`,
		"sky/dimension/nether_like.json":                                        `{"type":"the_nether","generator":{"type":"noise","settings":"sky:islands","biome_source":{"type":"multi_noise","preset":"sky:like_nether"}}}`,
		"sky/dimension/broken.json":                                             `{"type":"sky:high"}`,
		"sky/dimension/board.json":                                              `{"type":"sky:high","generator":{"type":"noise","settings":"sky:islands","biome_source":{"type":"checkerboard","biomes":["sky:cloud"],"scale":3}}}`,
		"minecraft/dimension/the_end.json":                                      `{"type":"minecraft:the_end","generator":{"type":"flat","settings":{"biome":"the_end","layers":[{"block":"end_stone","height":3}]}}}`,
		"sky/dimension_type/high.json":                                          `{"min_y":0,"height":1024,"logical_height":512,"has_skylight":true,"has_ceiling":false,"coordinate_scale":2.0}`,
		"sky/worldgen/noise_settings/islands.json":                              `{"sea_level":-64}`,
		"sky/worldgen/biome/cloud.json":                                         `{"temperature":0.5}`,
		"sky/worldgen/multi_noise_biome_source_parameter_list/like_nether.json": `{"preset":"nether"}`,
	})
	dimensions, err := level.Preset("normal")
	if err != nil {
		t.Fatal(err)
	}
	w := read(t, s, level.GenSettings{Dimensions: dimensions})
	want := []brief{
		overworld, nether,
		{ID: "minecraft:the_end", Type: "minecraft:the_end", Height: 256, Kind: "minecraft:flat"},
		{"sky:board", "sky:high", 0, 1024, "minecraft:noise", "sky:islands", "minecraft:checkerboard", ""},
		{"sky:islands", "sky:high", 0, 1024, "minecraft:noise", "sky:islands", "minecraft:multi_noise", ""},
		{"sky:nether_like", "minecraft:the_nether", 0, 256, "minecraft:noise", "sky:islands", "minecraft:multi_noise", "minecraft:nether"},
	}
	if diff := cmp.Diff(want, briefOf(w)); diff != "" {
		t.Error(diff)
	}
	if len(w.Problems) != 1 || w.Problems[0].Dimension != "sky:broken" || !errors.Is(w.Err(), settings.ErrDocument) {
		t.Errorf("problems %v", w.Problems)
	}
	d, err := w.Dimension("sky:islands")
	if err != nil || string(d.Generator.Settings) != `{"sea_level":-64}` || !strings.Contains(string(d.Generator.BiomeSource.Document), "sky:cloud") {
		t.Errorf("%+v, %v", d, err)
	}
}
