package climate_test

import (
	"testing"

	"strata/pregen/worldgen/climate"
)

// The spawns of real worlds lie in the first column of the chunk that the
// climate alone leads to: the ground there was good.
func TestFindSpawnLeadsToTheChunksOfRealSpawns(t *testing.T) {
	for _, world := range []struct {
		folder string
		x, z   int
	}{{"fabric-b", 208, 240}, {"stages-26.1.2", 0, -16}} {
		d := openDimension(t, "overworld", seedOf(t, world.folder), versionOf(world.folder))
		x, z := climate.FindSpawn(d.spawn, d.chunk)
		t.Logf("%s: %d %d", world.folder, x, z)
		if x&^15 != world.x || z&^15 != world.z {
			t.Errorf("%s: %d %d, in chunk %d %d, want %d %d", world.folder, x, z, x>>4, z>>4, world.x>>4, world.z>>4)
		}
	}
}

func BenchmarkFindSpawn(b *testing.B) {
	d := openDimension(b, "overworld", 1, version262)
	report := onThread(b)
	for b.Loop() {
		climate.FindSpawn(d.spawn, d.chunk)
	}
	report(1, "search")
}
