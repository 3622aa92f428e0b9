package admin

import (
	"bytes"
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"strata/region/codec"
	"strata/region/vfs"
)

// tuningFolder is a server's folder with a strata.toml, or none.
func tuningFolder(t *testing.T, file string) vfs.FS {
	t.Helper()
	mem := newFolder(t, "")
	if file != "" {
		if err := replaceFile(mem, "srv/strata.toml", []byte(file)); err != nil {
			t.Fatal(err)
		}
	}
	return mem
}

func TestANewServerGetsAFileThatExplainsItsTuning(t *testing.T) {
	mem := tuningFolder(t, "")
	for range 2 {
		got, err := LoadTuning(mem, "srv")
		if err != nil || *got != (Tuning{}) {
			t.Fatalf("%+v, %v", got, err)
		}
	}
	data, err := readFile(mem, "srv/strata.toml", maxTuning)
	if err != nil || !bytes.Equal(data, newTuning) {
		t.Errorf("the file is %q, %v", data, err)
	}
	// What is commented out is all keys that there are, each with a value that is one.
	all := regexp.MustCompile(`(?m)^#([a-z]+ = )`).ReplaceAll(data, []byte("$1"))
	want := Tuning{
		MemoryProfile: "low", MemoryLimit: 512 << 20, Level: codec.Sector, Metrics: "127.0.0.1:9225", PProf: "127.0.0.1:6060",
	}
	if got, err := parseTuning(all); err != nil || *got != want {
		t.Errorf("uncommented: %+v, %v", got, err)
	}
	if n := bytes.Count(all, []byte(" = ")); n != 7 {
		t.Errorf("%d keys are shown", n)
	}
}

func TestTuningIsRead(t *testing.T) {
	file := "[memory]\nprofile='throughput'\nlimit=268435456\n[generation]\nworkers=2\n[storage]\nlevel=6\n" +
		"[metrics]\naddress=':9225'\n[debug]\npprof='6060'\n[watchdog]\nexit=true\n"
	want := Tuning{"throughput", 256 << 20, 2, 6, "127.0.0.1:9225", "127.0.0.1:6060", true}
	if got, err := LoadTuning(tuningFolder(t, file), "srv"); err != nil || *got != want {
		t.Errorf("%+v, %v", got, err)
	}
	for text, want := range map[string]Tuning{
		"":                                     {},
		"memory.limit = '1.5GiB'":              {MemoryLimit: 3 << 29},
		"memory = {profile = 'low'}":           {MemoryProfile: "low"},
		"[storage]\nlevel = 'sector'":          {},
		"[storage]\nlevel = '12'":              {Level: 12},
		"[metrics]\naddress = '[::1]:80'":      {Metrics: "[::1]:80"},
		"[metrics]\naddress = '0.0.0.0:80'":    {Metrics: "0.0.0.0:80"},
		"[metrics]\naddress = ''\r\n[debug]\n": {},
	} {
		if got, err := parseTuning([]byte(text)); err != nil || *got != want {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
}

func TestWrongTuningNamesFileLineAndKey(t *testing.T) {
	for file, want := range map[string]string{
		"\n[memory]\nprofil = 'low'\n":                  "srv/strata.toml:3: unknown key memory.profil",
		"[metric]\naddress = ''\n":                      "srv/strata.toml:1: unknown key metric",
		"x = 1":                                         "srv/strata.toml:1: unknown key x",
		"[memory]\n\n# my own\nprofile = 'fast'":        `srv/strata.toml:4: memory.profile: "fast" is none of low, throughput`,
		"[memory]\nlimit = 'much'":                      `srv/strata.toml:2: memory.limit: "much" is no size`,
		"[memory]\nlimit = -1":                          "srv/strata.toml:2: memory.limit: -1",
		"[memory]\nlimit = [1]":                         "srv/strata.toml:2: memory.limit: ",
		"[debug]\n[generation]\nworkers = 257":          "srv/strata.toml:3: generation.workers: 257 is not within",
		"[generation]\nworkers = 'two'":                 "srv/strata.toml:2: generation.workers: ",
		"[storage]\nlevel = 13":                         "srv/strata.toml:2: storage.level: ",
		"[storage]\nlevel = true":                       "srv/strata.toml:2: storage.level: ",
		"[metrics]\naddress = 'localhost'":              "srv/strata.toml:2: metrics.address: ",
		"[debug]\n pprof = '127.0.0.1:99999'":           "srv/strata.toml:2: debug.pprof: ",
		"[memory]\nprofile = 'low'\nprofile = 'low'":    "srv/strata.toml:3: ",
		"[memory]\nprofile = low":                       "srv/strata.toml:2: ",
		"[memory]\nprofile = 'low\n":                    "srv/strata.toml:2: ",
		"\xff":                                          "srv/strata.toml:1: ",
		"[watchdog]\nexit = 1":                          "srv/strata.toml:2: watchdog.exit: ",
		"[memory]\nprofile = 'low'\n\n[[generation]]\n": "srv/strata.toml:4: ",
	} {
		fsys := tuningFolder(t, file)
		_, err := LoadTuning(fsys, "srv")
		if !errors.Is(err, ErrTuning) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", file, err, want)
		}
		if data, err := readFile(fsys, "srv/strata.toml", maxTuning); err != nil || string(data) != file {
			t.Errorf("%q became %q, %v", file, data, err)
		}
	}
}

func TestTuningThatIsTooLongIsNotRead(t *testing.T) {
	fsys := tuningFolder(t, strings.Repeat("#\n", maxTuning))
	if _, err := LoadTuning(fsys, "srv"); err == nil || errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

func FuzzTuning(f *testing.F) {
	f.Add(newTuning)
	f.Add([]byte("memory = {limit = '1k'}\n[[storage]]\nlevel.a = 1979-05-27"))
	f.Fuzz(func(_ *testing.T, data []byte) {
		_, _ = parseTuning(data) // no panic
	})
}

func TestSizesAreRead(t *testing.T) {
	for text, want := range map[string]int64{
		"": 0, "300000000": 300000000, "300M": 300 << 20, "2G": 2 << 30, "1.5GiB": 3 << 29, "64kb": 64 << 10, "5 M": -1, "M": -1,
		"-3M": -1, "3X": -1, "1e30": -1, "NaN": -1, "9999999T": -1, "900000M": 900000 << 20,
	} {
		got, err := ParseSize(text)
		if (err != nil) != (want < 0) || err == nil && got != want {
			t.Errorf("%q is %d, %v; want %d", text, got, err, want)
		}
	}
}
