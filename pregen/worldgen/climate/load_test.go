package climate_test

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/pregen/worldgen/climate"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/settings"
)

// options are those of the game's own data of 26.2.
func options(t testing.TB) climate.Options {
	t.Helper()
	documents, err := settings.Builtin(version262)
	if err != nil {
		t.Fatal(err)
	}
	return climate.Options{Settings: documents, DataVersion: version262}
}

// load reads a source that is right.
func load(t testing.TB, document string) *climate.Source {
	t.Helper()
	s, err := climate.Load([]byte(document), options(t))
	if err != nil {
		t.Fatalf("%s: %v", document, err)
	}
	return s
}

const point = `"temperature":0,"humidity":0,"continentalness":0,"erosion":0,"depth":0,"weirdness":0`

func TestLoadReadsTheGamesPresets(t *testing.T) {
	for _, test := range []struct {
		document     string
		dataVersion  int32
		rows, biomes int
		first        string
	}{
		{`{"type":"minecraft:multi_noise","preset":"minecraft:overworld"}`, version262, 7594, 55, "minecraft:mushroom_fields"},
		{`{"type":"multi_noise","preset":"overworld"}`, version261, 7593, 54, "minecraft:mushroom_fields"},
		{`{"type":"minecraft:multi_noise","preset":{"preset":"minecraft:nether"}}`, version262, 5, 5, "minecraft:nether_wastes"},
	} {
		documents, err := settings.Builtin(test.dataVersion)
		if err != nil {
			t.Fatal(err)
		}
		s, err := climate.Load([]byte(test.document), climate.Options{Settings: documents, DataVersion: test.dataVersion})
		if err != nil {
			t.Errorf("%s: %v", test.document, err)
			continue
		}
		if s.Table().Len() != test.rows || len(s.Biomes()) != test.biomes || s.Biomes()[0] != test.first || !s.NeedsClimate() {
			t.Errorf("%s: %d rows, biomes %q", test.document, s.Table().Len(), s.Biomes())
		}
	}
}

