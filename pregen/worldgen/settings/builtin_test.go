package settings_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"strata/pregen/worldgen/oracletest"
	"strata/pregen/worldgen/settings"
)

func builtin(t testing.TB, dataVersion int32) settings.Source {
	t.Helper()
	s, err := settings.Builtin(dataVersion)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// registries are those that the tables must have, with how many entries 26.2
// has in them.
var registries = map[string]int{
	"dimension_type":                                   4,
	"tags/block":                                       265,
	"tags/fluid":                                       6,
	"tags/worldgen/biome":                              68,
	"tags/worldgen/configured_feature":                 1,
	"tags/worldgen/flat_level_generator_preset":        1,
	"tags/worldgen/structure":                          20,
	"tags/worldgen/world_preset":                       2,
	"worldgen/biome":                                   66,
	"worldgen/configured_carver":                       4,
	"worldgen/configured_feature":                      226,
	"worldgen/density_function":                        35,
	"worldgen/flat_level_generator_preset":             9,
	"worldgen/multi_noise_biome_source_parameter_list": 2,
	"worldgen/noise":                                   63,
	"worldgen/noise_settings":                          7,
	"worldgen/placed_feature":                          262,
	"worldgen/processor_list":                          40,
	"worldgen/structure":                               34,
	"worldgen/structure_set":                           20,
	"worldgen/template_pool":                           188,
	"worldgen/world_preset":                            7,
}

// parse reads JSON with the texts of its numbers.
func parse(t testing.TB, text []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %.200s", err, text)
	}
	if _, err := d.Token(); err == nil {
		t.Fatalf("more after the value: %.200s", text)
	}
	return v
}

// difference is where two values differ, "" if nowhere. Numbers are equal if
// both are whole or both are not, and their doubles are the same.
func difference(path string, a, b any) string {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || !slices.Equal(slices.Sorted(maps.Keys(a)), slices.Sorted(maps.Keys(b))) {
			return path + ": other members"
		}
		for name := range a {
			if d := difference(path+"/"+name, a[name], b[name]); d != "" {
				return d
			}
		}
		return ""
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return path + ": other elements"
		}
		for i := range a {
			if d := difference(path+"["+strconv.Itoa(i)+"]", a[i], b[i]); d != "" {
				return d
			}
		}
		return ""
	case json.Number:
		b, ok := b.(json.Number)
		whole := func(n json.Number) bool { return !strings.ContainsAny(n.String(), ".eE") }
		x, errX := a.Float64()
		y, errY := b.Float64()
		if !ok || whole(a) != whole(b) || errX != nil || errY != nil || x != y {
			return fmt.Sprintf("%s: %v and %v", path, a, b)
		}
		return ""
	}
	if a != b {
		return fmt.Sprintf("%s: %v and %v", path, a, b)
	}
	return ""
}

func TestDifferenceTellsValuesApart(t *testing.T) {
	const text = `{"a":[1,2.0,"x",null,true,{"b":1}]}`
	for _, other := range []string{
		`{"a":[1,2,"x",null,true,{"b":1}]}`, `{"a":[1,2.5,"x",null,true,{"b":1}]}`, `{"a":[1,2.0,"y",null,true,{"b":1}]}`,
		`{"a":[1,2.0,"x",0,true,{"b":1}]}`, `{"a":[1,2.0,"x",null,false,{"b":1}]}`, `{"a":[1,2.0,"x",null,true,{"c":1}]}`,
		`{"a":[1,2.0,"x",null,true,{"b":1},1]}`, `{"a":[1,2.0,"x",null,true,{"b":1,"c":2}]}`, `[]`,
	} {
		if difference("", parse(t, []byte(text)), parse(t, []byte(other))) == "" {
			t.Errorf("%s passes for %s", other, text)
		}
	}
	if d := difference("", parse(t, []byte(text)), parse(t, []byte(`{ "a" : [1, 2.00, "x", null, true, {"b":1}] }`))); d != "" {
		t.Error(d)
	}
}

