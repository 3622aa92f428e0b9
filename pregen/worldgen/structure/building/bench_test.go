package building

import (
	"testing"

	"strata/pregen/worldgen/structure"
)

// BenchmarkPlace builds whole structures; the figure beside is that of a chunk.
func BenchmarkPlace(b *testing.B) {
	library := templates(b)
	for _, c := range []struct {
		name    string
		layout  structure.Layout
		ground  int
		flooded bool
	}{
		{"monument", &monumentLayout{around: map[string]bool{"minecraft:plains": true}}, 45, true},
		{"mansion", mansionLayout{}, 70, false}, {"end_city", endCityLayout{}, 70, false},
		{"pyramid", made(b, newDesertPyramid), 70, false}, {"portal", portalsOf(portalSetup{}), 70, false},
	} {
		b.Run(c.name, func(b *testing.B) {
			chunks := 0
			for b.Loop() {
				b.StopTimer()
				s := newSite(library, c.ground, c.flooded)
				start := newStart(b, c.layout, 1)
				list := chunksOf(start.PiecesBox(), rank)
				for _, at := range list {
					for i := range int32(9) {
						s.at(at[0]+i%3-1, at[1]+i/3-1)
					}
				}
				b.StartTimer()
				for _, at := range list {
					s.place(start, 1, at[0], at[1])
				}
				chunks += len(list)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(chunks), "us/chunk")
		})
	}
}

// BenchmarkFind lays structures out.
func BenchmarkFind(b *testing.B) {
	l := newFlatLayouter()
	for name, layout := range map[string]structure.Layout{"mansion": mansionLayout{}, "end_city": endCityLayout{}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				layOut(b, l, layout, 1, 0, 0)
			}
		})
	}
}
