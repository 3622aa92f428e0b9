package anvil_test

import (
	"errors"
	"io/fs"
	"path/filepath"
	"testing"

	"strata/anvil"
	"strata/anvil/level"
)

func TestDataFilesAreWhereEachGameKeepsThem(t *testing.T) {
	const o, n, e = anvil.Overworld, anvil.Nether, anvil.End
	for _, tc := range []struct {
		level, name, dimension string
		want                   string // "" if in level.dat
	}{
		{newLevel, "weather", "", "w/data/minecraft/weather.dat"},
		{newLevel, "weather", n, "w/data/minecraft/weather.dat"},
		{newLevel, "scoreboard", n, "w/data/minecraft/scoreboard.dat"},
		{newLevel, "raids", "", "w/dimensions/minecraft/overworld/data/minecraft/raids.dat"},
		{newLevel, "raids", e, "w/dimensions/minecraft/the_end/data/minecraft/raids.dat"},
		{newLevel, "world_border", "a:b/c", "w/dimensions/a/b/c/data/minecraft/world_border.dat"},
		{newLevel, "maps/7", n, "w/data/minecraft/maps/7.dat"},
		{newLevel, "maps/last_id", "", "w/data/minecraft/maps/last_id.dat"},
		{newLevel, "mymod:things", "", "w/data/mymod/things.dat"},
		{newLevel, "mymod:things", n, "w/dimensions/minecraft/the_nether/data/mymod/things.dat"},
		{newLevel, "mymod:weather", "", "w/data/mymod/weather.dat"},
		{paperLevel, "weather", "", "w/dimensions/minecraft/overworld/data/minecraft/weather.dat"},
		{paperLevel, "weather", n, "w/dimensions/minecraft/the_nether/data/minecraft/weather.dat"},
		{paperLevel, "world_gen_settings", "", "w/dimensions/minecraft/overworld/data/minecraft/world_gen_settings.dat"},
		{paperLevel, "world_clocks", n, "w/data/minecraft/world_clocks.dat"},
		{paperLevel, "mymod:weather", "", "w/data/mymod/weather.dat"},
		{oldLevel, "weather", "", ""},
		{oldLevel, "world_border", "", ""},
		{oldLevel, "raids", o, "w/data/raids.dat"},
		{oldLevel, "raids", n, "w/DIM-1/data/raids.dat"},
		{oldLevel, "raids", e, "w/DIM1/data/raids_end.dat"},
		{oldLevel, "chunk_tickets", n, "w/DIM-1/data/chunks.dat"},
		{`{Data:{DataVersion:4671}}`, "chunk_tickets", n, "w/DIM-1/data/chunk_tickets.dat"},
		{oldLevel, "scoreboard", e, "w/data/scoreboard.dat"},
		{oldLevel, "maps/last_id", "", "w/data/idcounts.dat"},
		{oldLevel, "maps/7", "", "w/data/map_7.dat"},
		{oldLevel, "raids", "a:b/c", "w/dimensions/a/b/c/data/raids.dat"},
	} {
		m := mem()
		dat(t, m, "w/level.dat", tc.level)
		place, err := open(t, m, "w").DataFile(tc.name, tc.dimension)
		if err != nil || filepath.ToSlash(place.Path) != tc.want || place.InLevel != (tc.want == "") || place.Exists {
			t.Errorf("%s of %q in %.40s: %+v, %v", tc.name, tc.dimension, tc.level, place, err)
		}
	}
}

func TestSplitWorldKeepsDataBesideItsChunks(t *testing.T) {
	m := mem()
	dat(t, m, "w/level.dat", bukkitLevel)
	chunks(t, m, map[string]int{"w/region/r.0.0.mca": 1, "w_nether/DIM-1/region/r.0.0.mca": 1})
	place, err := open(t, m, "w").DataFile("raids", anvil.Nether)
	if err != nil || filepath.ToSlash(place.Path) != "w_nether/DIM-1/data/raids.dat" {
		t.Errorf("%+v, %v", place, err)
	}
}

func TestDataFileInTwoPlacesIsTakenFromTheOneThatCounts(t *testing.T) {
	const vanilla, paper = "w/data/minecraft/world_gen_settings.dat", "w/dimensions/minecraft/overworld/data/minecraft/world_gen_settings.dat"
	settings := func(seed string) string {
		return `{data:{seed:` + seed + `L,generate_structures:1b,dimensions:{}},DataVersion:4790}`
	}
	for _, tc := range []struct {
		name, level   string
		files         map[string]string
		seed          int64
		duplicatePath string
	}{
		{"vanilla", newLevel, map[string]string{vanilla: settings("1")}, 1, ""},
		{"paper", paperLevel, map[string]string{paper: settings("2")}, 2, ""},
		{"paper with vanilla's", paperLevel, map[string]string{vanilla: settings("1"), paper: settings("2")}, 2, vanilla},
		{"vanilla with paper's", newLevel, map[string]string{vanilla: settings("1"), paper: settings("2")}, 1, paper},
		{"paper that has not moved it", paperLevel, map[string]string{vanilla: settings("1")}, 1, ""},
		{"vanilla that has paper's alone", newLevel, map[string]string{paper: settings("2")}, 2, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := mem()
			dat(t, m, "w/level.dat", tc.level)
			for name, text := range tc.files {
				dat(t, m, name, text)
			}
			w := open(t, m, "w")
			if seed, ok := w.Seed(); seed != tc.seed || !ok {
				t.Errorf("seed %d, %v", seed, ok)
			}
			want := []string{}
			if tc.duplicatePath != "" {
				want = append(want, "duplicate-data "+tc.duplicatePath)
			}
			if got := kinds(w); len(got) != len(want) || len(want) > 0 && got[0] != want[0] {
				t.Errorf("findings %v, want %v", got, want)
			}
		})
	}
}

