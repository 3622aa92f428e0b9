package level_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"strata/anvil/level"
	"strata/nbt"
	"strata/nbt/snbt"
)

// outline lists the tags of a document with their types and values, by path.
func outline(tag nbt.Tag) map[string]string {
	out := map[string]string{}
	var walk func(at string, tag nbt.Tag)
	walk = func(at string, tag nbt.Tag) {
		if tag.Type() == nbt.TypeCompound && tag.Len() > 0 {
			for name, member := range tag.Members() {
				walk(at+"/"+string(name), member)
			}
			return
		}
		out[at] = fmt.Sprintf("%v %s", tag.Type(), snbt.Append(nil, tag, snbt.Canonical))
	}
	walk("", tag)
	return out
}

// explained are the differences between a world that Strata makes and one that
// vanilla 26.1.2 made with the same settings and ran for 60 seconds.
var explained = map[string]string{
	"level/Data/DataVersion":    "26.1.2 made the other",
	"level/Data/Version/Id":     "26.1.2 made the other",
	"level/Data/Version/Name":   "26.1.2 made the other",
	"level/Data/LastPlayed":     "the moment",
	"level/Data/Time":           "it ran for 1,199 ticks",
	"level/Data/ServerBrands":   "no game has opened ours yet",
	"world_clocks/data/*":       "it ran for 1,199 ticks",
	"raids/data/tick":           "it ran for 1,199 ticks",
	"weather/data/rain_time":    "drawn by the game when it is 0",
	"weather/data/thunder_time": "drawn by the game when it is 0",
	"*/DataVersion":             "26.1.2 made the other",
}

func explanation(at string) bool {
	for pattern := range explained {
		file, rest, _ := strings.Cut(pattern, "/")
		f, r, _ := strings.Cut(at, "/")
		if (file == "*" || file == f) && (rest == r || strings.HasSuffix(rest, "*") && strings.HasPrefix(r, strings.TrimSuffix(rest, "*"))) {
			return true
		}
	}
	return false
}

func compare(t *testing.T, file string, want, got nbt.Tag, met map[string]bool) {
	t.Helper()
	vanilla, ours := outline(want), outline(got)
	names := maps.Clone(vanilla)
	maps.Copy(names, ours)
	for at := range names {
		if vanilla[at] == ours[at] {
			continue
		}
		typeOf := func(s string) string { kind, _, _ := strings.Cut(s, " "); return kind }
		if full := file + at; typeOf(vanilla[at]) != typeOf(ours[at]) || !explanation(full) {
			t.Errorf("%s: vanilla has %q, we have %q", full, vanilla[at], ours[at])
		} else {
			met[full] = true
		}
	}
}

func TestFreshWorldIsThatOfTheGame(t *testing.T) {
	const world = "sample/vanilla-26.1.2-fresh/"
	vanilla := map[string]*level.Document{}
	for name, data := range sampleFiles(t) {
		if !strings.HasPrefix(name, world) || !strings.HasSuffix(name, ".dat") {
			continue
		}
		doc, err := level.ParseDocument(data)
		if err != nil {
			t.Fatal(err)
		}
		vanilla[strings.TrimPrefix(name, world)] = doc
	}
	seed := int64(-3892920047395383686)
	dimensions, err := level.Preset(level.DefaultPreset)
	if err != nil {
		t.Fatal(err)
	}
	settings := level.GenSettings{Seed: seed, Structures: true, Dimensions: dimensions}
	met := map[string]bool{}

	l, err := level.NewLevel(level.Fresh{
		Name: "world", Difficulty: "easy", Spawn: &level.Spawn{Y: 104, Z: -16}, Created: time.UnixMilli(1),
	})
	if err != nil {
		t.Fatal(err)
	}
	compare(t, "level", vanilla["level.dat"].Root(), l.Root(), met)
	delete(vanilla, "level.dat")

	ours := map[string]any{}
	for name, content := range level.FreshData(settings) {
		ours["data/minecraft/"+name+".dat"] = content
	}
	for _, dimension := range []string{"overworld", "the_nether", "the_end"} {
		for name, content := range level.FreshDimensionData("minecraft:"+dimension, settings) {
			ours["dimensions/minecraft/"+dimension+"/data/minecraft/"+name+".dat"] = content
		}
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(vanilla)), slices.Sorted(maps.Keys(ours))); diff != "" {
		t.Errorf("files (-vanilla +ours):\n%s", diff)
	}
	for name, content := range ours {
		if doc := vanilla[name]; doc != nil {
			compare(t, strings.TrimSuffix(path.Base(name), ".dat"), doc.Root(), mustDocument(t, content).Root(), met)
		}
	}
	t.Logf("%d files; differences, all explained: %v", len(ours)+1, slices.Sorted(maps.Keys(met)))
	if len(met) < 10 {
		t.Errorf("only %d differences were met: the comparison looks at too little", len(met))
	}
}

