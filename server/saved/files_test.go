package saved

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"strata/anvil"
	"strata/anvil/level"
	"strata/anvil/store"
	"strata/bench/corpus"
	"strata/bench/testbed"
	"strata/region/vfs"
)

// rig is a world that is opened again and again.
type rig struct {
	t        testing.TB
	fs       vfs.FS
	path     string
	store    *store.Store
	files    *Files
	world    *World
	problems []error
}

func (r *rig) open() {
	r.t.Helper()
	w, err := anvil.Open(r.path, anvil.Options{FS: r.fs})
	if err != nil {
		r.t.Fatal(err)
	}
	defer w.Close()
	parts, err := store.WorldOf(w)
	if err != nil {
		r.t.Fatal(err)
	}
	if r.store, err = store.Open(parts, store.Options{NoControl: true}); err != nil {
		r.t.Fatal(err)
	}
	r.problems = nil
	if r.files, r.world, err = Open(w, r.store, func(err error) { r.problems = append(r.problems, err) }); err != nil {
		r.t.Fatal(err)
	}
}

var played = time.UnixMilli(1234567890)

// save stages, and closes.
func (r *rig) save() {
	r.t.Helper()
	if err := r.files.Stage(r.world, played); err != nil {
		r.t.Fatal(err)
	}
	if err := r.store.Close(); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) data(name string) string {
	return filepath.Join(r.path, "data", "minecraft", name+".dat")
}

func (r *rig) read(path string) *level.Document {
	r.t.Helper()
	doc, origin, err := level.ReadFile(r.fs, path)
	if err != nil || origin.FromOld() {
		r.t.Fatal(err, origin)
	}
	return doc
}

// print is a document for comparing.
func printed(d *level.Document) string { return string(d.Bytes()) }

func memoryRig(t testing.TB) *rig {
	t.Helper()
	r := &rig{t: t, fs: vfs.NewMem(vfs.MemOptions{}), path: "world"}
	w, err := anvil.Create(r.path, anvil.CreateOptions{Options: anvil.Options{FS: r.fs}})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return r
}

// other is a world in which everything is unusual.
func other(w *World) World {
	o := w.Clone()
	o.Time = 100
	o.Clocks["minecraft:overworld"] = Clock{Ticks: 18000, Rate: 2.5, Paused: true}
	o.Clocks["other:clock"] = Clock{Ticks: 7, Rate: 1}
	o.Weather = level.Weather{ClearTime: 1, RainTime: 2, Raining: true, ThunderTime: 3, Thundering: true}
	o.Rules["minecraft:keep_inventory"], o.Rules["minecraft:random_tick_speed"] = 1, 0
	o.Difficulty = level.Difficulty{Name: "hard", Locked: true}
	o.GameMode = 2
	o.Spawn, o.Chosen = level.Spawn{Dimension: "minecraft:the_nether", X: 1, Y: 2, Z: -3, Yaw: 90, Pitch: 10}, true
	return o
}

