package anvil_test

import (
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/anvil"
	"strata/anvil/level"
	"strata/region/vfs"
)

// worlds lists the folders with a level.dat below the root.
func worlds(t testing.TB, fsys vfs.FS) []string {
	t.Helper()
	var found []string
	walk(t, fsys, ".", func(name string, e fs.DirEntry) {
		if e.Name() == level.FileName {
			found = append(found, filepath.Dir(name))
		}
	})
	return found
}

func walk(t testing.TB, fsys vfs.FS, dir string, f func(name string, e fs.DirEntry)) {
	t.Helper()
	entries, err := fsys.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		if f(name, e); e.IsDir() {
			walk(t, fsys, name, f)
		}
	}
}

func TestRealWorldsAreOpenedAndCounted(t *testing.T) {
	type summary struct {
		Layout           string
		Version          string
		Data             int32
		Seed             int64
		Regions, Chunks  int
		Entities, Points int
		Findings         int
	}
	want := map[string]summary{
		"sample/vanilla-26.1.2-fresh": {"26.1", "26.1.2", 4790, -3892920047395383686, 4, 529, 0, 0, 0},
		"sample/world-26.2":           {"26.1", "26.2", 4903, 3270447568912029277, 4, 1118, 0, 0, 0},
		"sample/paper-26.1.2":         {"26.1", "26.1.2", 4790, 0, 2, 487, 0, 0, 0},
		"sample/layout-1.21.3":        {"before 26.1", "1.21.3", 4082, 5402129544152069322, 7, 2092, 218, 48, 0},
	}
	m := archived(t, "sample-worlds.tar.zst")
	for _, name := range worlds(t, m) {
		w := open(t, m, name)
		info, err := w.Info(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got := summary{Layout: info.Layout.String(), Version: info.Version.Name, Data: info.DataVersion, Findings: len(info.Findings)}
		if info.Seed != nil {
			got.Seed = *info.Seed
		}
		var bytes int64
		for _, d := range info.Dimensions {
			got.Regions += d.Region.Regions
			got.Chunks += d.Region.Chunks
			got.Entities += d.Entities.Chunks
			got.Points += d.POI.Chunks
			bytes += d.Region.Bytes + d.Entities.Bytes + d.POI.Bytes
			if len(d.Region.Failed)+len(d.Entities.Failed)+len(d.POI.Failed) != 0 {
				t.Errorf("%s, %s: failed %v %v %v", name, d.ID, d.Region.Failed, d.Entities.Failed, d.POI.Failed)
			}
			if d.MinY == nil || d.Height == nil {
				t.Errorf("%s: the heights of %s are not known", name, d.ID)
			}
		}
		t.Logf("%s: %+v, %d bytes", name, got, bytes)
		if diff := cmp.Diff(want[filepath.ToSlash(name)], got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
		if files, size := onDisk(t, m, name); files != regionFiles(info) || size != bytes {
			t.Errorf("%s: %d region files of %d bytes lie there, %d of %d are counted", name, files, size, regionFiles(info), bytes)
		}
		delete(want, filepath.ToSlash(name))
	}
	if len(want) != 0 {
		t.Errorf("not found: %v", want)
	}
}

func regionFiles(info *anvil.Info) (n int) {
	for _, d := range info.Dimensions {
		n += d.Region.Regions + d.Entities.Regions + d.POI.Regions
	}
	return n
}

// onDisk counts all region files of a world wherever they lie.
func onDisk(t *testing.T, fsys vfs.FS, world string) (files int, bytes int64) {
	t.Helper()
	walk(t, fsys, world, func(name string, _ fs.DirEntry) {
		if strings.HasSuffix(name, ".mca") {
			info, err := fsys.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			files++
			bytes += info.Size
		}
	})
	return files, bytes
}

func TestSavesOfOneWorldAreOpened(t *testing.T) {
	if testing.Short() {
		t.Skip("unpacks 270 MB")
	}
	m := archived(t, "history-6-saves.tar.zst")
	names := worlds(t, m)
	for _, name := range names {
		w := open(t, m, name)
		version := int32(4903)
		if strings.HasSuffix(name, "save-1") {
			version = 4790
		}
		settings, ok := w.Settings()
		seed, sok := w.Seed()
		if w.DataVersion() != version || !ok || !sok || seed != 1999168296444647309 || settings.Structures || w.Layout() != anvil.NewLayout || len(w.Findings()) != 0 {
			t.Errorf("%s: version %d, seed %d, %+v, %v", name, w.DataVersion(), seed, settings, w.Findings())
		}
		flat, err := settings.Dimensions[anvil.Overworld].Generator.Flat()
		if err != nil || len(flat.Layers) != 1 || flat.Biome != "minecraft:plains" || len(flat.Overrides) != 0 || flat.Overrides == nil {
			t.Errorf("%s: %+v, %v", name, flat, err)
		}
		info, err := w.Info(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		files, bytes := onDisk(t, m, name)
		t.Logf("%s: %d region files of %d bytes, %d chunks", name, files, bytes, info.Dimensions[0].Region.Chunks)
		if regionFiles(info) != files || info.Dimensions[0].Region.Chunks < 1000 {
			t.Errorf("%s: %+v", name, info.Dimensions)
		}
	}
	if len(names) != 6 {
		t.Errorf("saves: %v", names)
	}
}

func TestEveryDataFileOfRealWorldsHasItsPlace(t *testing.T) {
	m := archived(t, "sample-worlds.tar.zst")
	placed := 0
	for _, name := range worlds(t, m) {
		w := open(t, m, name)
		known := map[string]bool{}
		for _, file := range []string{
			"custom_boss_events", "game_rules", "random_sequences", "scheduled_events", "scoreboard", "stopwatches",
			"wandering_trader", "weather", "world_clocks", "world_gen_settings", "maps/last_id",
			"chunk_tickets", "raids", "world_border", "ender_dragon_fight",
		} {
			for _, d := range w.Dimensions() {
				place, err := w.DataFile(file, d.ID)
				if err != nil {
					t.Fatal(err)
				}
				if place.Exists && !known[place.Path] {
					known[place.Path] = true
					if _, err := w.ReadData(file, d.ID); err != nil {
						t.Error(err)
					}
				}
			}
		}
		walk(t, m, name, func(file string, _ fs.DirEntry) {
			if path.Ext(file) == ".dat" && filepath.Base(file) != level.FileName {
				placed++
				if !known[file] {
					t.Errorf("%s is in no place that DataFile says", file)
				}
			}
		})
	}
	if placed < 35 {
		t.Errorf("only %d files", placed)
	}
	t.Logf("%d data files, each in its place", placed)
}
