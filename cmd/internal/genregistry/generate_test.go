package main

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"testing"

	"strata/bench/testbed"
	"strata/cmd/internal/gamedata"
)

// packageRecipes is a file of the package that only tests look at.
const packageRecipes = "minecraft-data/data/pc/26.1/recipes.json"

// readOnce reads the inputs for all tests.
var readOnce = sync.OnceValues(func() (*inputs, error) {
	src, err := gamedata.Open(".")
	if err != nil {
		return nil, err
	}
	return readInputs(src, packageRecipes)
})

// readSources returns the inputs, or skips the test where they are absent.
func readSources(t *testing.T) *inputs {
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
	readSources(t)
	out, err := generateOnce()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join("..", "..", "..", "anvil", "registry")
	for _, name := range slices.Sorted(maps.Keys(out.packed)) {
		file, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if !sameContent(file, out.packed[name]) {
			t.Errorf("%s holds something else: run go generate ./anvil/registry", name)
		}
	}
	file, err := os.ReadFile(filepath.Join(dir, "sources_gen.go"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(file, out.sources) {
		t.Error("sources_gen.go is another: run go generate ./anvil/registry")
	}
}

func TestGeneratingTwiceGivesTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("generates again, which takes seconds")
	}
	in := readSources(t)
	first, err := generateOnce()
	if err != nil {
		t.Fatal(err)
	}
	second, err := generate(in)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(first, second) {
		t.Error("two runs made different files")
	}
}

func TestFilesWithTheSameContentAreKept(t *testing.T) {
	dir := t.TempDir()
	o := &output{packed: map[string][]section{"x.bin": {{"a", []byte("abc")}, {"b", nil}}}}
	path := filepath.Join(dir, "x.bin")
	if err := o.write(dir); err != nil {
		t.Fatal(err)
	}
	old, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o444); err != nil {
		t.Fatal(err)
	}
	if err := o.write(dir); err != nil {
		t.Fatal(err)
	}
	if now, err := os.Stat(path); err != nil || !now.ModTime().Equal(old.ModTime()) {
		t.Error("an equal file was written again")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if sameContent(data, []section{{"a", []byte("abc")}}) || sameContent(data, []section{{"a", []byte("abd")}, {"b", nil}}) ||
		sameContent(data, []section{{"a", []byte("abc")}, {"c", nil}}) || sameContent(nil, o.packed["x.bin"]) {
		t.Error("other content is taken for the same")
	}
	for cut := range data {
		if _, err := unpack(data[:cut]); err == nil {
			t.Errorf("%d of %d bytes unpack", cut, len(data))
		}
	}
}

func TestFieldNamesAreThoseOfMinecraftData(t *testing.T) {
	for constant, want := range map[string]string{
		"DATA_SHARED_FLAGS_ID": "shared_flags", "DATA_ID_FLAGS": "flags", "ID_FLAGS": "flags", "AGE_LOCKED": "age_locked",
		"DATA_TRUSTED_ID_0": "trusted_0", "DATA_VILLAGER_DATA": "villager_data", "DATA_OWNERUUID_ID": "owneruuid",
		"DATA_VILLAGER_DATA_FINALIZED": "villager_finalized", "ID_EFFECT_COLOR": "effect_color",
	} {
		if got := fieldName(constant); got != want {
			t.Errorf("%s is %s, want %s", constant, got, want)
		}
	}
}

func TestFloatsAreToldFromDoublesByTheirDigits(t *testing.T) {
	for text, want := range map[string]bool{
		"0.1": true, "2.0": true, "3.4028235e+38": true, "1.8000001": true, "-0.5": true,
		"0.10000000149011612": false, "-2.799999952316284": false, "0.9900000002235174": false,
	} {
		if got := exactFloat32(text); got != want {
			t.Errorf("%s is a float: %v, want %v", text, got, want)
		}
	}
}

func TestWithoutGameDataNothingIsWritten(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := run(); !errors.Is(err, gamedata.ErrAbsent) {
		t.Fatalf("got %v, want ErrAbsent", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("%d files were written: %v", len(entries), err)
	}
}
