package carve_test

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"strata/bench/testbed"
	"strata/pregen/worldgen/carve"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/provider"
)

func mustLoad(t testing.TB, p pack, n int) *carve.Carvers {
	t.Helper()
	c, err := carve.Load(p, biomes(n), overworld.span)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestOneListOfCarversMayBeWrittenInManyWays(t *testing.T) {
	seed := testbed.Seed(t)
	want := mask(mustLoad(t, newPack(`["a:cave","a:canyon"]`), 1).NewWorker(seed, nil), overworld, 3, 4)
	if !slices.ContainsFunc(want, func(word uint64) bool { return word != 0 }) {
		t.Fatal("nothing was carved")
	}
	for _, list := range []string{
		`"#a:both"`,
		`["a:cave",` + canyonText + `]`,
		`[` + caveText + `,` + canyonText + `]`,
	} {
		if got := mask(mustLoad(t, newPack(list), 1).NewWorker(seed, nil), overworld, 3, 4); !slices.Equal(got, want) {
			t.Errorf("carvers %s carve something else", list)
		}
	}
	one := mask(mustLoad(t, newPack(`"a:cave"`), 1).NewWorker(seed, nil), overworld, 3, 4)
	if !slices.Equal(one, mask(mustLoad(t, newPack(`["a:cave"]`), 1).NewWorker(seed, nil), overworld, 3, 4)) || slices.Equal(one, want) {
		t.Error(`carvers "a:cave" are not those of ["a:cave"]`)
	}
	// The place in the list seeds a carver.
	if other := mask(mustLoad(t, newPack(`["a:canyon","a:cave"]`), 1).NewWorker(seed, nil), overworld, 3, 4); slices.Equal(other, want) {
		t.Error("the order of carvers makes no difference")
	}
}

// The biome of the source chunk decides, wherever the dug chunk is.
func TestSourceChunksHaveTheCarversOfTheirBiome(t *testing.T) {
	seed := testbed.Seed(t)
	all := mustLoad(t, newPack(`["a:cave"]`), 1).NewWorker(seed, nil)
	asked := make(map[[2]int32]int)
	carvers := mustLoad(t, newPack(`[]`, `["a:cave"]`), 2)
	split := carvers.NewWorker(seed, func(x, z int32) proto.Biome {
		asked[[2]int32{x, z}]++
		if x < 0 {
			return 0
		}
		return 1
	})
	if got := mask(split, overworld, -30, 0); slices.ContainsFunc(got, func(word uint64) bool { return word != 0 }) {
		t.Error("chunks without carvers were carved")
	}
	if got, want := mask(split, overworld, 30, 0), mask(all, overworld, 30, 0); !slices.Equal(got, want) {
		t.Error("chunks with one biome around are not carved as with one biome in all")
	}
	if len(asked) != 2*17*17 {
		t.Errorf("%d chunks' biomes were asked for, want 17 by 17 for each chunk", len(asked))
	}
	for x := int32(-38); x <= -22; x++ {
		for z := int32(-8); z <= 8; z++ {
			if asked[[2]int32{x, z}] != 1 {
				t.Fatalf("the biome of chunk %d, %d was asked for %d times", x, z, asked[[2]int32{x, z}])
			}
		}
	}
	if carvers.Empty() || !mustLoad(t, newPack(`[]`, `[]`), 2).Empty() {
		t.Error("Empty is wrong")
	}
}

// A start that draws one Gaussian leaves the other half of the pair to the next
// start of the same chunk, and to no other chunk.
func TestGaussiansStayWithinAChunk(t *testing.T) {
	seed := testbed.Seed(t)
	p := newPack(`["a:cave"]`)
	p.documents["worldgen/configured_carver a:cave"] = strings.Replace(caveText, `"floor_level":-0.7`,
		`"floor_level":{"type":"clamped_normal","mean":-0.6,"deviation":0.3,"min":-1,"max":-0.1}`, 1)
	carvers := mustLoad(t, p, 1)
	worker := carvers.NewWorker(seed, nil)
	for x := range int32(4) {
		if got, want := mask(worker, overworld, x, 0), mask(carvers.NewWorker(seed, nil), overworld, x, 0); !slices.Equal(got, want) {
			t.Errorf("chunk %d, 0 depends on what came before", x)
		}
	}
}

func TestBadPacksAreRefused(t *testing.T) {
	change := func(text, old, other string) string {
		if !strings.Contains(text, old) {
			t.Fatalf("no %s in the document", old)
		}
		return strings.Replace(text, old, other, 1)
	}
	for name, c := range map[string]struct{ text, want string }{
		"type":             {change(caveText, `"cave"`, `"lake"`), "unknown carver type minecraft:lake"},
		"no type":          {`{"config":{}}`, "type: missing"},
		"no config":        {`{"type":"cave"}`, "config: missing"},
		"probability":      {change(caveText, `:1,`, `:1.01,`), "config.probability: 1.01 is not in 0 to 1"},
		"y":                {change(caveText, `{"absolute":40}`, `{"type":"x"}`), "config.y: unknown height provider"},
		"lava":             {change(caveText, `{"absolute":-60}`, `{}`), "config.lava_level: none of"},
		"floor":            {change(caveText, `-0.7`, `-1.7`), "config.floor_level: -1.7"},
		"radius":           {change(caveText, `1.2`, `[]`), "config.horizontal_radius_multiplier: not an object"},
		"scale":            {change(caveText, `"yScale":0.5,`, ``), "config.yScale: missing"},
		"block":            {change(caveText, `"stone"`, `"stonk"`), "config.replaceable: unknown block minecraft:stonk"},
		"blocks":           {change(caveText, `"stone"`, `["stone",3]`), "config.replaceable[1]: not a text"},
		"tag":              {change(caveText, `"stone"`, `"#stonk"`), "config.replaceable: tag"},
		"debug mode":       {change(caveText, `"probability"`, `"debug_settings":{"debug_mode":1},"probability"`), "config.debug_settings.debug_mode: neither"},
		"debug state":      {change(caveText, `"probability"`, `"debug_settings":{"air_state":{"Name":"x"}},"probability"`), "config.debug_settings.air_state: block state"},
		"debug properties": {change(caveText, `"probability"`, `"debug_settings":{"air_state":{"Name":"oak_log","Properties":{"axis":1}}},"probability"`), "config.debug_settings.air_state.Properties.axis: not a text"},
		"debug":            {change(caveText, `"probability"`, `"debug_settings":[],"probability"`), "config.debug_settings: not an object"},
		"shape":            {change(canyonText, `"shape"`, `"form"`), "config.shape: missing"},
		"distance":         {change(canyonText, `0.9`, `17`), "config.shape.distance_factor: 17 to 17 is not in -16 to 16"},
		"smoothness":       {change(canyonText, `"width_smoothness":3`, `"width_smoothness":0`), "config.shape.width_smoothness: 0 is not in"},
		"factor":           {change(canyonText, `0.5`, `"a"`), "config.shape.vertical_radius_center_factor: not a number"},
	} {
		p := newPack(`["a:cave"]`)
		p.documents["worldgen/configured_carver a:cave"] = c.text
		_, err := carve.Load(p, biomes(1), overworld.span)
		wrong, ok := errors.AsType[*provider.ValueError](err)
		if !ok || wrong.Document != "worldgen/configured_carver a:cave" || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
	}
	for list, want := range map[string]string{
		`{}`:       "type: missing",
		`["a:no"]`: "carvers[0]: carver",
		`"#a:no"`:  "carvers: tag",
		`[3]`:      "carvers[0]: not an object",
		`[` + strings.Repeat(`"a:cave",`, carve.MaxCarvers) + `"a:cave"]`: "257 carvers, at most 256",
	} {
		_, err := carve.Load(newPack(list), biomes(1), overworld.span)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "worldgen/biome a:0") {
			t.Errorf("carvers %.40s: error %v, want one with %q", list, err, want)
		}
		if strings.Contains(list, ":no") && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("carvers %s: error %v is not fs.ErrNotExist", list, err)
		}
	}
	if _, err := carve.Load(newPack(), biomes(1), overworld.span); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing biome: error %v", err)
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(caveText)
	f.Add(canyonText)
	f.Fuzz(func(_ *testing.T, text string) {
		p := newPack(`["a:cave"]`)
		p.documents["worldgen/configured_carver a:cave"] = text
		if c, err := carve.Load(p, biomes(1), overworld.span); err == nil {
			mask(c.NewWorker(1, nil), overworld, 0, 0)
		}
	})
}
