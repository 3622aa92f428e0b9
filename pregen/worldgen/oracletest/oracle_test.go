package oracletest_test

import (
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/oracletest"
)

func TestOraclesAreComplete(t *testing.T) {
	pack := oracletest.Datapack(t)
	if ids, err := pack.IDs("worldgen/density_function"); err != nil || len(ids) != 35 {
		t.Errorf("%d density functions (%v), want 35", len(ids), err)
	}
	if members, err := pack.Tag("block", "minecraft:base_stone_overworld"); err != nil || len(members) < 5 {
		t.Errorf("base stone is %q, %v", members, err)
	}
	oracletest.Dumps(t, "noise")
	for _, d := range oracletest.Dumps(t, "surface") {
		if d.Name == "no_blend_no_beard_surface_0_0.chunk" && d.Block(8, 62, 8).Block() != block.MustParse("grass_block").Block() {
			t.Error("the surface dump of chunk 0, 0 has no grass at 8, 62, 8")
		}
	}
	tables := chunk.NewTables()
	counts := make(map[string]int)
	for _, world := range oracletest.Worlds {
		for _, dimension := range oracletest.Dimensions {
			for _, stage := range []string{"biomes", "noise", "carvers", "initialize_light", "full"} {
				counts[stage] += len(oracletest.Chunks(t, tables, world.Folder, dimension, stage))
			}
		}
	}
	want := map[string]int{"biomes": 124, "noise": 7, "carvers": 116, "initialize_light": 108, "full": 451}
	for stage, n := range want {
		if counts[stage] != n {
			t.Errorf("%d chunks of stage %s, want %d", counts[stage], stage, n)
		}
	}
}
