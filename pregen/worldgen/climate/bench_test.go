package climate_test

import (
	"math/rand/v2"
	"testing"

	"strata/pregen/worldgen/climate"
)

// walk gives points as along columns of the world: 96 depths each, with the
// other parameters moving a little from column to column, or by leaps.
func walk(n, stride int) []climate.Point {
	random := rand.New(rand.NewPCG(1, 1))
	points := make([]climate.Point, 0, n*96)
	var p climate.Point
	for len(points) < n*96 {
		for i := range p {
			p[i] += int64(random.IntN(2*stride+1) - stride)
			if p[i] > 10000 || p[i] < -10000 {
				p[i] = int64(random.IntN(2000) - 1000)
			}
		}
		p[climate.Depth] = 15000
		for range 96 {
			points = append(points, p)
			p[climate.Depth] -= 312
		}
	}
	return points
}

func BenchmarkFind(b *testing.B) {
	table := tableOf(b, version262, "overworld")
	for _, kind := range []struct {
		name         string
		stride, skip int
	}{
		{"order=columns", 40, 1},     // next cell of a column
		{"order=neighbours", 40, 96}, // next column
		{"order=random", 10000, 96},
	} {
		points := walk(2000, kind.stride)
		b.Run(kind.name, func(b *testing.B) {
			finder := table.Finder()
			i, sum := 0, 0
			for b.Loop() {
				sum += finder.Find(points[i]).Row
				if i += kind.skip; i >= len(points) {
					i = 0
				}
			}
			if sum == 0 {
				b.Error("only row 0")
			}
		})
	}
}

func BenchmarkNewTable(b *testing.B) {
	rows := rowsOf(b, version262, "overworld")
	for b.Loop() {
		if _, err := climate.NewTable(rows); err != nil {
			b.Fatal(err)
		}
	}
}
