package anvil_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"strata/anvil"
	"strata/anvil/level"
	"strata/anvil/session"
	"strata/region/vfs"
)

func create(t testing.TB, fsys vfs.FS, path string, opts anvil.CreateOptions) *anvil.World {
	t.Helper()
	opts.FS = fsys
	w, err := anvil.Create(path, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

func TestCreatedWorldHasTheFilesOfAFreshOne(t *testing.T) {
	fresh := archived(t, "sample-worlds.tar.zst")
	m := mem()
	w := create(t, m, "worlds/new", anvil.CreateOptions{Seed: -3892920047395383686})
	list := func(fsys vfs.FS, root string) map[string]bool {
		files := map[string]bool{}
		walk(t, fsys, root, func(name string, e fs.DirEntry) {
			rel, err := filepath.Rel(root, name)
			if err != nil {
				t.Fatal(err)
			}
			if !e.IsDir() && !strings.HasSuffix(name, ".mca") && filepath.Base(name) != "level.dat_old" {
				files[filepath.ToSlash(rel)] = true
			}
		})
		return files
	}
	if diff := cmp.Diff(list(fresh, "sample/vanilla-26.1.2-fresh"), list(m, "worlds/new")); diff != "" {
		t.Errorf("files (-vanilla +ours):\n%s", diff)
	}
	if held, err := session.Held(m, "worlds/new"); err != nil || !held {
		t.Errorf("held: %v, %v", held, err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	again := open(t, m, "worlds/new")
	settings, ok := again.Settings()
	if seed, sok := again.Seed(); !ok || !sok || seed != -3892920047395383686 || !settings.Structures || again.DataVersion() != anvil.NativeVersion {
		t.Errorf("%+v", settings)
	}
	if again.Level().Name() != "new" || again.Level().Initialized() || again.Layout() != anvil.NewLayout || len(again.Findings()) != 0 {
		t.Errorf("%q, %v, %v", again.Level().Name(), again.Layout(), again.Findings())
	}
	for _, d := range again.Dimensions() {
		if h, err := again.Height(d.ID); err != nil || !h.Valid() || !d.Settled || d.Stored {
			t.Errorf("%+v, %v, %v", d, h, err)
		}
	}
	if anvil.CheckGenerate(again.DataVersion(), false) != nil {
		t.Error("nothing can be generated in it")
	}
}

func TestCreateTakesEveryPresetAndOption(t *testing.T) {
	m := mem()
	for _, preset := range level.Presets() {
		w := create(t, m, "preset-"+preset, anvil.CreateOptions{Preset: preset})
		want, err := level.Preset(preset)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := w.Settings(); !ok || got.Dimensions[anvil.Overworld].Generator.Type != want[anvil.Overworld].Generator.Type {
			t.Errorf("%s: %+v", preset, got)
		}
	}
	for _, name := range level.FlatPresets() {
		flat, err := level.FlatPreset(name)
		if err != nil {
			t.Fatal(err)
		}
		w := create(t, m, "flat-"+name, anvil.CreateOptions{Flat: &flat, NoStructures: true, BonusChest: true})
		settings, _ := w.Settings()
		got, err := settings.Dimensions[anvil.Overworld].Generator.Flat()
		if diff := cmp.Diff(flat, got); err != nil || diff != "" || settings.Structures || !settings.BonusChest {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
	spawn := level.Spawn{Dimension: anvil.Overworld, X: 8, Y: 70, Z: -9, Yaw: 90}
	at := time.UnixMilli(1234567890123)
	w := create(t, m, "all", anvil.CreateOptions{
		Biome: "minecraft:desert",
		Fresh: level.Fresh{Name: "All", Spawn: &spawn, GameType: 1, Difficulty: "hard", Hardcore: true, AllowCommands: true, Created: at, Brands: []string{"x"}},
	})
	l := w.Level()
	got, ok := l.Spawn()
	if !ok || got != spawn || !l.Initialized() || l.Name() != "All" || l.GameType() != 1 || !l.AllowCommands() || !l.LastPlayed().Equal(at) ||
		l.Difficulty() != (level.Difficulty{Name: "hard", Hardcore: true}) || len(l.Brands()) != 1 {
		t.Errorf("%+v, %+v", got, l.Difficulty())
	}
	settings, _ := w.Settings()
	if kind, biome := settings.Dimensions[anvil.Overworld].Generator.BiomeSourceType(); kind != "minecraft:fixed" || biome != "minecraft:desert" {
		t.Errorf("%s %s", kind, biome)
	}
}

func TestOptionsThatMakeNoSenseCreateNothing(t *testing.T) {
	m := mem()
	for name, o := range map[string]anvil.CreateOptions{
		"preset":     {Preset: "round"},
		"two":        {Preset: "flat", Biome: "minecraft:plains"},
		"biome":      {Biome: "Plains"},
		"layer":      {Flat: &level.Flat{Biome: "a:b", Layers: []level.Layer{{Block: "a:b"}}}},
		"difficulty": {Fresh: level.Fresh{Difficulty: "brutal"}},
		"game mode":  {Fresh: level.Fresh{GameType: 4}},
	} {
		o.FS = m
		if w, err := anvil.Create("w", o); !errors.Is(err, anvil.ErrOptions) || w != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := m.Stat("w"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder was made: %v", err)
	}
}

func TestNothingIsCreatedOverWhatIsThere(t *testing.T) {
	m := mem()
	create(t, m, "w", anvil.CreateOptions{}).Close()
	write(t, m, "other/file", []byte("x"))
	for _, path := range []string{"w", "other"} {
		if _, err := anvil.Create(path, anvil.CreateOptions{Options: anvil.Options{FS: m}}); !errors.Is(err, anvil.ErrNotEmpty) {
			t.Errorf("%s: %v", path, err)
		}
	}
	mkdir(t, m, "empty")
	lock, err := session.Acquire(m, "empty")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := anvil.Create("empty", anvil.CreateOptions{Options: anvil.Options{FS: m}}); !errors.Is(err, session.ErrLocked) {
		t.Errorf("beside another: %v", err)
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	create(t, m, "empty", anvil.CreateOptions{})
}

func TestCrashWhileCreatingLeavesNoHalfWorld(t *testing.T) {
	m := mem()
	f := vfs.NewFault(m)
	states, worlds := 0, 0
	check := func(when string, done bool) {
		for seed := range uint64(4) {
			crashed := m.CrashClone(vfs.CrashOptions{Keep: vfs.KeepRandom, Seed: seed})
			states++
			w, err := anvil.Open("w", anvil.Options{FS: crashed})
			if errors.Is(err, anvil.ErrNoWorld) && !done {
				continue
			}
			if err != nil {
				t.Errorf("%s, seed %d: %v", when, seed, err)
				continue
			}
			worlds++
			// There is a world: then it is whole.
			for _, name := range []string{"game_rules", "world_gen_settings", "weather", "world_clocks", "raids", "world_border"} {
				if _, err := w.ReadData(name, ""); err != nil {
					t.Errorf("%s, seed %d: %v", when, seed, err)
				}
			}
			if _, err := w.ReadData("ender_dragon_fight", anvil.End); err != nil {
				t.Errorf("%s, seed %d: %v", when, seed, err)
			}
			if seed, ok := w.Seed(); !ok || seed != 42 {
				t.Errorf("%s: seed %d, %v", when, seed, ok)
			}
		}
	}
	f.Add(vfs.Rule{Ops: vfs.OpMutating, Forever: true, Hook: func(in vfs.OpInfo) { check("before "+in.String(), false) }})
	create(t, f, "w", anvil.CreateOptions{Seed: 42})
	check("at the end", true)
	f.Verify(t)
	t.Logf("%d states, %d of them a world", states, worlds)
	if states < 400 || worlds < 4 {
		t.Error("too few states")
	}
}

func TestEveryFaultOfCreatingIsReported(t *testing.T) {
	broken := errors.New("input/output error")
	for nth := range 2000 {
		m := mem()
		f := vfs.NewFault(m)
		rule := f.Add(vfs.Rule{Ops: vfs.OpMutating | vfs.OpLock, Nth: nth, Err: broken})
		w, err := anvil.Create("w", anvil.CreateOptions{Options: anvil.Options{FS: f}})
		if rule.Fired() == 0 {
			if err != nil || nth < 100 {
				t.Errorf("%d operations could fail: %v", nth, err)
			}
			w.Close()
			return
		}
		if !errors.Is(err, broken) || w != nil {
			t.Errorf("operation %d: %v", nth, err)
		}
		if held, err := session.Held(m, "w"); err != nil || held {
			t.Errorf("operation %d: the world is held: %v, %v", nth, held, err)
		}
	}
	t.Error("no end of operations")
}

func TestSeedIsTextInJSON(t *testing.T) {
	m := mem()
	// Many readers of JSON round numbers beyond 2^53.
	dat(t, m, "w/level.dat", `{Data:{DataVersion:1976,RandomSeed:-9223372036854775807L}}`)
	info, err := open(t, m, "w").Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if text, err := json.Marshal(info); err != nil || !bytes.Contains(text, []byte(`"seed":"-9223372036854775807"`)) {
		t.Errorf("as JSON: %s, %v", text, err)
	}
}

func TestInfoCountsWhatCannotBeRead(t *testing.T) {
	m := mem()
	dat(t, m, "w/level.dat", newLevel)
	chunks(t, m, map[string]int{
		"w/dimensions/minecraft/overworld/region/r.0.0.mca": 5, "w/dimensions/minecraft/overworld/region/r.1.0.mca": 7,
		"w/dimensions/minecraft/overworld/poi/r.0.0.mca": 2,
	})
	dir := "w/dimensions/minecraft/overworld/region/"
	write(t, m, dir+"r.2.0.mca", nil)
	write(t, m, dir+"r.3.0.mca", []byte{0, 0, 2, 1, 0, 0, 3}) // a header cut off
	write(t, m, dir+"c.5.5.mcc", make([]byte, 100))
	write(t, m, dir+"r.x.mca", []byte("no region"))
	write(t, m, "w/players/data/0f1e2d3c-4b5a-4988-a776-655443322110.dat", []byte{})
	denied := fs.ErrPermission
	f := vfs.NewFault(m)
	f.Add(vfs.Rule{Ops: vfs.OpOpen, Name: "r.1.0.mca", Err: denied})
	w := open(t, f, "w")
	info, err := w.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	over := info.Dimensions[0]
	got := fmt.Sprintf("%d %d %d %d %d", over.Region.Regions, over.Region.Chunks, over.Region.External, over.Region.Bytes, over.POI.Chunks)
	if want := fmt.Sprintf("4 7 1 %d 2", 2*8192+7+100); got != want {
		t.Errorf("counted %s, want %s", got, want)
	}
	if failed := over.Region.Failed; len(failed) != 1 || !errors.Is(failed[0].Err, denied) || filepath.Base(failed[0].Path) != "r.1.0.mca" {
		t.Errorf("failed: %v", failed)
	}
	text, err := json.Marshal(info)
	if err != nil || !bytes.Contains(text, []byte(`"error":"open w/dimensions/minecraft/overworld/region/r.1.0.mca`)) {
		t.Errorf("as JSON: %s, %v", text, err)
	}
	if info.Players != 1 || info.Seed != nil || !bytes.Contains(text, []byte(`"seed":null`)) {
		t.Errorf("%d players, seed %v", info.Players, info.Seed)
	}
	for _, list := range []string{"brands", "findings"} {
		if !bytes.Contains(text, []byte(`"`+list+`":[]`)) {
			t.Errorf("no %s is no empty list: %s", list, text)
		}
	}
	f.Verify(t)
}
