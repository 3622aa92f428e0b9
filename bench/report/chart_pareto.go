package report

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"strata/bench"
)

// levelPoint is a codec at a level: its time in microseconds and its size in KiB.
type levelPoint struct {
	name, level string
	at          plotter.XY
}

func compressionPareto(r *bench.CompressionReport, kind bench.CompressionKind) (*chart, error) {
	var all []levelPoint
	for _, row := range r.Of(kind.Kind) {
		if row.Samples == 0 || row.CompressNS <= 0 {
			continue
		}
		all = append(all, levelPoint{rowName(row), string(row.Level), plotter.XY{X: float64(row.CompressNS) / 1e3, Y: row.SectorBytes / 1024}})
	}
	return paretoChart(all, kind.Kind)
}

// paretoChart is size against time: a point for each level, and a line through
// those that no other beats in both.
func paretoChart(all []levelPoint, kind string) (*chart, error) {
	c := newChart("size-time", "Size against time of every level ("+kind+" chunks)",
		"To the left is faster, down is smaller. The line joins the levels that no other beats in both.",
		"time to compress a chunk, µs of CPU (logarithmic)", "region file sectors a chunk, KiB (mean)")
	byName := make(map[string]plotter.XYs)
	var names []string
	var front plotter.XYs
	labels := plotter.XYLabels{}
	for _, p := range all {
		if byName[p.name] == nil {
			names = append(names, p.name)
		}
		byName[p.name] = append(byName[p.name], p.at)
		labels.XYs, labels.Labels = append(labels.XYs, p.at), append(labels.Labels, p.level)
		if !slices.ContainsFunc(all, func(o levelPoint) bool {
			return o.at.X <= p.at.X && o.at.Y <= p.at.Y && o.at != p.at
		}) {
			front = append(front, p.at)
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	c.plot.Add(plotter.NewGrid())
	if len(front) > 1 {
		slices.SortFunc(front, func(a, b plotter.XY) int { return cmp.Compare(a.X, b.X) })
		line, err := plotter.NewLine(front)
		if err != nil {
			return nil, err
		}
		line.LineStyle = draw.LineStyle{Color: textGray, Width: vg.Points(1), Dashes: []vg.Length{vg.Points(4), vg.Points(3)}}
		c.plot.Add(line)
		c.plot.Legend.Add("not beaten in both", line)
	}
	for i, name := range names {
		points, err := plotter.NewScatter(byName[name])
		if err != nil {
			return nil, err
		}
		points.GlyphStyle = glyphOf(name, i)
		c.plot.Add(points)
		c.plot.Legend.Add(name, points)
	}
	c.plot.Legend.Top = true
	c.spread(labels.XYs)
	return c, c.addLabels(labels)
}

func glyphOf(name string, i int) draw.GlyphStyle {
	shapes := []draw.GlyphDrawer{draw.CircleGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.PyramidGlyph{}, draw.BoxGlyph{}}
	style := draw.GlyphStyle{Color: codecColors[name], Radius: vg.Points(3.5), Shape: shapes[i%len(shapes)]}
	if _, known := codecColors[name]; !known {
		style.Color = textGray
	}
	return style
}

// spread leaves room around points on a logarithmic x axis.
func (c *chart) spread(points plotter.XYs) {
	p := c.plot
	left, right, low, high := plotter.XYRange(points)
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, decades{}
	p.X.Min, p.X.Max = left/1.25, right*1.4
	room := max((high-low)*0.08, 0.05)
	p.Y.Min, p.Y.Max = low-room, high+room
}

// addLabels writes the level beside each point, once where several codecs are
// at the same place with it.
func (c *chart) addLabels(all plotter.XYLabels) error {
	var l plotter.XYLabels
	height := c.plot.Y.Max - c.plot.Y.Min
	for i, at := range all.XYs {
		near := false
		for j, other := range l.XYs {
			near = near || l.Labels[j] == all.Labels[i] && math.Abs(math.Log(at.X/other.X)) < 0.08 && math.Abs(at.Y-other.Y) < height/50
		}
		if !near {
			l.XYs, l.Labels = append(l.XYs, at), append(l.Labels, all.Labels[i])
		}
	}
	labels, err := plotter.NewLabels(l)
	if err != nil {
		return err
	}
	for i := range labels.TextStyle {
		labels.TextStyle[i].Font = c.plot.X.Tick.Label.Font
		labels.TextStyle[i].Font.Size = vg.Points(9)
		labels.TextStyle[i].Color = textGray
	}
	labels.Offset = vg.Point{X: vg.Points(4), Y: vg.Points(2)}
	c.plot.Add(labels)
	return nil
}
