package datapack

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// inData returns files below data/, with a pack.mcmeta.
func inData(m map[string]string) map[string]string {
	out := map[string]string{}
	for name, text := range m {
		if !strings.Contains(name, metaName) {
			name = "data/" + name
		}
		out[name] = text
	}
	if out[metaName] == "" {
		out[metaName] = plainMeta
	}
	return out
}

func TestHighestPackWins(t *testing.T) {
	low := packOf(t, "low", texts(inData(map[string]string{
		"minecraft/worldgen/biome/plains.json": "low", "minecraft/worldgen/biome/desert.json": "low", "minecraft/worldgen/biome/a/b.json": "low",
		"minecraft/worldgen/biome_source/x.json": "other registry", "minecraft/worldgen/biome/notes.txt": "no json",
	})))
	high := packOf(t, "high", texts(inData(map[string]string{
		"minecraft/worldgen/biome/plains.json": "high", "mod/worldgen/biome/plains.json": "high",
	})))
	s := NewStack(Format{107, 1}, low, high)
	var got []string
	for _, f := range s.List("worldgen/biome") {
		data, err := f.Read()
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, f.ID.String()+" "+f.Pack.Name()+" "+string(data))
		found, err := s.Find("worldgen/biome", f.ID)
		if err != nil || found != f {
			t.Errorf("List has %v, Find %v, %v", f, found, err)
		}
	}
	want := []string{"minecraft:a/b low low", "minecraft:desert low low", "minecraft:plains high high", "mod:plains high high"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, id := range []ID{{"minecraft", "absent"}, {"absent", "plains"}, {"minecraft", "../biome/plains"}, {"", "plains"}} {
		_, err := s.Find("worldgen/biome", id)
		wantError(t, err, fs.ErrNotExist)
	}
	if list := s.List("../worldgen"); list != nil {
		t.Error(list)
	}
}

func TestOverlaysApplyByFormatAndTheLaterWins(t *testing.T) {
	p := packOf(t, "p", texts(map[string]string{
		metaName: `{"pack":{"description":"","min_format":48,"max_format":120,"pack_format":48,"supported_formats":[48,81]},
			"overlays":{"entries":[
				{"directory":"old","formats":{"min_inclusive":48,"max_inclusive":80}},
				{"directory":"both","min_format":[80,0],"max_format":[107,0]},
				{"directory":"new","min_format":[107,1],"max_format":107},
				{"directory":"gone","min_format":0,"max_format":999}]}}`,
		"data/a/recipe/x.json":       "base",
		"data/a/recipe/base.json":    "base",
		"old/data/a/recipe/x.json":   "old",
		"both/data/a/recipe/x.json":  "both",
		"both/data/b/recipe/y.json":  "both",
		"new/data/a/recipe/x.json":   "new",
		"stray/data/a/recipe/x.json": "not listed",
	}))
	if diff := cmp.Diff([]string{"a", "b"}, p.Namespaces()); diff != "" {
		t.Error(diff)
	}
	for _, tc := range []struct {
		format Format
		want   string
		ids    int
	}{
		{Format{48, 0}, "old", 2}, {Format{80, 0}, "both", 3}, {Format{81, 5}, "both", 3}, {Format{107, 0}, "both", 3},
		{Format{107, 1}, "new", 2}, {Format{107, 9}, "new", 2}, {Format{108, 0}, "base", 2}, {Format{4, 0}, "base", 2},
	} {
		s := NewStack(tc.format, p)
		data, err := s.Read("recipe", ID{"a", "x"})
		if err != nil || string(data) != tc.want {
			t.Errorf("%s: %s, %v; want %s", tc.format, data, err, tc.want)
		}
		if list := s.List("recipe"); len(list) != tc.ids {
			t.Errorf("%s: %v, want %d", tc.format, list, tc.ids)
		}
	}
}

