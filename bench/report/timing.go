package report

import (
	"fmt"
	"image/color"
	"strconv"
	"time"

	"strata/bench"
)

// timing is the time of a row, as charts and tables show it.
type timing struct {
	label           string
	name            string // whose; decides the color
	ns, least, most time.Duration
	ratio           float64 // 0 without a reference
	reference       string
}

// timeChart has a bar for each timing, with its range and its ratio. per says
// what takes the time, such as "a chunk".
func timeChart(name, title, per string, all []timing) (*chart, error) {
	top, caption := time.Duration(0), "Measured once."
	for _, t := range all {
		top = max(top, t.ns)
		if t.most > t.least {
			caption = "Bars are medians of the passes, lines reach from the fastest pass to the slowest."
		}
	}
	unit, by := scale(float64(top))
	var bars []bar
	for _, t := range all {
		b := bar{
			label: t.label, color: colorOf(t.name), note: short(float64(t.ns)/by) + " " + unit,
			value: float64(t.ns) / by, low: float64(t.least) / by, high: float64(t.most) / by,
		}
		// A single slow pass does not squeeze the bars into a corner.
		if limit := 1.5 * float64(top) / by; b.high > limit {
			b.high = limit
			b.note += ", slowest pass " + short(float64(t.most)/by) + " " + unit
		}
		if t.ratio > 0 {
			b.note += fmt.Sprintf(", %s × %s", short(t.ratio), t.reference)
		}
		bars = append(bars, b)
	}
	return barChart(name, title, caption, "time "+per+", "+unit, bars)
}

// colorOf is the color of a contender: ours is blue.
func colorOf(name string) color.Color {
	if c, known := codecColors[name]; known {
		return c
	}
	switch name {
	case "strata-each", "strata-create", "strata-write", "strata-punch", "tree":
		return color.RGBA{0x56, 0xb4, 0xe9, 0xff}
	case "repo", "repo-exact":
		return darkBlue
	case "rsync":
		return codecColors["klauspost"]
	case "go-mc", "restic":
		return codecColors["zlib"]
	case "go-mc-fresh":
		return color.RGBA{0x7f, 0xcf, 0xb9, 0xff}
	}
	return storedGray
}

// percent is a spread.
func percent(mid, least, most time.Duration) string {
	if mid == 0 {
		return "-"
	}
	return "±" + strconv.FormatFloat(100*bench.SpreadOf(mid, least, most), 'f', 0, 64) + "%"
}

// duration is a time with its unit.
func duration(d time.Duration) string {
	if d == 0 {
		return "-"
	}
	unit, per := scale(float64(d))
	return short(float64(d)/per) + " " + unit
}

// megas is a size in MB.
func megas(bytes int64) string { return strconv.FormatFloat(float64(bytes)/1e6, 'f', 2, 64) }
