package report

import (
	"image/color"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// bar is a figure with the range of its passes. A chart has them one below the
// other.
type bar struct {
	label            string
	value, low, high float64 // low and high are value where there is no range
	color            color.Color
	note             string // written behind it
}

const (
	barPitch = 24 // points from bar to bar
	barWidth = 14
	barFrame = 95 // points of title and x axis
	// What a character takes at most, in points: a browser may have another
	// font than the one that the chart is laid out with.
	barLetter = 6
)

// barChart is nil if there is no bar. Values are in the unit that x names.
func barChart(name, title, caption, x string, bars []bar) (*chart, error) {
	if len(bars) == 0 {
		return nil, nil
	}
	c := newChart(name, title, caption, x, "")
	c.height = vg.Points(barFrame + barPitch*float64(len(bars)))
	// The first is on top.
	labels := make([]string, len(bars))
	longest := 0
	for i, b := range bars {
		labels[len(bars)-1-i] = padded(b.label)
		longest = max(longest, len(b.label))
	}
	// The axis is long enough for the notes.
	most, width := 0.0, float64(c.width)-barLetter*float64(longest)-40
	for _, b := range bars {
		note := min(0.6*width, barLetter*float64(len([]rune(b.note))+2))
		most = max(most, max(b.high, b.value)*width/(width-note))
	}
	c.plot.Add(barRows(bars))
	c.plot.NominalY(labels...)
	c.plot.X.Min, c.plot.X.Max = 0, most
	c.plot.Y.Min, c.plot.Y.Max = -0.6, float64(len(bars))-0.4
	c.plot.X.Tick.Marker = plainTicks{}
	return c, nil
}

// padded leaves room behind a label, which ends at the axis: in a browser's font
// it may be longer than was thought.
func padded(label string) string {
	return label + strings.Repeat("\u00a0", 2+len(label)/5)
}

// barRows draws bars.
type barRows []bar

var (
	_ plot.Plotter    = barRows{}
	_ plot.DataRanger = barRows{}
)

func (b barRows) DataRange() (xmin, xmax, ymin, ymax float64) {
	for _, one := range b {
		xmax = max(xmax, one.high, one.value)
	}
	return 0, xmax, 0, float64(len(b) - 1)
}

func (b barRows) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	text := p.X.Tick.Label
	text.XAlign, text.YAlign = draw.XLeft, draw.YCenter
	whisker := draw.LineStyle{Color: color.Black, Width: vg.Points(1)}
	for i, one := range b {
		middle := y(float64(len(b) - 1 - i))
		fillRow(c, one.color, x(0), x(one.value), middle)
		if one.high > one.low {
			c.StrokeLine2(whisker, x(one.low), middle, x(one.high), middle)
			for _, end := range []float64{one.low, one.high} {
				c.StrokeLine2(whisker, x(end), middle-vg.Points(3), x(end), middle+vg.Points(3))
			}
		}
		c.FillText(text, vg.Point{X: x(max(one.value, one.high)) + vg.Points(6), Y: middle}, one.note)
	}
}

func fillRow(c draw.Canvas, shade color.Color, left, right, middle vg.Length) {
	low, high := middle-vg.Points(barWidth/2), middle+vg.Points(barWidth/2)
	c.FillPolygon(shade, []vg.Point{{X: left, Y: low}, {X: right, Y: low}, {X: right, Y: high}, {X: left, Y: high}})
}

// plainTicks are the usual ones without exponents.
type plainTicks struct{}

func (plainTicks) Ticks(least, most float64) []plot.Tick {
	ticks := plot.DefaultTicks{}.Ticks(least, most)
	for i := range ticks {
		if ticks[i].Label != "" {
			ticks[i].Label = plainNumber(ticks[i].Value)
		}
	}
	return ticks
}

// part is a piece of a stacked bar.
type part struct {
	name  string
	value float64
}

// stack is a bar of parts.
type stack struct {
	label string
	parts []part
	note  string
}

