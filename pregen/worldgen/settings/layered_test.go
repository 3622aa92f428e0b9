package settings_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/anvil/datapack"
	"strata/pregen/worldgen/settings"
)

const plainMeta = `{"pack":{"description":"","min_format":107,"max_format":107}}`

// packOf makes a data pack of files below data/; "pack.mcmeta" may be one.
func packOf(t testing.TB, name string, files map[string]string) *datapack.Pack {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	write := func(path, text string) {
		path = filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("pack.mcmeta", plainMeta)
	for path, text := range files {
		if path != "pack.mcmeta" {
			path = "data/" + path
		}
		write(path, text)
	}
	p, err := datapack.Open(dir, datapack.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// over lays packs over the tables of 26.2.
func over(t testing.TB, packs ...*datapack.Pack) settings.Source {
	t.Helper()
	return settings.Layered(builtin(t, 4903), datapack.NewStack(datapack.Format{Major: 107, Minor: 1}, packs...))
}

func document(t testing.TB, s settings.Source, registry, id string) string {
	t.Helper()
	text, err := s.Document(registry, id)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestAPackAddsAndReplacesDocuments(t *testing.T) {
	own := builtin(t, 4903)
	s := over(t, packOf(t, "sky", map[string]string{
		"sky/dimension/islands.json":               `{"type":"sky:high","generator":{}}`,
		"sky/dimension_type/high.json":             `{"min_y":0}`,
		"sky/worldgen/noise_settings/islands.json": `{"sea_level":-64}`,
		"sky/worldgen/biome/cloud.json":            `{"temperature":0.5}`,
		"minecraft/worldgen/biome/plains.json":     `{"temperature":2.0}`,
	}))
	for _, want := range [][3]string{
		{"dimension", "sky:islands", `{"type":"sky:high","generator":{}}`},
		{"dimension_type", "sky:high", `{"min_y":0}`},
		{"worldgen/noise_settings", "sky:islands", `{"sea_level":-64}`},
		{"worldgen/biome", "sky:cloud", `{"temperature":0.5}`},
		{"worldgen/biome", "plains", `{"temperature":2.0}`},
		{"worldgen/biome", "minecraft:desert", document(t, own, "worldgen/biome", "desert")},
	} {
		if got := document(t, s, want[0], want[1]); got != want[2] {
			t.Errorf("%s %s is %.80s, want %.80s", want[0], want[1], got, want[2])
		}
	}
	biomes, err := s.IDs("worldgen/biome")
	if err != nil || len(biomes) != 67 || biomes[66] != "sky:cloud" || !slices.IsSorted(biomes) {
		t.Errorf("%d biomes, %v: %v", len(biomes), err, biomes)
	}
	if ids, err := s.IDs("dimension"); err != nil || !slices.Equal(ids, []string{"sky:islands"}) {
		t.Errorf("dimensions %v, %v", ids, err)
	}
	for _, id := range []string{"sky:none", "Not An Id", "", "minecraft:none"} {
		if _, err := s.Document("worldgen/biome", id); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: %v", id, err)
		}
	}
}

func TestTheHigherPackWins(t *testing.T) {
	s := over(t,
		packOf(t, "low", map[string]string{"minecraft/worldgen/biome/plains.json": `1`, "minecraft/worldgen/biome/desert.json": `1`}),
		packOf(t, "high", map[string]string{"minecraft/worldgen/biome/plains.json": `2`}))
	if a, b := document(t, s, "worldgen/biome", "plains"), document(t, s, "worldgen/biome", "desert"); a != "2" || b != "1" {
		t.Errorf("plains %s, desert %s", a, b)
	}
}

func TestTagsMerge(t *testing.T) {
	own := builtin(t, 4903)
	villages, err := own.Tag("worldgen/biome", "has_structure/village_plains")
	if err != nil || !slices.Equal(villages, []string{"minecraft:plains", "minecraft:meadow"}) {
		t.Fatalf("%v, %v", villages, err)
	}
	low := packOf(t, "low", map[string]string{
		"a/worldgen/biome/x.json": `{}`,
		"minecraft/tags/worldgen/biome/has_structure/village_plains.json": `{"values":["a:x","minecraft:plains",{"id":"a:gone","required":false}]}`,
		"minecraft/tags/worldgen/biome/has_structure/igloo.json":          `{"replace":true,"values":["a:x"]}`,
		"a/tags/worldgen/biome/both.json":                                 `{"values":["#minecraft:has_structure/igloo","#minecraft:has_structure/village_plains",{"id":"#a:gone","required":false}]}`,
		"minecraft/tags/block/logs.json":                                  `{"values":["minecraft:stone"]}`,
	})
	high := packOf(t, "high", map[string]string{
		"minecraft/tags/worldgen/biome/has_structure/igloo.json": `{"values":["minecraft:desert"]}`,
	})
	for _, c := range []struct {
		packs    []*datapack.Pack
		registry string
		tag      string
		want     []string
	}{
		{[]*datapack.Pack{low}, "worldgen/biome", "has_structure/village_plains", []string{"minecraft:plains", "minecraft:meadow", "a:x"}},
		{[]*datapack.Pack{low}, "worldgen/biome", "minecraft:has_structure/igloo", []string{"a:x"}},
		{[]*datapack.Pack{low, high}, "worldgen/biome", "has_structure/igloo", []string{"a:x", "minecraft:desert"}},
		{[]*datapack.Pack{high}, "worldgen/biome", "has_structure/igloo", []string{"minecraft:snowy_taiga", "minecraft:snowy_plains", "minecraft:snowy_slopes", "minecraft:desert"}},
		{[]*datapack.Pack{low, high}, "worldgen/biome", "a:both", []string{"a:x", "minecraft:desert", "minecraft:plains", "minecraft:meadow"}},
	} {
		got, err := over(t, c.packs...).Tag(c.registry, c.tag)
		if diff := cmp.Diff(c.want, got); err != nil || diff != "" {
			t.Errorf("%s: %v %s", c.tag, err, diff)
		}
	}
	before, errBefore := own.Tag("block", "logs")
	after, err := over(t, low).Tag("block", "logs")
	if err := errors.Join(err, errBefore); err != nil || !slices.Equal(after, append(slices.Clone(before), "minecraft:stone")) {
		t.Errorf("%v: %v becomes %v", err, before, after)
	}
	// What is not touched is as it was, through two layers.
	twice := settings.Layered(over(t, low), datapack.NewStack(datapack.Format{Major: 107, Minor: 1}, high))
	if got, err := twice.Tag("worldgen/biome", "has_structure/igloo"); err != nil || !slices.Equal(got, []string{"a:x", "minecraft:desert"}) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestTagsThatMissSomethingDoNotExist(t *testing.T) {
	s := over(t, packOf(t, "p", map[string]string{
		"a/tags/block/missing.json":    `{"values":["minecraft:no_such_block","minecraft:stone"]}`,
		"a/tags/block/of_tag.json":     `{"values":["#a:nowhere"]}`,
		"a/tags/block/itself.json":     `{"values":["#a:round"]}`,
		"a/tags/block/round.json":      `{"values":["#a:itself"]}`,
		"a/tags/block/patient.json":    `{"values":[{"id":"#a:round","required":false},{"id":"minecraft:no_such_block","required":false},"minecraft:stone"]}`,
		"a/tags/fluid/missing.json":    `{"values":["minecraft:stone"]}`,
		"a/tags/worldgen/biome/m.json": `{"values":["minecraft:stone"]}`,
	}))
	for _, tag := range [][2]string{
		{"block", "a:missing"}, {"block", "a:of_tag"}, {"block", "a:itself"}, {"block", "a:round"}, {"fluid", "a:missing"}, {"worldgen/biome", "a:m"}, {"block", "a:none"},
	} {
		if got, err := s.Tag(tag[0], tag[1]); !errors.Is(err, fs.ErrNotExist) || got != nil {
			t.Errorf("%v: %v, %v", tag, got, err)
		}
	}
	if got, err := s.Tag("block", "a:patient"); err != nil || !slices.Equal(got, []string{"minecraft:stone"}) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestFiltersHideWhatIsBelow(t *testing.T) {
	low := packOf(t, "low", map[string]string{"minecraft/worldgen/biome/plains.json": `1`, "minecraft/tags/worldgen/biome/is_nether.json": `{"values":["minecraft:desert"]}`})
	high := packOf(t, "high", map[string]string{
		"pack.mcmeta": `{"pack":{"description":"","min_format":107,"max_format":107},
			"filter":{"block":[{"namespace":"minecraft","path":"worldgen/biome/(plains|desert|swamp)\\.json|tags/worldgen/biome/is_(nether|end)\\.json"}]}}`,
		"minecraft/worldgen/biome/swamp.json":          `3`,
		"minecraft/tags/worldgen/biome/is_nether.json": `{"values":["minecraft:swamp"]}`,
	})
	s := over(t, low, high)
	for _, id := range []string{"plains", "desert"} {
		if _, err := s.Document("worldgen/biome", id); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is not hidden: %v", id, err)
		}
	}
	if got := document(t, s, "worldgen/biome", "swamp"); got != "3" {
		t.Errorf("the pack's own swamp is %s", got)
	}
	if ids, err := s.IDs("worldgen/biome"); err != nil || len(ids) != 64 {
		t.Errorf("%d biomes, %v", len(ids), err)
	}
	if got, err := s.Tag("worldgen/biome", "is_nether"); err != nil || !slices.Equal(got, []string{"minecraft:swamp"}) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := s.Tag("worldgen/biome", "is_end"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	// A filter of a pack does not hide what is above it.
	if got := document(t, over(t, high, low), "worldgen/biome", "plains"); got != "1" {
		t.Errorf("plains above the filter are %s", got)
	}
}

func TestDamagedPacksAreNamed(t *testing.T) {
	s := over(t, packOf(t, "broken", map[string]string{
		"minecraft/worldgen/biome/plains.json": `{"temperature":`,
		"a/tags/block/number.json":             `{"values":[1]}`,
		"a/tags/block/none.json":               `{}`,
		"a/tags/block/no_id.json":              `{"values":[{"required":true}]}`,
		"a/tags/block/text.json":               `values`,
		"a/tags/block/deep.json":               strings.Repeat(`[`, 100000),
	}))
	_, err := s.Document("worldgen/biome", "plains")
	if !errors.Is(err, settings.ErrDocument) || !strings.Contains(err.Error(), "worldgen/biome minecraft:plains in pack broken") {
		t.Error(err)
	}
	for _, id := range []string{"number", "none", "no_id", "text", "deep"} {
		if _, err := s.Tag("block", "a:"+id); !errors.Is(err, settings.ErrDocument) || !strings.Contains(err.Error(), "pack broken") || !strings.Contains(err.Error(), "a:"+id) {
			t.Errorf("%s: %v", id, err)
		}
	}
}

func TestTooMuchIsRefused(t *testing.T) {
	entries := func(n int) string { return `{"values":["a"` + strings.Repeat(`,"a"`, n-1) + `]}` }
	low := packOf(t, "low", map[string]string{
		"a/worldgen/biome/long.json": `"` + strings.Repeat(" ", 8<<20) + `"`,
		"a/tags/block/long.json":     `{"values":[]}` + strings.Repeat(" ", 4<<20),
		"a/tags/block/half.json":     entries(70000),
	})
	high := packOf(t, "high", map[string]string{"a/tags/block/half.json": entries(70000)})
	s := over(t, low, high)
	if _, err := s.Document("worldgen/biome", "a:long"); !errors.Is(err, settings.ErrDocument) {
		t.Error(err)
	}
	for _, id := range []string{"a:long", "a:half"} {
		if _, err := s.Tag("block", id); !errors.Is(err, settings.ErrDocument) {
			t.Errorf("%s: %v", id, err)
		}
	}
}

// TestTagsThatDoubleAreResolvedOnce would take for ever if each of these tags
// were looked up whenever it is named.
func TestTagsThatDoubleAreResolvedOnce(t *testing.T) {
	files := map[string]string{"a/tags/worldgen/biome/t60.json": `{"values":["minecraft:plains"]}`}
	for i := range 60 {
		files[fmt.Sprintf("a/tags/worldgen/biome/t%d.json", i)] = fmt.Sprintf(`{"values":["#a:t%d","#a:t%d"]}`, i+1, i+1)
	}
	got, err := over(t, packOf(t, "p", files)).Tag("worldgen/biome", "a:t0")
	if err != nil || !slices.Equal(got, []string{"minecraft:plains"}) {
		t.Errorf("%v, %v", got, err)
	}
}

// foreign is a source that is none of this package's.
type foreign struct{ settings.Source }

func TestPacksLieOverAnySource(t *testing.T) {
	stack := datapack.NewStack(datapack.Format{Major: 107, Minor: 1}, packOf(t, "p", map[string]string{
		"minecraft/tags/worldgen/biome/has_structure/igloo.json": `{"values":["minecraft:desert"]}`,
	}))
	s := settings.Layered(foreign{builtin(t, 4903)}, stack)
	want := []string{"minecraft:snowy_taiga", "minecraft:snowy_plains", "minecraft:snowy_slopes", "minecraft:desert"}
	if got, err := s.Tag("worldgen/biome", "has_structure/igloo"); err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
}
