package gen_test

import (
	"testing"

	"strata/pregen/worldgen/climate"
)

func TestSpawnIsThatOfRealWorlds(t *testing.T) {
	for _, world := range []struct {
		seed int64
		data int32
		x, z int
	}{
		{3270447568912029277, native, 208, 240},
		{-3892920047395383686, 4790, 0, -16},
	} {
		spawn, err := dimensionOf(t, worldOf(t, world.seed, world.data), "overworld").FindSpawn()
		if err != nil || spawn.X != world.x || spawn.Z != world.z {
			t.Errorf("seed %d: %+v, %v, want %d, %d", world.seed, spawn, err, world.x, world.z)
		}
	}
}

func TestLocateFindsWhatBiomeTells(t *testing.T) {
	d := dimensionOf(t, worldOf(t, 1234, native), "overworld")
	looker := d.NewLooker()
	place, found, err := looker.Locate(t.Context(), []string{"minecraft:cherry_grove"}, climate.Query{Y: 64})
	if err != nil || !found || d.Biomes()[place.Biome] != "minecraft:cherry_grove" {
		t.Fatalf("%+v, %v, %v", place, found, err)
	}
	if biome := looker.Cell(place.X, place.Y, place.Z); biome != "minecraft:cherry_grove" {
		t.Errorf("the biome at %+v is %s", place, biome)
	}
	if _, found, err := looker.Locate(t.Context(), []string{"minecraft:the_end"}, climate.Query{Y: 64}); found || err != nil {
		t.Errorf("the End's biome is in the overworld: %v, %v", found, err)
	}
}
