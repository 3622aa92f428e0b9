package oracletest

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"strata/anvil/chunk"
	"strata/bench/testbed"
	"strata/region"
	"strata/region/codec"
)

// Worlds are the folders of real chunks, with their seeds.
var Worlds = []struct {
	Folder string
	Seed   int64
}{
	{"vanilla-a", 6854583389113976052},
	{"fabric-b", 3270447568912029277},
	{"paper-c", -5294008629080886081},
	{"stages-26.1.2", -3892920047395383686},
}

// Dimensions are the folders of dimensions in those of Worlds. Not every world
// has all of them.
var Dimensions = []string{"overworld", "the_nether", "the_end"}

// Chunks reads the real chunks of a folder of Worlds, a dimension and a stage:
// "biomes", "noise", "carvers", "initialize_light" or "full". There are none
// where the world has no such folder. tables may be shared by all.
func Chunks(t testing.TB, tables *chunk.Tables, folder, dimension, stage string) []*chunk.Chunk {
	t.Helper()
	if stage != "full" {
		stage = "stage-" + stage
	}
	dir := filepath.Join(testbed.Shared(t, "oracle", folder), dimension, stage)
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.mca"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%s has no region files (%v)", dir, err)
	}
	var list []*chunk.Chunk
	for _, name := range names {
		list = appendRegion(t, list, chunk.NewDecoder(tables), name)
	}
	return list
}

// appendRegion appends the chunks of a region file.
func appendRegion(t testing.TB, list []*chunk.Chunk, decoder *chunk.Decoder, name string) []*chunk.Chunk {
	t.Helper()
	f, err := region.Open(name, region.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var inflate codec.Decoder
	for slot := range region.Slot(region.Slots) {
		data, _, err := f.Decode(slot, &inflate, nil, nil)
		if errors.Is(err, region.ErrAbsent) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		c, err := decoder.Decode(data)
		if err != nil {
			t.Fatalf("%s, slot %d: %v", name, slot, err)
		}
		list = append(list, c)
	}
	return list
}
