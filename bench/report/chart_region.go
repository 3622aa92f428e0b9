package report

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"strata/bench"
	"strata/region"
)

const (
	mapRow   = 64 // sectors in a row of a map: 256 KiB
	sectorKi = 4

	mapLegend = 70 // points that the legend of a map needs below it
	mapFrame  = 75 // points of title and x axis
)

// everyStep are ticks at all multiples of a step up to the last, 0 for no last,
// with fewer labels if there are many.
type everyStep struct{ step, last float64 }

func (e everyStep) Ticks(least, most float64) (ticks []plot.Tick) {
	if e.last > 0 {
		most = min(most, e.last)
	}
	labelled := 1
	for (most-least)/e.step/float64(labelled) > 16 {
		labelled *= 2
	}
	for i := 0; float64(i)*e.step <= most; i++ {
		if v := float64(i) * e.step; v >= least {
			t := plot.Tick{Value: v}
			if i%labelled == 0 {
				t.Label = plainNumber(v)
			}
			ticks = append(ticks, t)
		}
	}
	return ticks
}

// sectorChart is the map of a region file as it is, or after compacting.
func sectorChart(m *bench.RegionMap, before bool) (*chart, error) {
	if m == nil {
		return nil, nil
	}
	name, title, sectors := "sectors-before", "now", m.Before
	if !before {
		name, title, sectors = "sectors-after", "compacted", m.After
	}
	c := newChart(name, fmt.Sprintf("%s %s: %d sectors, %d free", m.Name, title, sectors.Sectors, sectors.Free),
		"Each cell is a sector of 4 KiB, in the order of the file; chunks that follow each other differ in shade.",
		"offset within a row of 256 KiB, KiB", "offset of the row, MiB")
	rows := (max(m.Before.Sectors, m.After.Sectors) + mapRow - 1) / mapRow
	cells := min(8, max(2, 0.12*float64(rows)))
	c.height = vg.Length(cells)*vg.Inch + vg.Points(mapLegend+mapFrame)
	shades := sectorShades{sectors}
	c.plot.Add(shades)
	for _, entry := range []struct {
		name  string
		color color.Color
	}{{"header", headerColor}, {"chunk", darkBlue}, {"next chunk", lightBlue}, {"free", freeColor}} {
		c.plot.Legend.Add(entry.name, swatch{entry.color})
	}
	c.plot.X.Min, c.plot.X.Max = 0, mapRow*sectorKi
	c.plot.Y.Min, c.plot.Y.Max = 0, float64(rows)*mapRow*sectorKi/1024*(1+mapLegend/(72*cells))
	// The file begins at the top, and the legend has the strip below it.
	c.plot.Y.Scale = plot.InvertedScale{Normalizer: plot.LinearScale{}}
	c.plot.X.Tick.Marker = everyStep{step: 32}
	c.plot.Y.Tick.Marker = everyStep{step: 1, last: float64(rows) * mapRow * sectorKi / 1024}
	return c, nil
}

var (
	headerColor = color.RGBA{0x33, 0x33, 0x33, 0xff}
	freeColor   = color.RGBA{0xf2, 0xb8, 0x8a, 0xff}
)

// sectorShades draws the cells of a map.
type sectorShades struct{ bench.SectorMap }

var (
	_ plot.Plotter    = sectorShades{}
	_ plot.DataRanger = sectorShades{}
)

func (s sectorShades) DataRange() (xmin, xmax, ymin, ymax float64) {
	return 0, mapRow * sectorKi, 0, float64(s.Sectors) * sectorKi / 1024
}

func (s sectorShades) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	fill := func(first, count int, shade color.Color) {
		for end := first + count; first < end; {
			row, column := first/mapRow, first%mapRow
			n := min(end-first, mapRow-column)
			left, right := x(float64(column*sectorKi)), x(float64((column+n)*sectorKi))
			top, bottom := y(float64(row*mapRow*sectorKi)/1024), y(float64((row+1)*mapRow*sectorKi)/1024)
			c.FillPolygon(shade, []vg.Point{{X: left, Y: bottom}, {X: right, Y: bottom}, {X: right, Y: top}, {X: left, Y: top}})
			first += n
		}
	}
	fill(0, s.Sectors, freeColor)
	fill(0, min(s.Sectors, region.HeaderSectors), headerColor)
	for i, run := range s.Chunks {
		fill(run.First, run.Count, []color.Color{darkBlue, lightBlue}[i%2])
	}
}

// swatch is an entry of a legend.
type swatch struct{ color.Color }

var _ plot.Thumbnailer = swatch{}

func (s swatch) Thumbnail(c *draw.Canvas) {
	bar, err := plotter.NewBarChart(plotter.Values{1}, vg.Points(1))
	if err != nil {
		return // one value is always enough
	}
	bar.Color, bar.LineStyle.Width = s.Color, 0
	bar.Thumbnail(c)
}
