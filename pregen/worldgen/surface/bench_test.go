package surface

import (
	"fmt"
	"testing"

	"strata/pregen/worldgen/oracletest"
	"strata/pregen/worldgen/proto"
)

// BenchmarkBuild is the surface of a chunk, without its biomes and the
// preliminary surface, which are computed before.
func BenchmarkBuild(b *testing.B) {
	for _, d := range oracletest.Dumps(b, "noise") {
		w := newWorld(b, d.Dimension, d.Seed)
		view, from := w.view(d.X, d.Z), w.load(d)
		c := w.load(d)
		heights := *c
		b.Run(fmt.Sprintf("%s/seed=%d/at=%d,%d", d.Dimension, d.Seed, d.X, d.Z), func(b *testing.B) {
			for b.Loop() {
				copy(c.Blocks, from.Blocks)
				*c = heights
				w.builder.Build(c, view, w.density)
			}
		})
	}
}

// BenchmarkCopy is the part of BenchmarkBuild that is not the surface.
func BenchmarkCopy(b *testing.B) {
	from, c := proto.New(-64, 384), proto.New(-64, 384)
	for b.Loop() {
		copy(c.Blocks, from.Blocks)
	}
}

func BenchmarkNew(b *testing.B) {
	w := newWorld(b, "overworld", 1)
	for b.Loop() {
		if _, err := New(w.system.settings); err != nil {
			b.Fatal(err)
		}
	}
}
