package building_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/anvil/chunk"
	"strata/nbt"
	"strata/pregen/worldgen/oracletest"
	"strata/pregen/worldgen/structure"
	"strata/pregen/worldgen/structure/building"
)

// storedPieces calls f for the pieces of this package that are stored in real
// chunks.
func storedPieces(t *testing.T, f func(where string, stored nbt.Compound, read structure.Reader)) {
	t.Helper()
	readers := building.Readers()
	for _, w := range oracletest.Worlds {
		for _, dimension := range oracletest.Dimensions {
			for _, stage := range []string{"full", "initialize_light", "carvers", "noise", "biomes"} {
				for _, c := range oracletest.Chunks(t, chunk.NewTables(), w.Folder, dimension, stage) {
					starts, err := c.StructureStarts()
					if err != nil {
						t.Fatal(err)
					}
					for _, s := range starts {
						var start struct{ Children []nbt.Compound }
						if err := s.NBT.Decode(&start); err != nil {
							t.Fatal(err)
						}
						for _, stored := range start.Children {
							id, _ := stored.Get("id")
							if read := readers[id.(string)]; read != nil {
								f(w.Folder+" "+s.Name, stored, read)
							}
						}
					}
				}
			}
		}
	}
}

// members are those of a compound by name, as their order does not matter.
func members(c nbt.Compound) map[string]any {
	m := make(map[string]any)
	for _, member := range c {
		if inner, ok := member.Value.(nbt.Compound); ok {
			member.Value = members(inner)
		}
		m[member.Name] = member.Value
	}
	return m
}

// written is a compound as it reads after it was written.
func written(t *testing.T, c nbt.Compound) nbt.Compound {
	t.Helper()
	data, err := nbt.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var read nbt.Compound
	if err := nbt.Unmarshal(data, &read); err != nil {
		t.Fatal(err)
	}
	return read
}

func TestStoredPiecesAreReadAndSavedAsTheyWere(t *testing.T) {
	n := 0
	storedPieces(t, func(where string, stored nbt.Compound, read structure.Reader) {
		fields := structure.NewFields(stored)
		piece, err := read(fields.ReadBase(), fields)
		if err != nil {
			t.Errorf("%s: %v", where, err)
			return
		}
		if d := cmp.Diff(members(stored), members(written(t, structure.SavePiece(piece)))); d != "" {
			t.Errorf("%s: %s", where, d)
		}
		n++
	})
	if n == 0 {
		t.Fatal("no stored pieces")
	}
	t.Logf("%d pieces", n)
}