func TestFiltersHideFilesOfLowerPacksAlone(t *testing.T) {
	meta := func(blocks string) string {
		return `{"pack":{"description":"","min_format":107,"max_format":107},"filter":{"block":[` + blocks + `]}}`
	}
	low := packOf(t, "low", texts(inData(map[string]string{
		"minecraft/recipe/a.json": "low", "minecraft/recipe/ab.json": "low", "mod/recipe/a.json": "low", "minecraft/loot_table/a.json": "low",
	})))
	for _, tc := range []struct{ name, blocks, want string }{
		{"nothing", ``, "minecraft:a minecraft:ab minecraft:own mod:a"},
		{"a path, in any part", `{"path":"recipe/a"}`, "minecraft:own"},
		{"a whole path", `{"path":"^recipe/a\\.json$"}`, "minecraft:ab minecraft:own"},
		{"a namespace", `{"namespace":"mod"}`, "minecraft:a minecraft:ab minecraft:own"},
		{"both", `{"namespace":"minecraft","path":"b\\.json"}`, "minecraft:a minecraft:own mod:a"},
		{"everything", `{}`, "minecraft:own"},
		{"two full blocks, each half counting", `{"namespace":"minecraft","path":"ab"},{"namespace":"mod","path":"nothing"}`, "minecraft:a minecraft:own mod:a"},
		{"two half blocks", `{"path":"ab"},{"namespace":"mod"}`, "minecraft:own"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			high := packOf(t, "high", texts(inData(map[string]string{metaName: meta(tc.blocks), "minecraft/recipe/own.json": "high"})))
			top := packOf(t, "top", texts(inData(map[string]string{"minecraft/recipe/own.json": "top"})))
			s := NewStack(Format{107, 1}, low, high, top)
			var got []string
			for _, f := range s.List("recipe") {
				got = append(got, f.ID.String())
			}
			if diff := cmp.Diff(tc.want, strings.Join(got, " ")); diff != "" {
				t.Error(diff)
			}
			for _, id := range []ID{{"minecraft", "a"}, {"minecraft", "ab"}, {"mod", "a"}, {"minecraft", "own"}} {
				_, err := s.Find("recipe", id)
				if listed := strings.Contains(" "+tc.want+" ", " "+id.String()+" "); listed != (err == nil) || (err != nil && !errors.Is(err, fs.ErrNotExist)) {
					t.Errorf("%s: listed %v, Find: %v", id, listed, err)
				}
			}
		})
	}
}

