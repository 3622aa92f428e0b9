package building_test

import (
	"maps"
	"slices"
	"testing"

	"strata/pregen/worldgen/oracletest"
	"strata/pregen/worldgen/structure/building"
	"strata/pregen/worldgen/structure/structuretest"
	"strata/pregen/worldgen/structure/template"
)

// TestStartsHaveThePiecesOfRealWorlds lays out the structures of this package
// where real worlds have them, and compares the boxes of all pieces.
func TestStartsHaveThePiecesOfRealWorlds(t *testing.T) {
	if testing.Short() {
		t.Skip("makes chunks")
	}
	counts := map[string]*structuretest.Count{}
	for _, world := range oracletest.Worlds {
		for _, dimension := range oracletest.Dimensions {
			theirs := oracletest.ReadStarts(t, world.Folder, dimension)
			if len(theirs.Starts) == 0 {
				continue
			}
			system, starts := structuretest.Load(
				t, world.Seed, structuretest.DataVersion(world.Folder), dimension, template.Builtin(), building.Factories())
			theirs.Known = nil
			for _, s := range theirs.Starts {
				if known := system.Structure(s.ID); known != nil && known.Layout != nil {
					theirs.Known = append(theirs.Known, [2]int32{s.X, s.Z})
				}
			}
			structuretest.Compare(system, starts, theirs, counts, func(format string, args ...any) {
				t.Errorf(world.Folder+" "+dimension+": "+format, args...)
			})
		}
	}
	for _, id := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%-36s %+v", id, *counts[id])
	}
}
