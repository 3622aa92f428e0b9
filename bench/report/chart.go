package report

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// chart is a plot with its name, which is that of its file, and a caption.
type chart struct {
	name, caption string
	plot          *plot.Plot
	width, height vg.Length
}

const pngDPI = 144

// newChart returns an empty chart with labelled axes.
func newChart(name, title, caption, x, y string) *chart {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Title.Padding = vg.Points(8)
	p.X.Padding, p.Y.Padding = 0, 0
	sans := font.Font{Typeface: "Liberation", Variant: "Sans"}
	for _, style := range []struct {
		font *font.Font
		size vg.Length
	}{
		{&p.Title.TextStyle.Font, 13}, {&p.X.Label.TextStyle.Font, 11}, {&p.Y.Label.TextStyle.Font, 11},
		{&p.X.Tick.Label.Font, 10}, {&p.Y.Tick.Label.Font, 10}, {&p.Legend.TextStyle.Font, 10},
	} {
		*style.font = sans
		style.font.Size = style.size
	}
	p.Legend.Padding = vg.Points(2)
	return &chart{name: name, caption: caption, plot: p, width: 8.4 * vg.Inch, height: 4.6 * vg.Inch}
}

// svg is the chart as an element of a page.
func (c *chart) svg() ([]byte, error) {
	canvas := vgsvg.New(c.width, c.height)
	c.draw(draw.New(canvas))
	var buf bytes.Buffer
	if _, err := canvas.WriteTo(&buf); err != nil {
		return nil, fmt.Errorf("draw %s: %w", c.name, err)
	}
	// A page wants the element without the head of a file.
	at := bytes.Index(buf.Bytes(), []byte("<svg"))
	if at < 0 {
		return nil, fmt.Errorf("draw %s: no picture", c.name)
	}
	return buf.Bytes()[at:], nil
}

func (c *chart) png() ([]byte, error) {
	canvas := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(c.width, c.height), vgimg.UseDPI(pngDPI))}
	c.draw(draw.New(canvas))
	var buf bytes.Buffer
	if _, err := canvas.WriteTo(&buf); err != nil {
		return nil, fmt.Errorf("draw %s: %w", c.name, err)
	}
	return buf.Bytes(), nil
}

// legendWidth is what entries of a legend need at most, with the y axis.
const legendWidth = 200

// draw leaves a margin, since labels at the ends of axes stick out. The legend
// stands at the right with its texts behind their marks: where a browser has
// another font, a text may be longer than was thought.
func (c *chart) draw(canvas draw.Canvas) {
	c.plot.Legend.Left, c.plot.Legend.XOffs = true, c.width-vg.Points(legendWidth)
	canvas.SetColor(color.White)
	canvas.Fill(canvas.Rectangle.Path())
	c.plot.Draw(draw.Crop(canvas, vg.Points(6), -vg.Points(22), vg.Points(6), -vg.Points(6)))
}

// The colors of codecs, and of what else has one; they can be told apart by
// people who see no difference of red and green.
var (
	codecColors = map[string]color.RGBA{
		"strata":    {0, 0x72, 0xb2, 0xff},
		"stdlib":    {0x77, 0x77, 0x77, 0xff},
		"klauspost": {0xe6, 0x9f, 0, 0xff},
		"zlib":      {0, 0x9e, 0x73, 0xff},
		"java":      {0xcc, 0x4c, 0x7a, 0xff},
	}
	darkBlue   = color.RGBA{0, 0x72, 0xb2, 0xff}
	lightBlue  = color.RGBA{0xa9, 0xd1, 0xea, 0xff}
	storedGray = color.RGBA{0xb5, 0xb5, 0xb5, 0xff}
	textGray   = color.RGBA{0x55, 0x55, 0x55, 0xff}
)

// decades are ticks at 1, 2 and 5 of each power of ten, for logarithmic axes.
type decades struct{}

func (decades) Ticks(least, most float64) (ticks []plot.Tick) {
	for exponent := math.Floor(math.Log10(least)); exponent <= math.Ceil(math.Log10(most)); exponent++ {
		for _, digit := range []float64{1, 2, 5} {
			if v := digit * math.Pow(10, exponent); v >= least && v <= most {
				ticks = append(ticks, plot.Tick{Value: v, Label: plainNumber(v)})
			}
		}
	}
	return ticks
}

// plainNumber has commas between thousands and no exponent.
func plainNumber(v float64) string {
	text := strconv.FormatFloat(math.Round(v*1e6)/1e6, 'f', -1, 64)
	if v < 1000 {
		return text
	}
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
