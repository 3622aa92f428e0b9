package density

import (
	"runtime"
	"testing"
)

// BenchmarkChunk gives CPU time of a chunk by part. Positions move on, as in
// generation.
func BenchmarkChunk(b *testing.B) {
	for _, id := range []string{"overworld", "nether", "end"} {
		_, _, p := loadSettings(b, id, 6854583389113976052)
		c := p.NewChunk()
		cells, layers := p.shape.Cells()
		qys := make([]int, p.shape.Height/4)
		for i := range qys {
			qys[i] = p.shape.MinY/4 + i
		}
		out := make([][6]float64, len(qys))
		for _, part := range []struct {
			name string
			f    func()
		}{
			{"corners", func() { c.Corners(c.firstY) }},
			{"exactTo96", func() { c.Corners(96) }},
			{"exact", func() { c.Corners(4096) }},
			{"densities", func() {
				c.Corners(96)
				for number := range cells * cells * layers {
					cy, cx, cz := number%layers, number/layers%cells, number/layers/cells
					if class := c.Class(cx, cy, cz); class == Mixed || class == Open && c.firstY+cy*8 < 96 {
						c.Density(cx, cy, cz)
					}
				}
			}},
			{"climate", func() {
				for q := range 16 {
					c.Climate(c.x/4+q&3, c.z/4+q>>2, qys, out)
				}
			}},
			{"surface", func() {
				for q := range 64 {
					c.PreliminarySurface(c.x-32+q&7*8, c.z-32+q>>3*8)
				}
			}},
		} {
			b.Run("settings="+id+"/part="+part.name, func(b *testing.B) {
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
				x, begin := int32(0), threadTime()
				for b.Loop() {
					c.Begin(x%64*3-70, x/64*3+170)
					part.f()
					x++
				}
				b.ReportMetric(float64((threadTime()-begin).Microseconds())/float64(x), "cpu-us/op")
			})
		}
	}
}