func TestEverythingComesBack(t *testing.T) {
	r := memoryRig(t)
	r.open()
	usual := r.world.Clone()
	want := other(r.world)
	*r.world = want.Clone()
	r.save()
	r.open()
	if diff := cmp.Diff(want, *r.world); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := r.files.level.LastPlayed(); !got.Equal(played) {
		t.Errorf("played %v", got)
	}
	if r.files.Changed(r.world) {
		t.Error("what was read is changed")
	}
	delete(want.Clocks, "other:clock")
	*r.world = usual.Clone()
	r.save()
	r.open()
	usual.Clocks["other:clock"] = Clock{Ticks: 7, Rate: 1} // nobody removes clocks
	if diff := cmp.Diff(usual, *r.world); diff != "" {
		t.Errorf("as before (-want +got)\n%s", diff)
	}
	if err := r.store.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestWhatNobodyKnowsStays(t *testing.T) {
	r := memoryRig(t)
	for _, name := range []string{rulesName, weatherName, clocksName} {
		doc, err := r.read(r.data(name)).With(map[string]any{"other:thing": map[string]any{"a": int8(1)}})
		if err != nil {
			t.Fatal(err)
		}
		if err := level.ReplaceFile(r.fs, r.data(name), doc); err != nil {
			t.Fatal(err)
		}
	}
	lvl, _, err := level.Read(r.fs, r.path)
	if err != nil {
		t.Fatal(err)
	}
	e := lvl.Edit()
	e.Set("thing", "Other", "Member")
	if lvl, err = e.Level(); err != nil {
		t.Fatal(err)
	}
	if err := lvl.Write(r.fs, r.path); err != nil {
		t.Fatal(err)
	}
	r.open()
	*r.world = other(r.world)
	r.save()
	for _, name := range []string{rulesName, weatherName, clocksName} {
		if n, _ := r.read(r.data(name)).Content().Get("other:thing").Get("a").Int(); n != 1 {
			t.Errorf("%s has lost it", name)
		}
	}
	if s, _ := r.read(filepath.Join(r.path, "level.dat")).Content().Get("Other").Get("Member").Text(); s != "thing" {
		t.Error("level.dat has lost it")
	}
}

func TestADamagedFileIsKept(t *testing.T) {
	r := memoryRig(t)
	for _, name := range []string{rulesName, weatherName} {
		if err := vfs.WriteFileSync(r.fs, r.data(name), []byte("no NBT"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r.open()
	if len(r.problems) != 2 {
		t.Errorf("problems: %v", r.problems)
	}
	r.world.Rules["minecraft:pvp"] = 0
	r.save()
	r.open()
	if r.world.Rules["minecraft:pvp"] != 0 || len(r.problems) != 1 {
		t.Errorf("pvp %d, problems %v", r.world.Rules["minecraft:pvp"], r.problems)
	}
	r.save()
	data, err := vfs.ReadFile(r.fs, r.data(rulesName)+"_damaged", 100)
	if err != nil || string(data) != "no NBT" {
		t.Errorf("kept %q, %v", data, err)
	}
}

// TestFilesOfTheGameAreReadAndChangedInPlace: of real worlds only what was changed
// is other.
func TestFilesOfTheGameAreReadAndChangedInPlace(t *testing.T) {
	dir := t.TempDir()
	if err := corpus.Unpack(testbed.Shared(t, "worlds", "sample-worlds.tar.zst"), dir); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]World{
		"world-26.2": {
			Time: 1450785, Spawn: level.Spawn{Dimension: "minecraft:overworld", X: 208, Y: 70, Z: 240},
			Clocks: map[string]Clock{"minecraft:overworld": {Ticks: 1728466, Rate: 1}, "minecraft:the_end": {Ticks: 1450785, Rate: 1}},
		},
		"vanilla-26.1.2-fresh": {
			Time: 1199, Spawn: level.Spawn{Dimension: "minecraft:overworld", X: 0, Y: 104, Z: -16},
			Clocks: map[string]Clock{"minecraft:overworld": {Ticks: 1199, Rate: 1}, "minecraft:the_end": {Ticks: 1199, Rate: 1}},
		},
		"paper-26.1.2": {},
	} {
		t.Run(name, func(t *testing.T) {
			r := &rig{t: t, fs: vfs.OS(), path: filepath.Join(dir, "sample", name)}
			r.open()
			if len(r.problems) > 0 {
				t.Error(r.problems)
			}
			if want.Time != 0 && (r.world.Time != want.Time || r.world.Spawn != want.Spawn || !cmp.Equal(r.world.Clocks, want.Clocks)) {
				t.Errorf("read %+v", *r.world)
			}
			r.save()
			r.open()
			rules := r.files.rules.path
			before := ""
			if r.files.rules.doc != nil {
				before = printed(r.files.rules.doc)
			}
			r.world.Rules["minecraft:keep_inventory"] = 1
			r.world.Time++
			r.save()
			doc := r.read(rules)
			if on, _ := doc.Content().Get("minecraft:keep_inventory").Int(); on != 1 {
				t.Error("the rule is not set")
			}
			if before != "" {
				back, err := doc.With(map[string]any{"minecraft:keep_inventory": false})
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(before, printed(back)); diff != "" {
					t.Errorf("more than the rule has changed (-before +after)\n%s", diff)
				}
			}
		})
	}
}

func TestAWorldOfBefore261IsNotWritten(t *testing.T) {
	dir := t.TempDir()
	if err := corpus.Unpack(testbed.Shared(t, "worlds", "sample-worlds.tar.zst"), dir); err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, fs: vfs.OS(), path: filepath.Join(dir, "sample", "layout-1.21.3")}
	before := printed(r.read(filepath.Join(r.path, "level.dat")))
	r.open()
	if r.world.Time == 0 || r.world.Weather.RainTime == 0 || r.world.Difficulty.Name == "" {
		t.Errorf("read %+v", *r.world)
	}
	*r.world = other(r.world)
	r.save()
	if diff := cmp.Diff(before, printed(r.read(filepath.Join(r.path, "level.dat")))); diff != "" {
		t.Error(diff)
	}
}

func BenchmarkStage(b *testing.B) {
	r := memoryRig(b)
	r.open()
	defer func() { _ = r.store.Close() }()
	for b.Loop() {
		r.world.Time++
		r.world.Weather.RainTime++
		r.world.Clocks[Overworld] = Clock{Ticks: r.world.Time, Rate: 1}
		if err := r.files.Stage(r.world, played); err != nil {
			b.Fatal(err)
		}
	}
}
