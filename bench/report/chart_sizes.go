package report

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"strata/bench"
)

// sizeBars are payload and sectors of our levels, of level 6 of the others, and
// of what is stored now.
func sizeBars(r *bench.CompressionReport, kind bench.CompressionKind) (*chart, error) {
	var names []string
	var payload, sectors plotter.Values
	add := func(name string, p, s float64) {
		names, payload, sectors = append(names, name), append(payload, p/1024), append(sectors, s/1024)
	}
	if kind.StoredSectorBytes > 0 {
		add("now", kind.StoredPayloadBytes, kind.StoredSectorBytes)
	}
	for _, row := range r.Of(kind.Kind) {
		switch {
		case row.Name == "strata" && row.Scheme == "zlib":
			add(string(row.Level), row.PayloadBytes, row.SectorBytes)
		case row.Name == "strata":
			add(row.Scheme+" "+string(row.Level), row.PayloadBytes, row.SectorBytes)
		case row.Level == "6":
			add(row.Name+" 6", row.PayloadBytes, row.SectorBytes)
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	c := newChart("sizes", "Payload and sectors a chunk ("+kind.Kind+" chunks)",
		"A region file stores whole sectors of 4 KiB: what the sectors have above the payload is padding.",
		"stored now, our levels, and level 6 of others", "KiB a chunk (mean)")
	if len(names) > 10 {
		c.width = 10.5 * vg.Inch // the names of the bars have to stand beside each other
		label := &c.plot.X.Tick.Label
		label.Rotation, label.XAlign, label.YAlign = math.Pi/5, text.XRight, text.YTop
	}
	width := vg.Points(min(16, 300/float64(len(names))))
	for _, bars := range []struct {
		name   string
		values plotter.Values
		color  color.Color
		offset vg.Length
	}{{"payload", payload, darkBlue, -width / 2}, {"sectors", sectors, lightBlue, width / 2}} {
		b, err := plotter.NewBarChart(bars.values, width)
		if err != nil {
			return nil, err
		}
		b.Color, b.Offset, b.LineStyle.Width = bars.color, bars.offset, 0
		c.plot.Add(b)
		c.plot.Legend.Add(bars.name, b)
	}
	c.plot.NominalX(names...)
	c.plot.X.Min, c.plot.X.Max = -0.6, float64(len(names))-0.4
	c.plot.Legend.Top = true
	c.plot.Y.Tick.Marker = everyStep{step: 2}
	c.plot.Y.Min, c.plot.Y.Max = 0, slices.Max(sectors)*1.22 // room for the legend
	return c, nil
}

const (
	histogramBin = 512 // bytes
	// Sizes beyond this rank are counted in the last bin, so that a single
	// huge chunk does not squeeze the others into a corner.
	histogramRank = 0.995
)

// sizeHistogram shows how many chunks have which size, now and with ours, and
// where sectors end.
func sizeHistogram(r *bench.CompressionReport, kind bench.CompressionKind) (*chart, error) {
	var ours *bench.CompressionRow
	for _, row := range r.Of(kind.Kind) {
		if row.Name == "strata" && row.Scheme == "zlib" && (ours == nil || row.Level == "sector") {
			ours = row
		}
	}
	if ours == nil || len(ours.Sizes) == 0 {
		return nil, nil
	}
	c := newChart("histogram", "Sizes of chunks ("+kind.Kind+")",
		"A dashed line is where a further sector of 4 KiB begins: a chunk just to the right of one wastes most of its last sector. The last column holds all that is larger.",
		"payload of a chunk, KiB", "chunks")
	all := slices.Sorted(slices.Values(slices.Concat(ours.Sizes, kind.StoredSizes)))
	bins := all[int(float64(len(all)-1)*histogramRank)]/histogramBin + 2
	top := 0.0
	addSizes := func(name string, sizes []int, fill, line color.Color) {
		h := &plotter.Histogram{FillColor: fill, Width: histogramBin / 1024.0}
		h.LineStyle = draw.LineStyle{Color: line, Width: vg.Points(1.2)}
		for i := range bins {
			h.Bins = append(h.Bins, plotter.HistogramBin{Min: float64(i) / 2, Max: float64(i+1) / 2})
		}
		for _, size := range sizes {
			h.Bins[min(size/histogramBin, bins-1)].Weight++
		}
		for _, b := range h.Bins {
			top = max(top, b.Weight)
		}
		c.plot.Add(h)
		c.plot.Legend.Add(name, h)
	}
	if len(kind.StoredSizes) > 0 {
		addSizes("stored now", kind.StoredSizes, storedGray, storedGray)
	}
	addSizes("strata "+string(ours.Level), ours.Sizes, nil, darkBlue)
	end := float64(bins) * histogramBin / 1024
	c.plot.X.Min, c.plot.X.Max, c.plot.Y.Min, c.plot.Y.Max = 0, end, 0, top*1.15
	c.plot.X.Tick.Marker = everyStep{step: 4}
	c.plot.Legend.Top = true
	return c, c.addSectorLines(end, top*1.15)
}

func (c *chart) addSectorLines(end, top float64) error {
	for at := 4.0; at < end; at += 4 {
		line, err := plotter.NewLine(plotter.XYs{{X: at, Y: 0}, {X: at, Y: top}})
		if err != nil {
			return err
		}
		line.LineStyle = draw.LineStyle{Color: textGray, Width: vg.Points(0.7), Dashes: []vg.Length{vg.Points(3), vg.Points(3)}}
		c.plot.Add(line)
		if at == 4 {
			c.plot.Legend.Add("end of a sector", line)
		}
	}
	c.plot.X.Max = math.Max(end, 4)
	return nil
}
