package level_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"strata/anvil/level"
	"strata/nbt"
	"strata/nbt/snbt"
)

// document parses text into an uncompressed file.
func document(t testing.TB, text string) *level.Document {
	t.Helper()
	data, err := snbt.AppendDocument(nil, text, nbt.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := level.ParseDocument(data)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func printed(d *level.Document) string { return string(snbt.Append(nil, d.Root(), snbt.Compact)) }

func TestEditsKeepTheFormAndEverythingElse(t *testing.T) {
	const unknown = `"mod:stuff":{deep:[1b,2b]},`
	for _, tc := range []struct {
		name, before, after string
		edit                func(e *level.Edit)
	}{
		{
			"old spawn", `{Data:{` + unknown + `SpawnX:1,SpawnY:2,SpawnZ:3,SpawnAngle:0.5f,z:1}}`,
			`{Data:{` + unknown + `SpawnX:7,SpawnY:8,SpawnZ:9,SpawnAngle:1.5f,z:1}}`,
			func(e *level.Edit) { e.SetSpawn(level.Spawn{X: 7, Y: 8, Z: 9, Yaw: 1.5}) },
		},
		{
			"new spawn", `{Data:{spawn:{extra:1b,pos:[I;1,2,3],pitch:0.0f,yaw:0.0f,dimension:"minecraft:overworld"},z:1}}`,
			`{Data:{spawn:{extra:1b,pos:[I;7,8,9],pitch:0.0f,yaw:1.5f,dimension:"a:b"},z:1}}`,
			func(e *level.Edit) { e.SetSpawn(level.Spawn{Dimension: "a:b", X: 7, Y: 8, Z: 9, Yaw: 1.5}) },
		},
		{
			"no spawn", `{Data:{z:1}}`,
			`{Data:{z:1,spawn:{pos:[I;7,8,9],pitch:0.0f,yaw:0.0f,dimension:"minecraft:overworld"}}}`,
			func(e *level.Edit) { e.SetSpawn(level.Spawn{X: 7, Y: 8, Z: 9}) },
		},
		{
			"old difficulty", `{Data:{Difficulty:1b,` + unknown + `hardcore:0b}}`, `{Data:{Difficulty:3b,` + unknown + `hardcore:0b,DifficultyLocked:1b}}`,
			func(e *level.Edit) { e.SetDifficulty(level.Difficulty{Name: "hard", Locked: true}) },
		},
		{
			"new difficulty", `{Data:{difficulty_settings:{difficulty:"easy",hardcore:0b,locked:0b,mod:5}}}`,
			`{Data:{difficulty_settings:{difficulty:"hard",hardcore:0b,locked:0b,mod:5}}}`,
			func(e *level.Edit) { e.SetDifficulty(level.Difficulty{Name: "hard"}) },
		},
		{
			"several", `{Data:{Version:{Id:4790,Name:"26.1.2",Series:"main",Snapshot:0b,mod:1},DataVersion:4790,LevelName:"a"},other:1}`,
			`{Data:{Version:{Id:4903,Name:"26.2",Series:"main",Snapshot:0b,mod:1},DataVersion:4903,LevelName:"b",Time:5L,LastPlayed:9L,GameType:1,initialized:1b,DataPacks:{Enabled:["x"],Disabled:[]}},other:1}`,
			func(e *level.Edit) {
				e.SetVersion(level.Version{ID: 4903, Name: "26.2", Series: "main"})
				e.SetName("b")
				e.SetTime(5)
				e.SetLastPlayed(time.UnixMilli(9))
				e.SetGameType(1)
				e.SetInitialized(true)
				e.SetPacks(level.Packs{Enabled: []string{"x"}})
			},
		},
		{
			"deep and new", `{Data:{a:{b:1}}}`, `{Data:{a:{b:1,c:{d:"e"}}}}`,
			func(e *level.Edit) { e.Set("e", "a", "c", "d") },
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l, err := level.New(document(t, tc.before))
			if err != nil {
				t.Fatal(err)
			}
			edit := l.Edit()
			tc.edit(edit)
			got, err := edit.Level()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(printed(document(t, tc.after)), printed(got.Document)); diff != "" {
				t.Error(diff)
			}
			if got.Compression() != nbt.Uncompressed {
				t.Errorf("the compression became %v", got.Compression())
			}
			if diff := cmp.Diff(printed(document(t, tc.before)), printed(l.Document)); diff != "" {
				t.Errorf("the level edited has changed: %s", diff)
			}
		})
	}
}

func TestEditsThatChangeNothingKeepTheDocument(t *testing.T) {
	l := sampleLevel(t, "world-26.2")
	spawn, _ := l.Spawn()
	edit := l.Edit()
	edit.SetSpawn(spawn)
	edit.SetDifficulty(l.Difficulty())
	edit.SetVersion(l.Version())
	edit.SetPacks(l.Packs())
	edit.SetTime(l.Time())
	edit.SetLastPlayed(l.LastPlayed())
	same, err := edit.Level()
	if err != nil || same.Document != l.Document {
		t.Errorf("setting what is there made another document (%v)", err)
	}
}

func TestEditMistakesStay(t *testing.T) {
	for name, edit := range map[string]func(e *level.Edit){
		"unknown difficulty":   func(e *level.Edit) { e.SetDifficulty(level.Difficulty{Name: "brutal"}) },
		"spawn without a form": func(e *level.Edit) { e.SetSpawn(level.Spawn{Dimension: "minecraft:the_end"}) },
		"through a number":     func(e *level.Edit) { e.Set(1, "SpawnX", "deeper") },
		"no compound":          func(e *level.Edit) { e.With(5) },
	} {
		l, err := level.New(document(t, `{Data:{SpawnX:1,SpawnY:1,SpawnZ:1}}`))
		if err != nil {
			t.Fatal(err)
		}
		e := l.Edit()
		edit(e)
		e.SetName("later")
		if _, err := e.Level(); !errors.Is(err, level.ErrShape) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWithoutRemovesAllOfAName(t *testing.T) {
	d := document(t, `{Data:{a:1,b:{c:2}},x:1}`)
	for _, tc := range []struct {
		path []string
		want string
	}{
		{[]string{"Data", "b", "c"}, `{Data:{a:1,b:{}},x:1}`},
		{[]string{"x"}, `{Data:{a:1,b:{c:2}}}`},
		{[]string{"Data", "no", "such"}, `{Data:{a:1,b:{c:2}},x:1}`},
		{nil, `{Data:{a:1,b:{c:2}},x:1}`},
	} {
		got, err := d.Without(tc.path...)
		if err != nil || !bytes.Equal(got.Bytes(), document(t, tc.want).Bytes()) {
			t.Errorf("without %v: %s, %v", tc.path, printed(got), err)
		}
	}
}

func TestSeedOfEveryForm(t *testing.T) {
	for text, want := range map[string]int64{
		`{Data:{RandomSeed:5L}}`: 5,
		`{Data:{WorldGenSettings:{seed:6L,generate_features:1b,dimensions:{}}}}`: 6,
		`{Data:{RandomSeed:5L,WorldGenSettings:{seed:6L}}}`:                      6,
	} {
		l, err := level.New(document(t, text))
		if err != nil {
			t.Fatal(err)
		}
		if seed, ok := l.Seed(); seed != want || !ok {
			t.Errorf("%s: %d, %v", text, seed, ok)
		}
	}
	l, err := level.New(document(t, `{Data:{}}`))
	if err != nil {
		t.Fatal(err)
	}
	if seed, ok := l.Seed(); ok {
		t.Errorf("a level without one has the seed %d", seed)
	}
}

func TestDataVersionIsTheWorlds(t *testing.T) {
	for text, want := range map[string]int32{
		`{Data:{DataVersion:4903},DataVersion:1}`: 4903, `{Data:{},DataVersion:1}`: 0, `{Data:{DataVersion:-5}}`: 0,
		`{Data:{DataVersion:99999999999L}}`: 0, `{Data:{DataVersion:"4903"}}`: 0,
	} {
		l, err := level.New(document(t, text))
		if err != nil {
			t.Fatal(err)
		}
		if got := l.DataVersion(); got != want {
			t.Errorf("%s: %d", text, got)
		}
	}
	if got := document(t, `{data:{},DataVersion:4790}`).DataVersion(); got != 4790 {
		t.Errorf("of a data file: %d", got)
	}
}

func TestPreviousFormOfStructuresIsRead(t *testing.T) {
	for text, want := range map[string]bool{
		`{data:{seed:1L,generate_features:1b}}`:                        true,
		`{data:{seed:1L,generate_structures:1b}}`:                      true,
		`{data:{seed:1L,generate_features:1b,generate_structures:0b}}`: false,
		`{data:{seed:1L,bonus_chest:1b}}`:                              false,
	} {
		if s, err := document(t, text).GenSettings(); err != nil || s.Structures != want {
			t.Errorf("%s: %+v, %v", text, s, err)
		}
	}
	if _, err := document(t, `{data:{bonus_chest:1b}}`).GenSettings(); !errors.Is(err, level.ErrShape) {
		t.Errorf("settings without a seed: %v", err)
	}
}

// TestTooManyDimensionsAreNotRead is about settings that would take a hundred
// times the memory of their file.
func TestTooManyDimensionsAreNotRead(t *testing.T) {
	settings := func(n int) *level.Document {
		dimensions := map[string]struct{}{}
		for i := range n {
			dimensions[fmt.Sprintf("a:%d", i)] = struct{}{}
		}
		return mustDocument(t, map[string]any{"seed": int64(1), "dimensions": dimensions})
	}
	if s, err := settings(level.MaxDimensions).GenSettings(); err != nil || len(s.Dimensions) != level.MaxDimensions {
		t.Errorf("%d dimensions, %v", len(s.Dimensions), err)
	}
	if _, err := settings(level.MaxDimensions + 1).GenSettings(); !errors.Is(err, level.ErrShape) {
		t.Errorf("one more: %v", err)
	}
}

func TestLayersAreReadAsPlayersWriteThem(t *testing.T) {
	got, err := level.ParseLayers("minecraft:bedrock, 2*dirt,a:b/c")
	want := []level.Layer{{Block: "minecraft:bedrock", Height: 1}, {Block: "minecraft:dirt", Height: 2}, {Block: "a:b/c", Height: 1}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	for _, text := range []string{"", "Stone", "0*stone", "-1*stone", "x*stone", "4065*stone", "4064*stone,1*dirt", "stone,", "9999999999*stone"} {
		if layers, err := level.ParseLayers(text); !errors.Is(err, level.ErrFlat) {
			t.Errorf("%q became %v, %v", text, layers, err)
		}
	}
}

func TestFlatSettingsComeBack(t *testing.T) {
	for _, overrides := range []level.StructureSets{nil, {}, {"minecraft:villages"}, {"#a:tag"}, {"a:b", "c:d"}} {
		f := level.Flat{Biome: "a:b", Lakes: true, Layers: []level.Layer{{Block: "c:d", Height: 9}}, Overrides: overrides}
		if err := f.Check(); err != nil {
			t.Error(err)
		}
		got, err := level.FlatGenerator(f).Flat()
		if diff := cmp.Diff(f, got); err != nil || diff != "" {
			t.Errorf("%v\n%s", err, diff)
		}
	}
	for _, name := range level.FlatPresets() {
		if f, err := level.FlatPreset(name); err != nil || f.Check() != nil {
			t.Errorf("%s: %v, %v", name, err, f.Check())
		}
	}
	if _, err := level.FlatPreset("no"); !errors.Is(err, level.ErrPreset) {
		t.Error(err)
	}
	if _, err := level.SingleBiome("a:b").Flat(); !errors.Is(err, level.ErrShape) {
		t.Error(err)
	}
}
