package all_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/anvil/chunk"
	"strata/bench/corpus"
	"strata/bench/testbed"
	"strata/nbt"
	"strata/pregen/worldgen/structure"
	"strata/pregen/worldgen/structure/all"
	"strata/pregen/worldgen/structure/structuretest"
	"strata/pregen/worldgen/structure/template"
	"strata/region"
	"strata/region/codec"
)

// samples are dimensions of the sample worlds that have stored structures. The
// seed of one is not known.
var samples = []struct {
	world, dimension string
	seed             int64
	known            bool
	dataVersion      int32
}{
	{"world-26.2", "overworld", 3270447568912029277, true, 4903},
	{"world-26.2", "the_nether", 3270447568912029277, true, 4903},
	{"vanilla-26.1.2-fresh", "overworld", -3892920047395383686, true, 4790},
	{"paper-26.1.2", "overworld", 0, false, 4790},
}

// eachStart calls f for the stored structures of a dimension of a sample world.
func eachStart(t *testing.T, dir, world, dimension string, f func(pos region.ChunkPos, start nbt.Compound)) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*", world, "dimensions", "minecraft", dimension, "region", "*.mca"))
	if err != nil || len(names) == 0 {
		if names, err = filepath.Glob(filepath.Join(dir, world, "dimensions", "minecraft", dimension, "region", "*.mca")); err != nil || len(names) == 0 {
			t.Fatalf("%s has no regions in %s (%v)", world, dimension, err)
		}
	}
	decoder := chunk.NewDecoder(chunk.NewTables())
	for _, name := range names {
		file, err := region.Open(name, region.Options{ReadOnly: true})
		if err != nil {
			continue // some are empty
		}
		defer file.Close()
		var inflate codec.Decoder
		for slot := range region.Slot(region.Slots) {
			data, _, err := file.Decode(slot, &inflate, nil, nil)
			if errors.Is(err, region.ErrAbsent) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			c, err := decoder.Decode(bytes.Clone(data))
			if err != nil {
				t.Fatal(err)
			}
			starts, err := c.StructureStarts()
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range starts {
				var start nbt.Compound
				if err := s.NBT.Decode(&start); err != nil {
					t.Fatal(err)
				}
				f(c.Pos(), start)
			}
		}
	}
}

func TestStoredStructuresAreThoseOfTheGame(t *testing.T) {
	dir := t.TempDir()
	if err := corpus.Unpack(testbed.Shared(t, "worlds", "sample-worlds.tar.zst"), dir); err != nil {
		t.Fatal(err)
	}
	pieces := map[string]int{}
	for _, sample := range samples {
		system, starts := structuretest.Load(t, sample.seed, sample.dataVersion, sample.dimension, template.Builtin(), all.Factories())
		_, source := structuretest.Dimension(t, sample.seed, sample.dataVersion, sample.dimension)
		readers, err := all.Readers(structure.NewLoader(source, template.Builtin(), nil))
		if err != nil {
			t.Fatal(err)
		}
		eachStart(t, dir, sample.world, sample.dimension, func(pos region.ChunkPos, stored nbt.Compound) {
			read, err := system.ReadStart(stored, readers)
			if err != nil {
				t.Error(err)
				return
			}
			compareNBT(t, "read and stored again", stored, read)
			if !sample.known {
				return
			}
			found := false
			for _, start := range starts.At(pos.X, pos.Z) {
				if start.ID == read.ID {
					found = true
					compareNBT(t, "found", stored, start)
					for _, p := range start.Pieces {
						pieces[p.Common().ID]++
					}
				}
			}
			if !found {
				t.Errorf("%s at %v is not found", read.ID, pos)
			}
		})
	}
	t.Log(pieces)
}

// compareNBT compares what is stored of a start, piece by piece.
func compareNBT(t *testing.T, how string, stored nbt.Compound, start *structure.Start) {
	t.Helper()
	want, got := plain(stored).(map[string]any), plain(start.Save()).(map[string]any)
	wantPieces, gotPieces := want["Children"].([]any), got["Children"].([]any)
	if len(wantPieces) != len(gotPieces) {
		t.Errorf("%s %s: %d pieces, want %d", start.ID, how, len(gotPieces), len(wantPieces))
		return
	}
	for i := range wantPieces {
		w, g := wantPieces[i].(map[string]any), gotPieces[i].(map[string]any)
		if r, ok := start.Pieces[i].(interface{ Reloaded() structure.Box }); ok {
			// The game forgets the room above when it reads a piece.
			if b := r.Reloaded(); cmp.Equal(g["BB"], []int32{b.MinX, b.MinY, b.MinZ, b.MaxX, b.MaxY, b.MaxZ}) {
				delete(w, "BB")
				delete(g, "BB")
			}
		}
		if diff := cmp.Diff(w, g); diff != "" {
			t.Errorf("%s %s: piece %d: %s", start.ID, how, i, diff)
			return
		}
	}
	delete(want, "Children")
	delete(got, "Children")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s %s: %s", start.ID, how, diff)
	}
}

// plain is NBT without the order of members and the types of empty lists.
func plain(v any) any {
	switch v := v.(type) {
	case nbt.Compound:
		members := make(map[string]any, len(v))
		for _, m := range v {
			members[m.Name] = plain(m.Value)
		}
		return members
	case nbt.List:
		items := make([]any, len(v.Items))
		for i, item := range v.Items {
			items[i] = plain(item)
		}
		return items
	}
	return v
}
