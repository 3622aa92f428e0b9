package surface

import (
	"fmt"
	"testing"

	"strata/anvil/block"
	"strata/pregen/worldgen/oracletest"
	"strata/pregen/worldgen/proto"
)

// bareDumps returns the dumps of the noise stage by place.
func bareDumps(t testing.TB) map[string]*oracletest.Dump {
	bare := make(map[string]*oracletest.Dump)
	for _, d := range oracletest.Dumps(t, "noise") {
		bare[placeOf(d)] = d
	}
	return bare
}

func placeOf(d *oracletest.Dump) string { return fmt.Sprint(d.Dimension, d.Seed, d.X, d.Z) }

// compare fails for each pair of states in which a chunk differs from a dump.
func compare(t *testing.T, name string, c *proto.Chunk, want *oracletest.Dump) {
	t.Helper()
	type pair struct{ want, got block.State }
	wrong := make(map[pair]int)
	for y := want.MinY; y < want.MinY+want.Height; y++ {
		for z := range 16 {
			for x := range 16 {
				p := pair{want.Block(x, y, z), c.Block(x, y, z)}
				if p.want == p.got {
					continue
				}
				if wrong[p]++; wrong[p] == 1 {
					t.Logf("%s: %v at %d %d %d", name, p.got, x, y, z)
				}
			}
		}
	}
	for p, n := range wrong {
		t.Errorf("%s: %d times %v where the game has %v", name, n, p.got, p.want)
	}
}

func TestSurfaceOfTheGamesChunksIsEqual(t *testing.T) {
	bare := bareDumps(t)
	for _, want := range oracletest.Dumps(t, "surface") {
		t.Run(want.Name, func(t *testing.T) {
			from := bare[placeOf(want)]
			if from == nil {
				t.Fatal("there is no dump of the noise stage")
			}
			w := newWorld(t, want.Dimension, want.Seed)
			view := w.view(want.X, want.Z)
			var biomes Biomes = view
			if w.source.Table() != nil {
				asked := w.live()
				c := w.load(from)
				newReference(w.system).build(c, asked, w.density)
				compare(t, "block by block", c, want)
				biomes = recorded{view, asked.asked}
			}
			c := w.load(from)
			w.builder.Build(c, biomes, w.density)
			compare(t, "compiled", c, want)
		})
	}
}
