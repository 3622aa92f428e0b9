package terrain

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"strata/pregen/worldgen/density"
)

// recorded is the values of chunks, taken before, so that a benchmark shows
// what terrain itself costs.
type recorded struct {
	*Values
	cells, layers int
	classes       []density.Class
	densities     [][]float64
	toggles       [][]float64
	ranges        [][2]float64
}

func record(v *Values, x, z int32) *recorded {
	v.Begin(x, z)
	v.Corners(-1 << 31)
	r := &recorded{Values: v}
	r.cells, r.layers = v.Program().Shape().Cells()
	for cellX := range r.cells {
		for cellZ := range r.cells {
			for cellY := range r.layers {
				r.classes = append(r.classes, v.Class(cellX, cellY, cellZ))
				r.densities = append(r.densities, append([]float64(nil), v.Density(cellX, cellY, cellZ)...))
				low, high := v.VeinToggleRange(cellX, cellY, cellZ)
				r.ranges = append(r.ranges, [2]float64{low, high})
				r.toggles = append(r.toggles, append([]float64(nil), v.VeinToggle(cellX, cellY, cellZ)...))
			}
		}
	}
	return r
}

func (r *recorded) Corners(int)                      {}
func (r *recorded) index(x, y, z int) int            { return (x*r.cells+z)*r.layers + y }
func (r *recorded) Class(x, y, z int) density.Class  { return r.classes[r.index(x, y, z)] }
func (r *recorded) Density(x, y, z int) []float64    { return r.densities[r.index(x, y, z)] }
func (r *recorded) VeinToggle(x, y, z int) []float64 { return r.toggles[r.index(x, y, z)] }

func (r *recorded) VeinToggleRange(x, y, z int) (low, high float64) {
	v := r.ranges[r.index(x, y, z)]
	return v[0], v[1]
}

// threadTime is the CPU time of the thread, in nanoseconds.
func threadTime(b *testing.B) int64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		b.Fatal(err)
	}
	return t.Nano()
}

// BenchmarkNearPieces reports what a chunk costs that 40 pieces and as many
// junctions of structures are near to.
func BenchmarkNearPieces(b *testing.B) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	d := newDimension(b, "overworld", 1234, -64, 384)
	random := rand.New(rand.NewPCG(1, 2))
	beard := new(Beard)
	beard.Begin(100, -50)
	for len(beard.pieces) < 40 {
		p := randomPiece(random)
		p.Box.MinX, p.Box.MaxX = p.Box.MinX+1600, p.Box.MaxX+1600
		p.Box.MinZ, p.Box.MaxZ = p.Box.MinZ-800, p.Box.MaxZ-800
		beard.Add(p)
		beard.Join(Junction{1600 + int32(random.IntN(16)), p.Box.MinY + 1, -800 + int32(random.IntN(16))})
	}
	start, n := threadTime(b), 0
	for b.Loop() {
		d.make(100, -50, beard)
		n++
	}
	b.ReportMetric(float64(threadTime(b)-start)/float64(n)/1000, "cpu-µs/chunk")
}

// BenchmarkFill reports what the fill of a chunk costs: whole, where each chunk
// asks its functions anew, and apart from the densities of cells.
func BenchmarkFill(b *testing.B) {
	const side = 6
	for name, s := range noiseSettings {
		d := newDimension(b, s.id, 1234, s.minY, s.height)
		b.Run(name+"/whole", func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			start, n := threadTime(b), int32(0)
			for b.Loop() {
				d.make(100+n%side, -50+n/side%side, nil)
				n++
			}
			b.ReportMetric(float64(threadTime(b)-start)/float64(n)/1000, "cpu-µs/chunk")
		})
		b.Run(name+"/apart", func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			var chunks []*recorded
			for i := range int32(side * side) {
				chunks = append(chunks, record(d.values, 100+i%side, -50+i/side))
			}
			total, n := int64(0), 0
			for b.Loop() {
				i := n % len(chunks)
				x, z := 100+int32(i%side), -50+int32(i/side)
				d.values.Begin(x, z)
				d.chunk.Reset(x, z)
				start := threadTime(b)
				d.filler.Fill(d.chunk, chunks[i], nil)
				total += threadTime(b) - start
				n++
			}
			b.ReportMetric(float64(total)/float64(n)/1000, "cpu-µs/chunk")
		})
	}
}