func TestTagsMergeOverPacks(t *testing.T) {
	tag := func(text string) map[string]string {
		return inData(map[string]string{"minecraft/tags/block/t.json": text})
	}
	for _, tc := range []struct {
		name  string
		packs []map[string]string
		want  string
	}{
		{"one pack", []map[string]string{tag(`{"values":["stone","mod:dirt","#logs"]}`)}, "minecraft:stone mod:dirt #minecraft:logs"},
		{"later entries come after", []map[string]string{tag(`{"values":["a"]}`), tag(`{"values":["b","a"]}`)}, "minecraft:a minecraft:b minecraft:a"},
		{"replace drops the lower ones", []map[string]string{tag(`{"values":["a"]}`), tag(`{"replace":true,"values":["b"]}`), tag(`{"replace":false,"values":["c"]}`)}, "minecraft:b minecraft:c"},
		{"replace by nothing", []map[string]string{tag(`{"values":["a"]}`), tag(`{"replace":true,"values":[]}`)}, ""},
		{"optional entries", []map[string]string{tag(`{"values":[{"id":"a","required":false},{"id":"#b","required":true},{"id":"c"}]}`)}, "minecraft:a? #minecraft:b minecraft:c"},
		{"a filter drops the lower ones", []map[string]string{tag(`{"values":["a"]}`),
			inData(map[string]string{metaName: `{"pack":{"description":"","pack_format":48},"filter":{"block":[{"path":"tags/block/t"}]}}`, "minecraft/tags/block/t.json": `{"values":["b"]}`})}, "minecraft:b"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var packs []*Pack
			for _, p := range tc.packs {
				packs = append(packs, packOf(t, "p", texts(p)))
			}
			entries, err := NewStack(Format{107, 1}, packs...).Tag("block", ID{"minecraft", "t"})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, e := range entries {
				text := e.text()
				if !e.Required {
					text += "?"
				}
				got = append(got, text)
			}
			if diff := cmp.Diff(tc.want, strings.Join(got, " ")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDamagedTagIsAnErrorThatNamesItsFile(t *testing.T) {
	for _, text := range []string{`{`, `[]`, `null`, `{}`, `{"values":"a"}`, `{"values":[1]}`, `{"values":["A"]}`, `{"values":[{"required":true}]}`, `{"Values":[]}`, `{"replace":1,"values":[]}`} {
		p := packOf(t, "bad", texts(inData(map[string]string{"minecraft/tags/block/t.json": text})))
		_, err := NewStack(Format{}, p).Tag("block", ID{"minecraft", "t"})
		wantError(t, err, ErrDamaged, "pack bad: data/minecraft/tags/block/t.json: ")
	}
	_, err := NewStack(Format{}).Tag("block", ID{"minecraft", "t"})
	wantError(t, err, fs.ErrNotExist)
}

func TestTagsResolve(t *testing.T) {
	p := packOf(t, "p", texts(inData(map[string]string{
		"minecraft/tags/block/flat.json":          `{"values":["a","b","a"]}`,
		"minecraft/tags/block/outer.json":         `{"values":["c","#flat","b","#mod:inner"]}`,
		"mod/tags/block/inner.json":               `{"values":["d"]}`,
		"minecraft/tags/block/lost.json":          `{"values":["a","nowhere"]}`,
		"minecraft/tags/block/on_lost.json":       `{"values":["a","#lost"]}`,
		"minecraft/tags/block/tolerant.json":      `{"values":["a",{"id":"nowhere","required":false},{"id":"#lost","required":false},{"id":"#absent","required":false}]}`,
		"minecraft/tags/block/self.json":          `{"values":["#self"]}`,
		"minecraft/tags/block/round_a.json":       `{"values":["#round_b"]}`,
		"minecraft/tags/block/round_b.json":       `{"values":["#round_a"]}`,
		"minecraft/tags/block/empty.json":         `{"values":[]}`,
		"minecraft/tags/block/broken.json":        `{"values":`,
		"minecraft/tags/item/flat.json":           `{"values":["z"]}`,
		"minecraft/tags/worldgen/biome/is_a.json": `{"values":["q"]}`,
	})))
	exists := func(id ID) bool { return len(id.Path) == 1 }
	tags, problems := NewStack(Format{107, 1}, p).Tags("block", exists)
	got := map[string]string{}
	for id, ids := range tags {
		var texts []string
		for _, one := range ids {
			texts = append(texts, one.Path)
		}
		got[id.String()] = strings.Join(texts, " ")
	}
	want := map[string]string{
		"minecraft:flat": "a b", "minecraft:outer": "c a b d", "mod:inner": "d", "minecraft:tolerant": "a", "minecraft:empty": "",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	why := map[string]string{}
	for _, problem := range problems {
		why[problem.Tag.Path] = problem.Err.Error()
	}
	for name, text := range map[string]string{
		"lost": "requires minecraft:nowhere", "on_lost": "requires #minecraft:lost", "self": "#minecraft:self", "broken": "damaged",
		"round_a": "#minecraft:round_b", "round_b": "#minecraft:round_a",
	} {
		if !strings.Contains(why[name], text) {
			t.Errorf("%s: %q does not say %q", name, why[name], text)
		}
	}
	if len(why) != 6 {
		t.Errorf("problems: %v", why)
	}
	biomes, _ := NewStack(Format{107, 1}, p).Tags("worldgen/biome", nil)
	if len(biomes) != 1 {
		t.Errorf("biome tags: %v", biomes)
	}
}

func TestRealTagsAllResolve(t *testing.T) {
	s := NewStack(Format{107, 1}, packOf(t, "26.2", reference262(t)))
	total := 0
	for _, registry := range []string{"banner_pattern", "block", "damage_type", "dialog", "enchantment", "entity_type", "fluid", "game_event",
		"instrument", "item", "painting_variant", "point_of_interest_type", "potion", "timeline", "villager_trade",
		"worldgen/biome", "worldgen/structure", "worldgen/world_preset", "worldgen/flat_level_generator_preset", "worldgen/configured_feature"} {
		exists := func(id ID) bool { _, err := s.Find(registry, id); return err == nil }
		switch registry {
		case "block", "entity_type", "fluid", "game_event", "item", "point_of_interest_type", "potion":
			exists = nil // not files of the pack
		}
		tags, problems := s.Tags(registry, exists)
		if len(problems) > 0 {
			t.Errorf("%s: %v", registry, problems)
		}
		total += len(tags)
	}
	if total != 794 {
		t.Errorf("%d tags, want 794", total)
	}
}

func TestTemplatesComeWithoutGzip(t *testing.T) {
	plain := template(4903)
	p := packOf(t, "p", files{metaName: []byte(plainMeta), "data/a/structure/z.nbt": gz(plain), "data/a/structure/p.nbt": plain})
	s := NewStack(Format{}, p)
	for _, name := range []string{"z", "p"} {
		if got, err := s.ReadTemplate(ID{"a", name}); err != nil || string(got) != string(plain) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestWorldPacksFollowTheLists(t *testing.T) {
	game := packOf(t, "vanilla", smallGame())
	dir := filepath.Join(t.TempDir(), "datapacks")
	pack := func(name, recipe string) []byte {
		return zipOf(t, texts(inData(map[string]string{"minecraft/recipe/" + name + ".json": recipe})), "")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"a.zip": pack("bread", "a"), "b.zip": pack("bread", "b"), "off.zip": pack("bread", "off"), "new.zip": pack("cake", "new"),
		"bad.zip": []byte("no zip"), "bare.zip": zipOf(t, smallGame(), ""), "notes.txt": nil,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct {
		name              string
		enabled, disabled []string
		bread             string
		packs             string
		problems          string
	}{
		{"later is higher", []string{"vanilla", "file/a.zip", "file/b.zip"}, []string{"file/off.zip", "file/new.zip", "file/bad.zip", "file/bare.zip"}, "b", "vanilla file/a.zip file/b.zip", ""},
		{"the other way round", []string{"vanilla", "file/b.zip", "file/a.zip"}, []string{"file/off.zip", "file/new.zip", "file/bad.zip", "file/bare.zip"}, "a", "vanilla file/b.zip file/a.zip", ""},
		{"below vanilla", []string{"file/a.zip", "vanilla"}, []string{"file/b.zip", "file/off.zip", "file/new.zip", "file/bad.zip", "file/bare.zip"}, `{"type":"minecraft:crafting_shaped"}`, "file/a.zip vanilla", ""},
		{"built-in", []string{"vanilla", "extra"}, []string{"file/a.zip", "file/b.zip", "file/off.zip", "file/new.zip", "file/bad.zip", "file/bare.zip"}, `{"extra":true}`, "vanilla extra", ""},
		{"unlisted ones go on top", []string{"vanilla", "file/b.zip"}, []string{"file/off.zip", "file/bad.zip", "file/bare.zip"}, "a", "vanilla file/b.zip file/a.zip file/new.zip", ""},
		{"what can not be opened", []string{"vanilla", "file/bad.zip", "file/gone.zip", "file/bare.zip", "file/../x.zip", "nothing"},
			[]string{"file/a.zip", "file/b.zip", "file/off.zip", "file/new.zip"}, `{"type":"minecraft:crafting_shaped"}`, "vanilla", "file/bad.zip file/gone.zip file/bare.zip file/../x.zip nothing"},
		{"named again and again", []string{"vanilla", "file/a.zip", "file/gone.zip", "file/b.zip", "file/a.zip", "file/a.zip", "vanilla", "file/gone.zip"},
			[]string{"file/off.zip", "file/new.zip", "file/bad.zip", "file/bare.zip"}, "b", "vanilla file/a.zip file/b.zip", "file/gone.zip"},
		{"no lists", nil, []string{"file/b.zip", "file/off.zip", "file/new.zip", "file/bad.zip", "file/bare.zip"}, "a", "vanilla file/a.zip", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w, err := OpenWorld(dir, WorldOptions{Game: game, Format: Format{107, 1}, Enabled: tc.enabled, Disabled: tc.disabled})
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			var packs, problems []string
			for _, p := range w.Stack.Packs() {
				packs = append(packs, p.Name())
			}
			for _, p := range w.Problems {
				problems = append(problems, p.ID)
			}
			if diff := cmp.Diff([]string{tc.packs, tc.problems}, []string{strings.Join(packs, " "), strings.Join(problems, " ")}); diff != "" {
				t.Error(diff, w.Problems)
			}
			if data, err := w.Stack.Read("recipe", ID{"minecraft", "bread"}); err != nil || string(data) != tc.bread {
				t.Errorf("%s, %v; want %s", data, err, tc.bread)
			}
		})
	}
	w, err := OpenWorld(filepath.Join(dir, "absent"), WorldOptions{})
	if err != nil || len(w.Problems) != 1 {
		t.Errorf("no folder, no game: %+v, %v", w, err)
	}
}
