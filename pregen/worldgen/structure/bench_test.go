package structure_test

import (
	"testing"

	"strata/pregen/worldgen/structure/structuretest"
	"strata/pregen/worldgen/structure/template"
	"strata/pregen/worldgen/terrain"
)

// BenchmarkStarts finds the structures that reach into each chunk of an area,
// with what they do to the ground.
func BenchmarkStarts(b *testing.B) {
	const side = 64
	for _, dimension := range []string{"overworld", "the_nether", "the_end"} {
		b.Run(dimension, func(b *testing.B) {
			_, starts := structuretest.Load(b, 7, 4903, dimension, template.Builtin(), factories())
			var beard terrain.Beard
			n := int32(0)
			for b.Loop() {
				starts.Beard(&beard, n%side+n/(side*side)*side, n/side%side)
				n++
			}
		})
	}
}