func TestDamagedSettingsAreAFindingAndNotAnEnd(t *testing.T) {
	for _, text := range []string{`{data:{}}`, `{data:{seed:"x"}}`} {
		m := mem()
		dat(t, m, "w/level.dat", newLevel)
		dat(t, m, "w/data/minecraft/world_gen_settings.dat", text)
		w := open(t, m, "w")
		f := w.Findings()
		if len(f) != 1 || f[0].Kind != anvil.DamagedData || !errors.Is(f[0].Err, level.ErrShape) {
			t.Errorf("%v", f)
		}
		if seed, ok := w.Seed(); ok {
			t.Errorf("seed %d of damaged settings", seed)
		}
	}
	// Before 26.1 they are in level.dat.
	m := mem()
	dat(t, m, "w/level.dat", `{Data:{DataVersion:4189,WorldGenSettings:{seed:1L,dimensions:[]}}}`)
	w := open(t, m, "w")
	f := w.Findings()
	if len(f) != 1 || f[0].Kind != anvil.DamagedData || filepath.ToSlash(f[0].Path) != "w/level.dat" || !errors.Is(f[0].Err, level.ErrShape) {
		t.Errorf("%v", f)
	}
	if _, ok := w.Settings(); ok {
		t.Error("damaged settings were read")
	}
	if seed, ok := w.Seed(); seed != 1 || !ok {
		t.Errorf("seed %d, %v", seed, ok)
	}
}

func TestDataIsWrittenToItsPlaceInOneStep(t *testing.T) {
	m := mem()
	dat(t, m, "w/level.dat", newLevel)
	w := openToWrite(t, m, "w")
	for n := range int32(2) {
		doc, err := level.NewDocument(level.Weather{RainTime: n}, anvil.NativeVersion)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.WriteData("weather", "", doc); err != nil {
			t.Fatal(err)
		}
		read, err := w.ReadData("weather", "")
		var weather level.Weather
		if err != nil || read.Decode(&weather) != nil || weather.RainTime != n {
			t.Errorf("%+v, %v", weather, err)
		}
	}
	if _, err := m.Stat("w/data/minecraft/weather.dat_old"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the game would find weather.dat_old: %v", err)
	}
	if _, err := w.ReadData("raids", anvil.End); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("absent: %v", err)
	}
	for _, name := range []string{"", "../x", "a:../../x", "A", "maps/", "/x", "a:b:c"} {
		if _, err := w.DataFile(name, ""); !errors.Is(err, anvil.ErrOptions) {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, id := range []string{"x", "a:../..", "a:", "..:b", "a:b/../c", "a:b//c", "DIMx"} {
		if place, err := w.DataFile("raids", id); !errors.Is(err, anvil.ErrNoDimension) {
			t.Errorf("%q: %+v, %v", id, place, err)
		}
		if d, err := w.Dimension(id); !errors.Is(err, anvil.ErrNoDimension) {
			t.Errorf("%q: %+v, %v", id, d, err)
		}
	}
	old := mem()
	dat(t, old, "w/level.dat", oldLevel)
	o := openToWrite(t, old, "w")
	if err := o.WriteData("weather", "", o.Level().Document); !errors.Is(err, anvil.ErrOptions) {
		t.Errorf("weather into an old world: %v", err)
	}
	// Without folders for namespaces it would be the game's own file.
	if place, err := o.DataFile("mymod:scoreboard", ""); !errors.Is(err, anvil.ErrOptions) {
		t.Errorf("a mod's file in an old world: %+v, %v", place, err)
	}
	if _, err := o.ReadData("weather", ""); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("weather of an old world: %v", err)
	}
}

func TestIdsOfDataFilesStayInTheWorld(t *testing.T) {
	m := mem()
	dat(t, m, "w/level.dat", oldLevel)
	w := open(t, m, "w")
	if d, err := w.Dimension("DIM7"); err != nil || filepath.ToSlash(d.Root) != "w/DIM7" || d.Stored {
		t.Errorf("%+v, %v", d, err)
	}
	if d, err := w.Dimension("x:y/z"); err != nil || filepath.ToSlash(d.Region) != "w/dimensions/x/y/z/region" {
		t.Errorf("%+v, %v", d, err)
	}
}