func TestLoadReadsRowsInAllTheirForms(t *testing.T) {
	s := load(t, `{"type":"minecraft:multi_noise","biomes":[
		{"biome":"plains","parameters":{"temperature":[-2,0.1],"humidity":{"min":-0.5,"max":2},"continentalness":0.33,"erosion":1e-1,"depth":0,"weirdness":[0,0],"offset":1}},
		{"biome":"minecraft:desert","parameters":{`+point+`,"offset":0}}]}`)
	if diff := cmp.Diff([]string{"minecraft:plains", "minecraft:desert"}, s.Biomes()); diff != "" {
		t.Error(diff)
	}
	rows, err := climate.ParseRows([]byte(`[{"biome":"plains","parameters":{"temperature":[-2,0.1],"humidity":{"min":-0.5,"max":2},"continentalness":0.33,"erosion":1e-1,"depth":0,"weirdness":[0,0],"offset":1}}]`))
	want := []climate.Row{{
		Low: [6]int32{-20000, -5000, 3300, 1000}, High: [6]int32{1000, 20000, 3300, 1000},
		Offset: 10000, Biome: "minecraft:plains",
	}}
	if diff := cmp.Diff(want, rows); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

func TestFixedAndCheckerboardNeedNoClimate(t *testing.T) {
	c := proto.New(0, 32)
	c.Reset(-1, 2)
	s := load(t, `{"type":"minecraft:fixed","biome":"minecraft:the_void"}`)
	reader := s.Reader(nil)
	reader.Fill(c)
	if s.NeedsClimate() || !slices.Equal(s.Biomes(), []string{"minecraft:the_void"}) || slices.Max(c.Biomes) != 0 || reader.At(5, 6, 7) != 0 {
		t.Error("fixed gives something else")
	}

	// Squares are 4 << scale quarter cells wide, and go on below 0.
	s = load(t, `{"type":"minecraft:checkerboard","biomes":["plains","desert","plains","savanna"],"scale":0}`)
	reader = s.Reader(nil)
	if diff := cmp.Diff([]string{"minecraft:plains", "minecraft:desert", "minecraft:savanna"}, s.Biomes()); diff != "" {
		t.Error(diff)
	}
	reader.Fill(c)
	var along []proto.Biome
	for x := -16; x < 16; x += 4 {
		along = append(along, reader.At(x, 9, 3))
	}
	if diff := cmp.Diff([]proto.Biome{0, 1, 0, 2, 0, 1, 0, 2}, along); diff != "" {
		t.Errorf("along x: %s", diff)
	}
	if want := reader.At(-1, 0, 8); c.Biomes[0] != want || c.Biomes[len(c.Biomes)-1] != want {
		t.Errorf("chunk has %d and %d, want %d", c.Biomes[0], c.Biomes[len(c.Biomes)-1], want)
	}
	// Java shifts by the lowest five bits, so that scale 30 is as scale -2.
	wide := load(t, `{"type":"minecraft:checkerboard","biomes":["plains","desert"],"scale":30}`).Reader(nil)
	if wide.At(0, 0, 0) != 0 || wide.At(1, 0, 0) != 1 || wide.At(2, 0, 0) != 0 {
		t.Error("scale 30 is not cells of one quarter")
	}
	// The default scale is 2, and a tag stands for its members.
	tagged := load(t, `{"type":"minecraft:checkerboard","biomes":"#minecraft:is_nether"}`)
	if len(tagged.Biomes()) != 5 || tagged.Reader(nil).At(15, 0, 0) != 0 || tagged.Reader(nil).At(16, 0, 0) != 1 {
		t.Errorf("tag gives %q", tagged.Biomes())
	}
}

func TestLoadNamesThePlaceOfWhatIsWrong(t *testing.T) {
	for document, want := range map[string]string{
		`[]`:                                            "no object",
		`{"type":"minecraft:debug"}`:                    `type: unknown "minecraft:debug"`,
		`{"type":"minecraft:fixed"}`:                    "biome: missing",
		`{"type":"minecraft:fixed","biome":17}`:         "biome: missing",
		`{"type":"minecraft:checkerboard"}`:             "biomes: no list",
		`{"type":"minecraft:checkerboard","biomes":[]}`: "biomes: 0 entries",
		`{"type":"minecraft:checkerboard","biomes":["plains"],"scale":63}`:      "scale: 63",
		`{"type":"minecraft:checkerboard","biomes":["plains"],"scale":"a"}`:     "scale: no whole number",
		`{"type":"minecraft:multi_noise"}`:                                      "neither biomes nor preset",
		`{"type":"minecraft:multi_noise","preset":{"preset":7}}`:                "preset: missing",
		`{"type":"minecraft:multi_noise","biomes":[]}`:                          "biomes: 0 entries",
		`{"type":"minecraft:multi_noise","biomes":{}}`:                          "biomes: no list",
		`{"type":"minecraft:multi_noise","biomes":[{"parameters":{}}]}`:         "biomes[0].biome: missing",
		`{"type":"minecraft:multi_noise","biomes":[{"biome":"plains"}]}`:        "biomes[0].parameters: no object",
		inline(`"temperature":0`):                                               "biomes[0].parameters.humidity: missing",
		inline(point):                                                           "biomes[0].parameters.offset: missing",
		inline(point + `,"offset":1.01`):                                        "biomes[0].parameters.offset: 1.01 is not within 0 and 1",
		inline(strings.Replace(point, "0", "-2.1", 1) + `,"offset":0`):          "parameters.temperature: -2.1 is not within -2 and 2",
		inline(strings.Replace(point, "0", "[1]", 1) + `,"offset":0`):           "parameters.temperature: a list of 1",
		inline(strings.Replace(point, "0", "[1,0.5]", 1) + `,"offset":0`):       "parameters.temperature: min 1 is above max 0.5",
		inline(strings.Replace(point, "0", `{"min":1}`, 1) + `,"offset":0`):     "parameters.temperature: missing",
		inline(strings.Replace(point, "0", `"0"`, 1) + `,"offset":0`):           `parameters.temperature: "0" is no number`,
		inline(strings.Replace(point, "0", `1e99`, 1) + `,"offset":0`):          "parameters.temperature: 1e99 is not within",
		inline(strings.Replace(point, "0", `{"min":[],"max":1}`, 1) + `,"o":0`): "parameters.temperature: [] is no number",
	} {
		_, err := climate.Load([]byte(document), options(t))
		if !errors.Is(err, climate.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", document, err, want)
		}
	}
	for document, want := range map[string]string{
		`{"type":"minecraft:fixed","biome":"nowhere"}`:                           "biome minecraft:nowhere",
		`{"type":"minecraft:multi_noise","preset":"minecraft:aether"}`:           "preset: ",
		`{"type":"minecraft:multi_noise","preset":{"preset":"other:overworld"}}`: "preset: ",
		`{"type":"minecraft:checkerboard","biomes":"#minecraft:is_nowhere"}`:     "biomes: ",
	} {
		if _, err := climate.Load([]byte(document), options(t)); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", document, err, want)
		}
	}
}

