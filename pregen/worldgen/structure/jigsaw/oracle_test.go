package jigsaw_test

import (
	"maps"
	"slices"
	"testing"

	"strata/pregen/worldgen/oracletest"
	"strata/pregen/worldgen/structure/jigsaw"
	"strata/pregen/worldgen/structure/structuretest"
	"strata/pregen/worldgen/structure/template"
)

func TestStructuresAreThoseOfRealWorlds(t *testing.T) {
	counts := map[string]*structuretest.Count{}
	for _, world := range oracletest.Worlds {
		for _, dimension := range oracletest.Dimensions {
			real := oracletest.ReadStarts(t, world.Folder, dimension)
			if len(real.Starts) == 0 {
				continue
			}
			system, starts := structuretest.Load(t, world.Seed, structuretest.DataVersion(world.Folder), dimension, template.Builtin(), jigsaw.Factories())
			structuretest.Compare(system, starts, real, counts, t.Errorf)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%-30s %+v", id, *counts[id])
	}
}
