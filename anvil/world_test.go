package anvil_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/anvil"
	"strata/anvil/level"
	"strata/anvil/session"
	"strata/region/vfs"
)

func open(t testing.TB, fsys vfs.FS, path string) *anvil.World {
	t.Helper()
	w, err := anvil.Open(path, anvil.Options{FS: fsys})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func openToWrite(t testing.TB, fsys vfs.FS, path string) *anvil.World {
	t.Helper()
	w, err := anvil.Open(path, anvil.Options{FS: fsys, Write: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

// roots are the folders of a world's dimensions; those with region files have a
// + behind them.
func roots(w *anvil.World) map[string]string {
	out := map[string]string{}
	for _, d := range w.Dimensions() {
		out[d.ID] = filepath.ToSlash(d.Root)
		if d.Stored {
			out[d.ID] += " +"
		}
	}
	return out
}

func kinds(w *anvil.World) []string {
	out := []string{}
	for _, f := range w.Findings() {
		out = append(out, string(f.Kind)+" "+filepath.ToSlash(f.Path))
	}
	return out
}

func TestEveryLayoutIsRecognised(t *testing.T) {
	for _, tc := range []struct {
		name     string
		level    string
		files    []string // region files
		layout   anvil.Layout
		roots    map[string]string
		findings []string
		folders  []string
	}{
		{
			name: "new", level: newLevel,
			files:  []string{"w/dimensions/minecraft/overworld/region/r.0.0.mca", "w/dimensions/minecraft/the_end/poi/r.0.0.mca", "w/dimensions/a/b/c/entities/r.0.0.mca", "w/dimensions/a/b/region/r.0.0.mca"},
			layout: anvil.NewLayout,
			roots: map[string]string{
				"minecraft:overworld": "w/dimensions/minecraft/overworld +", "minecraft:the_nether": "w/dimensions/minecraft/the_nether",
				"minecraft:the_end": "w/dimensions/minecraft/the_end +", "a:b": "w/dimensions/a/b +", "a:b/c": "w/dimensions/a/b/c +",
			},
		},
		{
			name: "new without chunks", level: newLevel, layout: anvil.NewLayout,
			roots: map[string]string{
				"minecraft:overworld": "w/dimensions/minecraft/overworld", "minecraft:the_nether": "w/dimensions/minecraft/the_nether",
				"minecraft:the_end": "w/dimensions/minecraft/the_end",
			},
		},
		{
			name: "old", level: oldLevel,
			files:  []string{"w/region/r.0.0.mca", "w/DIM-1/region/r.0.0.mca", "w/DIM1/poi/r.0.0.mca", "w/dimensions/a/b/c/region/r.0.0.mca", "w/DIM-28/region/r.0.0.mca"},
			layout: anvil.OldLayout,
			roots: map[string]string{
				"minecraft:overworld": "w +", "minecraft:the_nether": "w/DIM-1 +", "minecraft:the_end": "w/DIM1 +",
				"a:b/c": "w/dimensions/a/b/c +", "DIM-28": "w/DIM-28 +",
			},
		},
		{
			name: "old without chunks", level: oldLevel, layout: anvil.OldLayout,
			roots: map[string]string{"minecraft:overworld": "w", "minecraft:the_nether": "w/DIM-1", "minecraft:the_end": "w/DIM1", "a:b/c": "w/dimensions/a/b/c"},
		},
		{
			name: "split", level: bukkitLevel,
			files:  []string{"w/region/r.0.0.mca", "w_nether/DIM-1/region/r.0.0.mca", "w_the_end/DIM1/region/r.0.0.mca"},
			layout: anvil.SplitLayout,
			roots: map[string]string{
				"minecraft:overworld": "w +", "minecraft:the_nether": "w_nether/DIM-1 +", "minecraft:the_end": "w_the_end/DIM1 +",
			},
			folders: []string{"w", "w_nether", "w_the_end"},
		},
		{
			name: "split with an own nether", level: bukkitLevel,
			files:    []string{"w/region/r.0.0.mca", "w/DIM-1/region/r.0.0.mca", "w_nether/DIM-1/region/r.0.0.mca"},
			layout:   anvil.SplitLayout,
			roots:    map[string]string{"minecraft:overworld": "w +", "minecraft:the_nether": "w_nether/DIM-1 +", "minecraft:the_end": "w_the_end/DIM1"},
			findings: []string{"duplicate-dimension w/DIM-1"},
			folders:  []string{"w", "w_nether"},
		},
		{
			name: "old with another world beside it", level: oldLevel,
			files:    []string{"w/region/r.0.0.mca", "w/DIM-1/region/r.0.0.mca", "w_nether/DIM-1/region/r.0.0.mca"},
			layout:   anvil.OldLayout,
			roots:    map[string]string{"minecraft:overworld": "w +", "minecraft:the_nether": "w/DIM-1 +", "minecraft:the_end": "w/DIM1", "a:b/c": "w/dimensions/a/b/c"},
			findings: []string{"duplicate-dimension w_nether/DIM-1"},
		},
		{
			name: "new with leftovers", level: paperLevel,
			files: []string{
				"w/dimensions/minecraft/overworld/region/r.0.0.mca", "w/region/r.0.0.mca", "w/DIM-1/region/r.0.0.mca",
				"w_nether/DIM-1/region/r.0.0.mca", "w/dimensions/minecraft/the_end/region/r.0.0.mca", "w/DIM1/entities/r.0.0.mca",
			},
			layout: anvil.NewLayout,
			roots: map[string]string{
				"minecraft:overworld": "w/dimensions/minecraft/overworld +", "minecraft:the_nether": "w/dimensions/minecraft/the_nether",
				"minecraft:the_end": "w/dimensions/minecraft/the_end +",
			},
			findings: []string{
				"duplicate-dimension w", "leftover-dimension w/DIM-1", "leftover-dimension w_nether/DIM-1", "duplicate-dimension w/DIM1",
			},
		},
		{
			name: "old with the new nether", level: oldLevel,
			files:    []string{"w/region/r.0.0.mca", "w/dimensions/minecraft/the_nether/region/r.0.0.mca"},
			layout:   anvil.OldLayout,
			roots:    map[string]string{"minecraft:overworld": "w +", "minecraft:the_nether": "w/DIM-1", "minecraft:the_end": "w/DIM1", "a:b/c": "w/dimensions/a/b/c"},
			findings: []string{"leftover-dimension w/dimensions/minecraft/the_nether"},
		},
		{
			name: "folders newer than level.dat", level: `{Data:{DataVersion:4671}}`,
			files:  []string{"w/dimensions/minecraft/overworld/region/r.0.0.mca"},
			layout: anvil.NewLayout,
			roots: map[string]string{
				"minecraft:overworld": "w/dimensions/minecraft/overworld +", "minecraft:the_nether": "w/dimensions/minecraft/the_nether",
				"minecraft:the_end": "w/dimensions/minecraft/the_end",
			},
			findings: []string{"layout-newer-than-level w/dimensions/minecraft/overworld"},
		},
		{
			name: "settings with strange dimensions", level: `{Data:{DataVersion:4082,WorldGenSettings:{seed:1L,dimensions:{"a:../b":{},"a:.":{},"x":{},"DIM3":{},"..:x":{}}}}}`,
			layout:   anvil.OldLayout,
			roots:    map[string]string{"minecraft:overworld": "w", "minecraft:the_nether": "w/DIM-1", "minecraft:the_end": "w/DIM1"},
			findings: []string{"strange-dimension ", "strange-dimension ", "strange-dimension ", "strange-dimension ", "strange-dimension "},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := mem()
			mkdir(t, m, "w")
			dat(t, m, "w/level.dat", tc.level)
			for _, name := range tc.files {
				chunks(t, m, map[string]int{name: 1})
			}
			// What nobody knows is no finding.
			write(t, m, "w/notes.txt", []byte("x"))
			write(t, m, "w/dimensions/readme", []byte("x"))
			write(t, m, "w/mods/data/x.mca", []byte("x"))
			w := open(t, m, "w")
			if w.Layout() != tc.layout {
				t.Errorf("layout %v, want %v", w.Layout(), tc.layout)
			}
			if diff := cmp.Diff(tc.roots, roots(w)); diff != "" {
				t.Errorf("dimensions:\n%s", diff)
			}
			want := tc.findings
			if want == nil {
				want = []string{}
			}
			if diff := cmp.Diff(want, kinds(w)); diff != "" {
				t.Errorf("findings:\n%s", diff)
			}
			folders := tc.folders
			if folders == nil {
				folders = []string{"w"}
			}
			if diff := cmp.Diff(folders, w.Folders()); diff != "" {
				t.Errorf("folders:\n%s", diff)
			}
		})
	}
}

func TestPartOfASplitSaysWhatItBelongsTo(t *testing.T) {
	m := mem()
	chunks(t, m, map[string]int{"w/region/r.0.0.mca": 1, "w_nether/DIM-1/region/r.0.0.mca": 1})
	dat(t, m, "w_nether/level.dat", bukkitLevel)
	w := open(t, m, "w_nether")
	f := w.Findings()
	if len(f) != 1 || f[0].Kind != anvil.PartOfSplit || f[0].Other != "w" || !strings.Contains(f[0].String(), "used: w") {
		t.Errorf("findings %v", f)
	}
}

func TestOpeningForReadingChangesNothing(t *testing.T) {
	for _, name := range []string{"sample-worlds.tar.zst", "history-6-saves.tar.zst"} {
		m := archived(t, name)
		f := vfs.NewFault(m)
		for _, path := range worlds(t, m) {
			w := open(t, f, path)
			if _, err := w.Info(t.Context()); err != nil {
				t.Error(err)
			}
			if _, err := w.Live(); err != nil {
				t.Error(err)
			}
			if err := w.Close(); err != nil {
				t.Error(err)
			}
			if err := w.WriteLevel(w.Level()); !errors.Is(err, anvil.ErrReadOnly) {
				t.Errorf("write: %v", err)
			}
			if err := w.WriteData("scoreboard", "", w.Level().Document); !errors.Is(err, anvil.ErrReadOnly) {
				t.Errorf("write: %v", err)
			}
		}
		if n := f.Count(vfs.OpMutating); n != 0 {
			t.Errorf("%d operations that change something: %v", n, f.Ops())
		}
	}
}

func TestWorldIsLockedWhileItIsOpenForWriting(t *testing.T) {
	m := mem()
	dat(t, m, "w/level.dat", bukkitLevel)
	chunks(t, m, map[string]int{"w/region/r.0.0.mca": 1, "w_nether/DIM-1/region/r.0.0.mca": 1})
	foreign, err := session.Acquire(m, "w_nether")
	if err != nil {
		t.Fatal(err)
	}
	if w, err := anvil.Open("w", anvil.Options{FS: m, Write: true}); !errors.Is(err, session.ErrLocked) || w != nil {
		t.Errorf("open beside another: %v", err)
	}
	r := open(t, m, "w")
	if live, err := r.Live(); !live || err != nil {
		t.Errorf("live: %v, %v", live, err)
	}
	if held, err := session.Held(m, "w"); held || err != nil {
		t.Errorf("the rest of the world is held: %v, %v", held, err)
	}
	if err := foreign.Release(); err != nil {
		t.Fatal(err)
	}
	w := openToWrite(t, m, "w")
	for _, folder := range []string{"w", "w_nether"} {
		if held, err := session.Held(m, folder); !held || err != nil {
			t.Errorf("%s held: %v, %v", folder, held, err)
		}
	}
	e := w.Level().Edit()
	e.SetName("new name")
	l, err := e.Level()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.WriteLevel(l); err != nil {
		t.Fatal(err)
	}
	if got := open(t, m, "w").Level().Name(); got != "new name" || w.Level().Name() != got {
		t.Errorf("name %q", got)
	}
	// The lock is lost: nothing more is written.
	write(t, m, "w_nether/session.lock", []byte("\u2603"))
	if err := w.WriteLevel(l); !errors.Is(err, session.ErrLost) {
		t.Errorf("write without the lock: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if err := w.WriteLevel(l); !errors.Is(err, session.ErrReleased) {
		t.Errorf("write after Close: %v", err)
	}
}

func TestWorldIsUsedByManyAtOnce(t *testing.T) {
	m := mem()
	dat(t, m, "w/level.dat", newLevel)
	w := openToWrite(t, m, "w")
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for n := range 10 {
				e := w.Level().Edit()
				e.SetTime(int64(100*i + n))
				l, err := e.Level()
				if err == nil {
					err = w.WriteLevel(l)
				}
				if err == nil {
					err = w.WriteData("weather", "", l.Document)
				}
				if err == nil {
					_, err = w.Info(t.Context())
				}
				if err == nil {
					_, err = w.ReadData("weather", "")
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if got, stored := w.Level().Time(), open(t, m, "w").Level().Time(); got != stored {
		t.Errorf("level.dat is %d, the world says %d", stored, got)
	}
}

func TestLockOutlivesTheWorldWhileABackupUsesIt(t *testing.T) {
	m := mem()
	dat(t, m, "w/level.dat", newLevel)
	w := openToWrite(t, m, "w")
	lock := w.Lock()
	if err := lock.Retain(); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := w.WriteLevel(w.Level()); !errors.Is(err, session.ErrReleased) {
		t.Errorf("write after Close: %v", err)
	}
	if held, err := session.Held(m, "w"); !held || err != nil {
		t.Errorf("held: %v, %v", held, err)
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	if held, err := session.Held(m, "w"); held || err != nil {
		t.Errorf("held after the backup: %v, %v", held, err)
	}
}

func TestSymlinkedFoldersAreFollowedAndStay(t *testing.T) {
	dir := t.TempDir()
	fsys := vfs.OS()
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	dat(t, fsys, at("real/level.dat"), newLevel)
	chunks(t, fsys, map[string]int{
		at("big/overworld/region/r.0.0.mca"): 3, at("real/dimensions/a/b/region/r.0.0.mca"): 2,
	})
	mkdir(t, fsys, at("real/dimensions/minecraft"), at("real/dimensions/loop"))
	for link, target := range map[string]string{
		"world": "real", "real/dimensions/minecraft/overworld": "../../../big/overworld", "real/dimensions/c": "a",
		"real/dimensions/loop/again": "..", "real/dimensions/dangling": "nowhere",
	} {
		if err := os.Symlink(filepath.FromSlash(target), at(link)); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	}
	w := openToWrite(t, fsys, at("world"))
	over, err := w.Dimension(anvil.Overworld)
	if err != nil || !over.Stored {
		t.Errorf("%+v, %v", over, err)
	}
	info, err := w.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if info.Dimensions[0].Region.Chunks != 3 {
		t.Errorf("%+v", info.Dimensions[0])
	}
	var ids []string
	for _, d := range w.Dimensions() {
		ids = append(ids, d.ID)
	}
	// The link that leads back to dimensions is not gone round in.
	if diff := cmp.Diff([]string{anvil.Overworld, anvil.Nether, anvil.End, "a:b", "c:b"}, ids); diff != "" {
		t.Errorf("dimensions:\n%s", diff)
	}
	if err := w.WriteLevel(w.Level()); err != nil {
		t.Fatal(err)
	}
	if err := w.WriteData("raids", "", w.Level().Document); err != nil {
		t.Fatal(err)
	}
	for _, link := range []string{"world", "real/dimensions/minecraft/overworld"} {
		if info, err := os.Lstat(at(link)); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is no link any more: %v", link, err)
		}
	}
	if _, err := os.Stat(at("big/overworld/data/minecraft/raids.dat")); err != nil {
		t.Errorf("the file did not go through the link: %v", err)
	}
	// The same world by its other name is locked.
	if _, err := anvil.Open(at("real"), anvil.Options{Write: true}); !errors.Is(err, session.ErrLocked) {
		t.Errorf("open by another name: %v", err)
	}
}

func TestWhatIsNoWorldIsAnError(t *testing.T) {
	m := mem()
	mkdir(t, m, "empty/region")
	write(t, m, "file", nil)
	write(t, m, "damaged/level.dat", []byte("x"))
	for path, want := range map[string]error{"absent": anvil.ErrNoWorld, "empty": anvil.ErrNoWorld, "file": anvil.ErrNoWorld, "damaged": level.ErrDamaged} {
		for _, write := range []bool{false, true} {
			if w, err := anvil.Open(path, anvil.Options{FS: m, Write: write}); !errors.Is(err, want) || w != nil {
				t.Errorf("%s: %v, want %v", path, err, want)
			}
		}
		if _, err := m.Stat(filepath.Join(path, session.FileName)); err == nil {
			t.Errorf("%s was locked and is no world", path)
		}
	}
}

func TestLevelFromOldIsSaid(t *testing.T) {
	m := mem()
	write(t, m, "w/level.dat", []byte("torn"))
	dat(t, m, "w/level.dat_old", newLevel)
	w := open(t, m, "w")
	f := w.Findings()
	if len(f) != 1 || f[0].Kind != anvil.LevelFromOld || !errors.Is(f[0].Err, level.ErrDamaged) || w.DataVersion() != 4903 {
		t.Errorf("%v", f)
	}
}

func TestEveryFaultOfOpeningIsReported(t *testing.T) {
	broken := errors.New("input/output error")
	for nth := range 1000 {
		m := mem()
		dat(t, m, "w/level.dat", bukkitLevel)
		chunks(t, m, map[string]int{"w/region/r.0.0.mca": 1, "w_nether/DIM-1/region/r.0.0.mca": 1})
		f := vfs.NewFault(m)
		// Stats are left out: whether an optional folder is there may be
		// answered with no.
		rule := f.Add(vfs.Rule{Ops: vfs.OpAny &^ vfs.OpStat, Nth: nth, Err: broken})
		w, err := anvil.Open("w", anvil.Options{FS: f, Write: true})
		if err == nil {
			cerr := w.Close()
			if rule.Fired() == 0 {
				if nth < 10 {
					t.Errorf("only %d operations could fail", nth)
				}
				return
			}
			if cerr == nil {
				t.Errorf("operation %d failed and nobody noticed", nth)
			}
			continue
		}
		if !errors.Is(err, broken) {
			t.Errorf("operation %d: %v", nth, err)
		}
		if held, err := session.Held(m, "w"); rule.Fired() > 0 && err == nil && held && !strings.Contains(f.Ops()[len(f.Ops())-1].String(), "close") {
			t.Errorf("operation %d: the world is still locked", nth)
		}
	}
	t.Error("no end of operations")
}