// stackChart is nil if there is no bar. Parts of one name have one color.
func stackChart(name, title, caption, x string, stacks []stack) (*chart, error) {
	if len(stacks) == 0 {
		return nil, nil
	}
	c := newChart(name, title, caption, x, "")
	var names []string
	shades := map[string]color.Color{}
	labels, most := make([]string, len(stacks)), 0.0
	for i, s := range stacks {
		sum := 0.0
		for _, p := range s.parts {
			sum += p.value
			if shades[p.name] == nil {
				shades[p.name] = stackColors[len(names)%len(stackColors)]
				names = append(names, p.name)
			}
		}
		labels[len(stacks)-1-i], most = padded(s.label), max(most, sum)
	}
	// The legend has the strip to the right of the bars.
	c.height = vg.Points(barFrame + max(barPitch*float64(len(stacks)), 17*float64(len(names))))
	c.plot.Add(stackRows{stacks, shades})
	for _, name := range names {
		c.plot.Legend.Add(name, swatch{shades[name]})
	}
	c.plot.Legend.Top = true
	c.plot.NominalY(labels...)
	c.plot.X.Min, c.plot.X.Max = 0, most*2.1
	c.plot.Y.Min, c.plot.Y.Max = -0.6, float64(len(stacks))-0.4
	c.plot.X.Tick.Marker = plainTicks{}
	return c, nil
}

// stackColors can be told apart by people who see no difference of red and
// green, neighbours at least.
var stackColors = []color.Color{
	color.RGBA{0x00, 0x72, 0xb2, 0xff}, color.RGBA{0xe6, 0x9f, 0x00, 0xff}, color.RGBA{0x56, 0xb4, 0xe9, 0xff},
	color.RGBA{0x00, 0x9e, 0x73, 0xff}, color.RGBA{0xf0, 0xe4, 0x42, 0xff}, color.RGBA{0xcc, 0x4c, 0x7a, 0xff},
	color.RGBA{0x77, 0x77, 0x77, 0xff}, color.RGBA{0xd5, 0x5e, 0x00, 0xff}, color.RGBA{0xa9, 0xd1, 0xea, 0xff},
	color.RGBA{0x33, 0x33, 0x33, 0xff},
}

// stackRows draws stacked bars.
type stackRows struct {
	stacks []stack
	shades map[string]color.Color
}

func (s stackRows) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	text := p.X.Tick.Label
	text.XAlign, text.YAlign = draw.XLeft, draw.YCenter
	for i, one := range s.stacks {
		middle, at := y(float64(len(s.stacks)-1-i)), 0.0
		for _, part := range one.parts {
			fillRow(c, s.shades[part.name], x(at), x(at+part.value), middle)
			at += part.value
		}
		c.FillText(text, vg.Point{X: x(at) + vg.Points(6), Y: middle}, one.note)
	}
}

// curve is a line of a chart.
type curve struct {
	name   string
	color  color.Color
	points plotter.XYs
	dashed bool
}

// curveChart is nil if there is no line. Its y axis begins at 0 and leaves room
// for the legend above the lines.
func curveChart(name, title, caption, x, y string, curves []curve) (*chart, error) {
	c := newChart(name, title, caption, x, y)
	c.plot.Add(plotter.NewGrid())
	drawn, top, right := 0, 0.0, 0.0
	for _, one := range curves {
		if len(one.points) == 0 {
			continue
		}
		line, err := plotter.NewLine(one.points)
		if err != nil {
			return nil, err
		}
		line.LineStyle = draw.LineStyle{Color: one.color, Width: vg.Points(1.8)}
		if one.dashed {
			line.LineStyle.Dashes = []vg.Length{vg.Points(4), vg.Points(3)}
		}
		c.plot.Add(line)
		c.plot.Legend.Add(one.name, line)
		drawn++
		_, xmax, _, ymax := plotter.XYRange(one.points)
		top, right = max(top, ymax), max(right, xmax)
	}
	if drawn == 0 || right == 0 {
		return nil, nil
	}
	c.plot.Legend.Top = true
	c.plot.X.Min, c.plot.X.Max = 0, right
	c.plot.Y.Min, c.plot.Y.Max = 0, top*(1.1+0.08*float64(drawn))
	c.plot.X.Tick.Marker, c.plot.Y.Tick.Marker = plainTicks{}, plainTicks{}
	return c, nil
}

// scale is a unit for figures up to most nanoseconds.
func scale(most float64) (unit string, per float64) {
	for _, u := range []struct {
		name string
		per  float64
	}{{"s", 1e9}, {"ms", 1e6}, {"µs", 1e3}} {
		if most >= 2*u.per {
			return u.name, u.per
		}
	}
	return "ns", 1
}

// short has three digits or so.
func short(v float64) string {
	switch {
	case v >= 1000:
		return whole(v)
	case v >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case v == 0:
		return "0"
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}
