package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/bench/testbed"
	"strata/cmd/internal/gamedata"
	"strata/pregen/worldgen/settings"
)

var readOnce = sync.OnceValues(func() (*inputs, error) {
	src, err := gamedata.Open(".")
	if err != nil {
		return nil, err
	}
	return readInputs(src)
})

// sources returns the inputs, or skips the test where they are absent.
func sources(t *testing.T) *inputs {
	t.Helper()
	in, err := readOnce()
	if errors.Is(err, gamedata.ErrAbsent) {
		testbed.SkipOrFail(t, "game data: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// generateOnce generates for all tests.
var generateOnce = sync.OnceValues(func() (*output, error) {
	in, err := readOnce()
	if err != nil {
		return nil, err
	}
	return generate(in)
})

func TestCommittedFilesAreThoseGenerated(t *testing.T) {
	sources(t)
	out, err := generateOnce()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join("..", "..", "..", "pregen", "worldgen", "settings")
	for name, want := range out.tables {
		file, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if content, err := unpack(file); err != nil || !bytes.Equal(content, want) {
			t.Errorf("%s holds something else (%v): run go generate ./pregen/worldgen/settings", name, err)
		}
	}
	file, err := os.ReadFile(filepath.Join(dir, "sources_gen.go"))
	if err != nil || !bytes.Equal(file, out.sources) {
		t.Errorf("sources_gen.go is another (%v)", err)
	}
}

func TestWritingTwiceChangesNothing(t *testing.T) {
	sources(t)
	out, err := generateOnce()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var times [2]map[string]os.FileInfo
	for i := range times {
		if err := out.write(dir); err != nil {
			t.Fatal(err)
		}
		times[i] = map[string]os.FileInfo{}
		for _, name := range []string{"documents.bin", "parameters.bin", "sources_gen.go"} {
			info, err := os.Stat(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			times[i][name] = info
		}
	}
	for name, info := range times[0] {
		if !info.ModTime().Equal(times[1][name].ModTime()) {
			t.Errorf("%s was written again", name)
		}
	}
}

// generic reads JSON with whole numbers told from others.
func generic(t *testing.T, text []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// same compares values, numbers as doubles of the same form.
func same(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, same)
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, same)
	case json.Number:
		b, ok := b.(json.Number)
		x, errX := a.Float64()
		y, errY := b.Float64()
		return ok && errX == nil && errY == nil && x == y &&
			strings.ContainsAny(a.String(), ".eE") == strings.ContainsAny(b.String(), ".eE")
	}
	return a == b
}

func TestTablesHoldTheDocumentsOfBothVersions(t *testing.T) {
	for i, dataVersion := range []int32{4790, 4903} {
		r := sources(t).releases[i]
		s, err := settings.Builtin(dataVersion)
		if err != nil {
			t.Fatal(err)
		}
		counts, want := map[string]int{}, 0
		for name, text := range r.pack {
			registry, id, ok := registryOf(name)
			if !ok {
				continue
			}
			counts[registry]++
			want++
			got, err := s.Document(registry, "minecraft:"+id)
			if err != nil {
				t.Error(err)
				continue
			}
			if want, got := generic(t, text), generic(t, got); !same(want, got) {
				t.Errorf("%s: %s:\n%s", r.name, name, cmp.Diff(want, got))
			}
		}
		for registry, n := range counts {
			if ids, err := s.IDs(registry); err != nil || len(ids) != n || !slices.IsSorted(ids) {
				t.Errorf("%s: %s has %d ids, %v; want %d", r.name, registry, len(ids), err, n)
			}
		}
		t.Logf("%s: %d documents in %d registries", r.name, want, len(counts))
		if want < 1200 || len(counts) < 20 {
			t.Errorf("%s: too few", r.name)
		}
	}
}

func TestTablesHoldTheRowsOfBothVersions(t *testing.T) {
	for i, dataVersion := range []int32{4790, 4903} {
		r := sources(t).releases[i]
		for _, preset := range presets {
			want, err := readRows(r, preset)
			if err != nil {
				t.Fatal(err)
			}
			rows, err := settings.BiomeParameters(preset, dataVersion)
			if err != nil {
				t.Fatal(err)
			}
			got := make([]row, len(rows))
			for j, one := range rows {
				got[j].biome = one.Biome
				got[j].bounds[12] = one.Offset
				for axis := range settings.Axes {
					got[j].bounds[2*axis], got[j].bounds[2*axis+1] = one.Low[axis], one.High[axis]
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: the rows of %s are others", r.name, preset)
			}
		}
	}
}

func TestNumbersHaveOneForm(t *testing.T) {
	for text, want := range map[string]string{
		"1": "1", "-0": "-0", "1.0": "1.0", "1.50": "1.5", "1.0E-4": "0.0001", "5.9604645E-8": "5.9604645e-08",
		"1.7976931348623157E308": "1.7976931348623157e+308", "0.0": "0.0", "-0.0": "-0.0", "1e2": "100.0", "0.1171875": "0.1171875",
	} {
		if got, err := canonical(text); got != want || err != nil {
			t.Errorf("%s becomes %s, %v; want %s", text, got, err, want)
		}
	}
	if _, err := canonical("12345678901234567890"); err == nil {
		t.Error("a whole number of more than 64 bits passes")
	}
}

func TestRowsOfVersionsMerge(t *testing.T) {
	a, b, c := row{biome: "a"}, row{biome: "b"}, row{biome: "c"}
	all := mergeRows(nil, []row{a, c, a}, 1)
	all = mergeRows(all, []row{a, b, c, a}, 2)
	want := []versionedRow{{a, 3}, {b, 2}, {c, 3}, {a, 3}}
	if !slices.Equal(all, want) {
		t.Errorf("%v, want %v", all, want)
	}
	all = mergeRows([]versionedRow{{a, 1}, {b, 1}}, []row{b}, 2)
	if want := []versionedRow{{a, 1}, {b, 3}}; !slices.Equal(all, want) {
		t.Errorf("%v, want %v", all, want)
	}
}