func TestEveryDocumentIsThatOfTheDataPack(t *testing.T) {
	pack, own := oracletest.Datapack(t), builtin(t, 4903)
	for registry, count := range registries {
		want, err := pack.IDs(registry)
		if err != nil {
			t.Fatal(err)
		}
		got, err := own.IDs(registry)
		if err != nil || !slices.Equal(got, want) || len(got) != count {
			t.Errorf("%s has %d ids, %v; the data pack has %d, and the test says %d", registry, len(got), err, len(want), count)
		}
		for _, id := range want {
			theirs, errTheirs := pack.Document(registry, id)
			ours, err := own.Document(registry, id)
			if err := errors.Join(err, errTheirs); err != nil {
				t.Error(err)
				continue
			}
			if d := difference("", parse(t, theirs), parse(t, ours)); d != "" {
				t.Errorf("%s %s%s", registry, id, d)
			}
			var compact bytes.Buffer
			if err := json.Compact(&compact, ours); err != nil || !bytes.Equal(compact.Bytes(), ours) {
				t.Errorf("%s %s has spaces", registry, id)
			}
		}
	}
}

func TestEveryTagResolvesAsInTheDataPack(t *testing.T) {
	pack, own := oracletest.Datapack(t), builtin(t, 4903)
	checked := 0
	for folder := range registries {
		registry, isTags := strings.CutPrefix(folder, "tags/")
		if !isTags {
			continue
		}
		ids, err := pack.IDs(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range ids {
			want, errWant := pack.Tag(registry, id)
			got, err := own.Tag(registry, id)
			if err := errors.Join(err, errWant); err != nil {
				t.Error(err)
				continue
			}
			slices.Sort(want)
			got = slices.Sorted(slices.Values(got))
			if !slices.Equal(got, slices.Compact(want)) {
				t.Errorf("tag %s of %s is %v, want %v", id, registry, got, want)
			}
			checked++
		}
	}
	if checked < 300 {
		t.Errorf("only %d tags", checked)
	}
}

func TestVersionsHaveTheirOwnDocuments(t *testing.T) {
	older, newer := builtin(t, 4786), builtin(t, 4903)
	if _, err := older.Document("worldgen/biome", "sulfur_caves"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("26.1 has sulfur caves: %v", err)
	}
	if _, err := newer.Document("worldgen/biome", "sulfur_caves"); err != nil {
		t.Error(err)
	}
	a, errA := older.Document("worldgen/noise_settings", "overworld")
	b, errB := newer.Document("worldgen/noise_settings", "overworld")
	if errA != nil || errB != nil || bytes.Equal(a, b) {
		t.Errorf("noise settings of 26.1 are those of 26.2 (%v, %v)", errA, errB)
	}
	for _, version := range []int32{0, 4785, 4791, 4902, 4904, 5023} {
		if _, err := settings.Builtin(version); !errors.Is(err, settings.ErrVersion) {
			t.Errorf("data version %d: %v", version, err)
		}
		if _, err := settings.BiomeParameters("overworld", version); !errors.Is(err, settings.ErrVersion) {
			t.Errorf("data version %d: %v", version, err)
		}
	}
}

func TestAbsentThingsAreNotExist(t *testing.T) {
	s := builtin(t, 4903)
	for _, ask := range [][2]string{
		{"worldgen/biome", "nowhere"}, {"worldgen/biome", "other:plains"}, {"worldgen/nothing", "plains"}, {"", ""}, {"worldgen/biome", ""},
	} {
		if _, err := s.Document(ask[0], ask[1]); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%v: %v", ask, err)
		}
		if _, err := s.Tag(ask[0], ask[1]); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("tag %v: %v", ask, err)
		}
	}
	if ids, err := s.IDs("worldgen/nothing"); err != nil || len(ids) != 0 {
		t.Errorf("%v, %v", ids, err)
	}
	if _, err := settings.BiomeParameters("minecraft:end", 4903); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func TestNoisesAreReadFromTheTables(t *testing.T) {
	p, err := settings.Noise(builtin(t, 4903), "minecraft:continentalness")
	if err != nil || p.FirstOctave != -9 || !slices.Equal(p.Amplitudes, []float64{1, 1, 2, 2, 2, 1, 1, 1, 1}) {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestSourcesMayBeAskedConcurrently(t *testing.T) {
	s := builtin(t, 4903)
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for _, id := range []string{"overworld", "nether", "end"} {
				if _, err := s.Document("worldgen/noise_settings", id); err != nil {
					t.Error(err)
				}
			}
			if _, err := s.Tag("worldgen/biome", "is_overworld"); err != nil {
				t.Error(err)
			}
			if rows, err := settings.BiomeParameters("nether", 4903); err != nil || len(rows) != 5 {
				t.Error(len(rows), err)
			}
		})
	}
	wait.Wait()
}
