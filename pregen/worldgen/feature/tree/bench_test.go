package tree_test

import (
	"testing"

	"strata/pregen/worldgen/feature/featuretest"
	"strata/pregen/worldgen/feature/tree"
)

// BenchmarkForest decorates the nine chunks in and around one of a forest, with
// trees and without: the difference is what trees cost, and what others cost on
// them.
func BenchmarkForest(b *testing.B) {
	for _, with := range []struct {
		name  string
		trees bool
	}{{"trees=no", false}, {"trees=yes", true}} {
		b.Run(with.name, func(b *testing.B) {
			all := factories()
			if !with.trees {
				for id := range tree.Factories() {
					delete(all, id)
				}
			}
			w := featuretest.NewWorld(b, 6854583389113976052, "overworld", all)
			w.DecoratedAs(213, -200, list(213, -200, 0))
			b.ReportAllocs()
			for b.Loop() {
				w.DecoratedAs(213, -200, list(213, -200, 0))
			}
		})
	}
}
