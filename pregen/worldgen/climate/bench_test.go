package climate_test

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"strata/pregen/worldgen/climate"
	"strata/pregen/worldgen/proto"
)

// onThread starts to count the CPU time of a benchmark's thread, which other
// programs on the machine hardly change. What it returns reports the time for
// each of what one iteration does.
func onThread(b *testing.B) (report func(each int, unit string)) {
	runtime.LockOSThread()
	begin := threadTime()
	return func(each int, unit string) {
		b.ReportMetric(float64(threadTime()-begin)/float64(b.N*each), "cpu-ns/"+unit)
		runtime.UnlockOSThread()
	}
}

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
			report := onThread(b)
			for b.Loop() {
				sum += finder.Find(points[i]).Row
				if i += kind.skip; i >= len(points) {
					i = 0
				}
			}
			report(1, "cell")
			if sum == 0 {
				b.Error("only row 0")
			}
		})
	}
}

func BenchmarkNewTable(b *testing.B) {
	rows := rowsOf(b, version262, "overworld")
	report := onThread(b)
	for b.Loop() {
		if _, err := climate.NewTable(rows); err != nil {
			b.Fatal(err)
		}
	}
	report(1, "table")
}

// BenchmarkFill fills chunks along a line, with the climate of density
// functions.
func BenchmarkFill(b *testing.B) {
	for dimension, height := range map[string]int{"overworld": 384, "the_nether": 256, "the_end": 256} {
		b.Run("dimension="+dimension, func(b *testing.B) { benchmarkFill(b, dimension, height) })
	}
}

func benchmarkFill(b *testing.B, dimension string, height int) {
	d := openDimension(b, dimension, 1, version262)
	reader := d.source.Reader(d.chunk)
	c := proto.New(-64, height)
	x := int32(0)
	report := onThread(b)
	for b.Loop() {
		c.Reset(x, 7)
		d.chunk.Begin(x, 7)
		reader.Fill(c)
		x++
	}
	report(1, "chunk")
}

// BenchmarkFillOnly fills chunks from climates that are ready.
func BenchmarkFillOnly(b *testing.B) {
	d := openDimension(b, "overworld", 1, version262)
	ready := &readyClimate{}
	for x := range 64 {
		for z := range 4 {
			column := make([][climate.Parameters]float64, 96)
			qys := make([]int, 96)
			for i := range qys {
				qys[i] = i - 16
			}
			d.chunk.Climate(x*4, z*4, qys, column)
			ready.columns = append(ready.columns, column)
		}
	}
	reader := d.source.Reader(ready)
	c := proto.New(-64, 384)
	report := onThread(b)
	for b.Loop() {
		reader.Fill(c)
	}
	report(1, "chunk")
}

// readyClimate gives columns over and over.
type readyClimate struct {
	columns [][][climate.Parameters]float64
	next    int
}

func (r *readyClimate) Climate(_, _ int, _ []int, out [][climate.Parameters]float64) {
	copy(out, r.columns[r.next%len(r.columns)])
	r.next++
}
