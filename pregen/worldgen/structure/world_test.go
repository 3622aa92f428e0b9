package structure_test

import (
	"maps"
	"slices"
	"testing"

	"strata/pregen/worldgen/oracletest"
	"strata/pregen/worldgen/structure"
	"strata/pregen/worldgen/structure/building"
	"strata/pregen/worldgen/structure/jigsaw"
	"strata/pregen/worldgen/structure/structuretest"
	"strata/pregen/worldgen/structure/template"
	"strata/pregen/worldgen/structure/underground"
)

// factories are those of all packages.
func factories() map[string]structure.Factory {
	all := jigsaw.Factories()
	maps.Copy(all, underground.Factories())
	maps.Copy(all, building.Factories())
	return all
}

func TestStructuresAreThoseOfRealWorlds(t *testing.T) {
	counts := map[string]*structuretest.Count{}
	known := 0
	for _, world := range oracletest.Worlds {
		for _, dimension := range oracletest.Dimensions {
			saved := oracletest.ReadStarts(t, world.Folder, dimension)
			if len(saved.Known) == 0 {
				continue
			}
			known += len(saved.Known)
			if testing.Short() {
				saved.Known = saved.Known[:len(saved.Known)/8]
			}
			system, starts := structuretest.Load(t, world.Seed, structuretest.DataVersion(world.Folder), dimension, template.Builtin(), factories())
			if missing := system.Missing(); len(missing) > 0 {
				t.Errorf("%s has no factories for %q", dimension, missing)
			}
			structuretest.Compare(system, starts, saved, counts, t.Errorf)
		}
	}
	total := structuretest.Count{}
	for _, id := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%-32s %+v", id, *counts[id])
		total.Known += counts[id].Known
		total.Equal += counts[id].Equal
		total.False += counts[id].False
	}
	if !testing.Short() && (total.Known != 565 || total.Equal != 565 || known != 65874) {
		t.Error("not all structures of all known chunks were compared and are equal")
	}
	t.Logf("of %d starts %d are equal, %d false ones in %d chunks", total.Known, total.Equal, total.False, known)
}