func TestGatewaysAreShuffledAsInTheGame(t *testing.T) {
	// As found in worlds of 26.1.2, 26.2, 1.21.3 and 26.2, by their seeds.
	for seed, want := range map[int64][]int32{
		-3892920047395383686: {4, 13, 0, 1, 5, 7, 8, 10, 12, 17, 14, 3, 2, 6, 16, 18, 11, 15, 9, 19},
		3270447568912029277:  {14, 13, 0, 19, 6, 5, 15, 11, 16, 1, 12, 3, 10, 2, 9, 18, 17, 8, 7, 4},
		5402129544152069322:  {12, 13, 2, 3, 18, 9, 7, 8, 15, 17, 11, 0, 1, 6, 14, 4, 5, 19, 16, 10},
		1999168296444647309:  {13, 12, 7, 11, 0, 8, 4, 18, 15, 5, 16, 10, 17, 3, 14, 2, 1, 19, 9, 6},
	} {
		files := level.FreshDimensionData("minecraft:the_end", level.GenSettings{Seed: seed})
		got := files["ender_dragon_fight"].(level.DragonFight).GatewayList()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("seed %d: %s", seed, diff)
		}
	}
}

func TestPresetsAreThoseOfTheDataPack(t *testing.T) {
	files := archived(t, func(n string) bool {
		return strings.Contains(n, "/worldgen/world_preset/") || strings.Contains(n, "/worldgen/flat_level_generator_preset/")
	}, "reference", "vanilla-datapack-26.2.tar.zst")
	met := map[string]int{}
	for name, data := range files {
		if strings.Contains(name, "/tags/") {
			continue
		}
		kind, preset := path.Base(path.Dir(name)), strings.TrimSuffix(path.Base(name), ".json")
		if preset == "flat_all_dimensions" { // hidden, for the game's own tests
			continue
		}
		var ours any
		var err error
		var want struct{ Dimensions, Settings any }
		if kind == "world_preset" {
			ours, err = level.Preset(preset)
		} else {
			ours, err = level.FlatPreset(preset)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := json.Unmarshal(data, &want); err != nil {
			t.Fatal(err)
		}
		if want.Settings == nil {
			want.Settings = want.Dimensions
		}
		if diff := cmp.Diff(want.Settings, plain(t, ours)); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
		met[kind]++
	}
	if met["world_preset"] != len(level.Presets()) || met["flat_level_generator_preset"] != len(level.FlatPresets()) || len(level.FlatPresets()) != 9 {
		t.Errorf("the data pack has %v presets, we have %v and %v", met, level.Presets(), level.FlatPresets())
	}
}

// plain is what JSON makes of a value that is written as NBT, bytes as booleans.
func plain(t *testing.T, v any) any {
	t.Helper()
	raw, err := nbt.MarshalRaw(v)
	if err != nil {
		t.Fatal(err)
	}
	var generic any
	if err := raw.Decode(&generic); err != nil {
		t.Fatal(err)
	}
	var convert func(v any) any
	convert = func(v any) any {
		switch v := v.(type) {
		case nbt.Compound:
			m := map[string]any{}
			for _, member := range v {
				m[member.Name] = convert(member.Value)
			}
			return m
		case nbt.List:
			items := []any{}
			for _, item := range v.Items {
				items = append(items, convert(item))
			}
			return items
		case int8:
			return v != 0
		case int32:
			return float64(v)
		}
		return v
	}
	return convert(generic)
}

func TestGameRulesHaveTheDefaultsOfTheRegistry(t *testing.T) {
	files := archived(t, func(n string) bool { return strings.HasSuffix(n, "26.2/game_rules.json") }, "reference", "extracted-registries-26.1-26.2.tar.zst")
	rules := level.DefaultGameRules()
	for _, data := range files {
		var want map[string]any
		if err := json.Unmarshal(data, &want); err != nil {
			t.Fatal(err)
		}
		delete(want, "max_minecart_speed") // of an experiment
		if len(want) != len(rules) {
			t.Errorf("%d rules, want %d", len(rules), len(want))
		}
		for name, value := range want {
			switch value := value.(type) {
			case bool:
				if got, ok := rules.Bool(name); got != value || !ok {
					t.Errorf("%s is %v, %v; want %v", name, got, ok, value)
				}
			case map[string]any:
				if got, ok := rules.Int(name); float64(got) != value["default"] || !ok {
					t.Errorf("%s is %v, %v; want %v", name, got, ok, value["default"])
				}
			}
		}
	}
	if len(files) != 1 {
		t.Fatalf("%d files of rules", len(files))
	}
}