// inline is a source with one row of parameters.
func inline(parameters string) string {
	return `{"type":"minecraft:multi_noise","biomes":[{"biome":"plains","parameters":{` + parameters + `}}]}`
}

func FuzzLoad(f *testing.F) {
	documents, err := settings.Builtin(version262)
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(inline(point + `,"offset":0`)))
	f.Add([]byte(`{"type":"minecraft:checkerboard","biomes":"#minecraft:is_nether","scale":3}`))
	f.Add([]byte(`{"type":"minecraft:multi_noise","preset":"minecraft:nether"}`))
	f.Fuzz(func(t *testing.T, document []byte) {
		s, err := climate.Load(document, climate.Options{Settings: documents, DataVersion: version262})
		if err != nil {
			return
		}
		c := proto.New(0, 16)
		s.Reader(still{}).Fill(c)
		for _, biome := range c.Biomes {
			if int(biome) >= len(s.Biomes()) {
				t.Fatalf("biome %d of %d", biome, len(s.Biomes()))
			}
		}
	})
}

// still is a climate that is the same everywhere.
type still struct{}

func (still) Climate(_, _ int, _ []int, out [][climate.Parameters]float64) { clear(out) }

// erosion is a climate of nothing but one erosion.
type erosion float64

func (e erosion) Climate(_, _ int, _ []int, out [][climate.Parameters]float64) {
	for i := range out {
		out[i] = [climate.Parameters]float64{climate.Erosion: float64(e)}
	}
}

func TestTheEndsBiomesFollowItsErosionOutsideTheCentre(t *testing.T) {
	s := load(t, `{"type":"minecraft:the_end"}`)
	for _, test := range []struct {
		chunkX, chunkZ int32
		erosion        erosion
		want           string
	}{
		{0, 0, 1, "the_end"}, {64, 0, 1, "the_end"}, {-45, 45, 1, "the_end"}, {-64, 1, 1, "end_highlands"},
		{100, 0, 0.25, "end_midlands"}, {100, 0, 0.2501, "end_highlands"}, {100, 0, -0.0625, "end_midlands"},
		{100, 0, -0.0626, "end_barrens"}, {100, 0, -0.21875, "end_barrens"}, {100, 0, -0.2188, "small_end_islands"},
	} {
		reader, c := s.Reader(test.erosion), proto.New(0, 32)
		c.Reset(test.chunkX, test.chunkZ)
		reader.Fill(c)
		at := s.Biomes()[reader.At(int(test.chunkX)*4+3, 2, int(test.chunkZ)*4)]
		if got := s.Biomes()[c.Biomes[77]]; got != "minecraft:"+test.want || at != got {
			t.Errorf("chunk %d %d, erosion %g: %s and %s, want %s", test.chunkX, test.chunkZ, float64(test.erosion), got, at, test.want)
		}
	}
}
