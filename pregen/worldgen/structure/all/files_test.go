package all_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/anvil/datapack"
	"strata/pregen/worldgen/structure"
	"strata/pregen/worldgen/structure/all"
	"strata/pregen/worldgen/structure/structuretest"
	"strata/pregen/worldgen/structure/template"
)

// areaSide is how many chunks a side are searched for structures.
const areaSide = 40

func TestStructuresAreTheSameWithGameFilesAndWithout(t *testing.T) {
	pack, err := datapack.Open(structuretest.Jar(t), datapack.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer pack.Close()
	files := template.New(datapack.NewStack(datapack.Format{Major: 107, Minor: 1}, pack))
	counts := map[string]int{}
	side := int32(areaSide)
	if testing.Short() {
		side /= 3
	}
	for _, dimension := range []string{"overworld", "the_nether", "the_end"} {
		for seed := int64(1); seed <= 1; seed++ {
			// The shapes of the last are read from the files, those of the others
			// are the table's.
			var found [3][]*structure.Start
			for i, templates := range []*template.Library{template.Builtin(), files, structuretest.Templates(t)} {
				_, starts := structuretest.Load(t, seed, 4903, dimension, templates, all.Factories())
				for z := range side {
					for x := range side {
						// The Nether and the End have many of a kind.
						if dimension == "overworld" || x < side/4 {
							found[i] = append(found[i], starts.At(x+40, z+40)...)
						}
					}
				}
			}
			for _, with := range found[1:] {
				if len(found[0]) != len(with) {
					t.Errorf("%s of seed %d: %d structures without game files, %d with them", dimension, seed, len(found[0]), len(with))
					continue
				}
				for i, without := range found[0] {
					counts[without.ID]++
					if diff := cmp.Diff(plain(without.Save()), plain(with[i].Save())); diff != "" {
						t.Errorf("%s of seed %d: %s", dimension, seed, diff)
					}
				}
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%-34s %d", id, counts[id])
	}
	if len(counts) < 3 {
		t.Errorf("only %d kinds of structures", len(counts))
	}
}
