package bench

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// The limits and defaults of CompareOptions.
const (
	DefaultNoise      = 0.03
	compareAlpha      = 0.05
	compareConfidence = 0.95
	// maxCompared bounds how many values of a sample are set against each
	// other.
	maxCompared = 1000
)

// CompareOptions say how [Compare] sets two results against each other. The
// zero value compares each row with the one that is called the same.
type CompareOptions struct {
	// RowsA and RowsB choose rows, such as level=1: only rows with these
	// values take part, and the keys no longer tell rows apart, so that
	// different levels can be compared.
	RowsA, RowsB map[string]string
	// Noise is the difference, of the ratio, that is never called one: 0 means
	// DefaultNoise. It is raised to twice what nine of ten references differ
	// by, since these are the same programs in both files.
	Noise float64
}

// Verdict is what a comparison comes to.
type Verdict string

// The verdicts. Less is better in all that is compared.
const (
	Same    Verdict = "no difference"
	Less    Verdict = "less"
	More    Verdict = "more"
	Unclear Verdict = "unclear" // too few samples to tell
)

// Comparison is the result of [Compare].
type Comparison struct {
	Rows []ComparedRow `json:"rows"`
	// Drift is how much longer the references took in B than in A, by kind and
	// metric: ratios of times are divided by it. 1 if there are no references.
	Drift map[string]float64 `json:"drift"`
	// Noise is what was taken for noise, by kind and metric: the times of tiny
	// documents vary more than those of large ones.
	Noise    map[string]float64 `json:"noise"`
	Warnings []string           `json:"warnings"`
	// OnlyA and OnlyB are rows that the other file does not have.
	OnlyA []string `json:"only_a"`
	OnlyB []string `json:"only_b"`
}

// ComparedRow is one metric of one row in both files.
type ComparedRow struct {
	Row    string  `json:"row"`
	Metric string  `json:"metric"`
	A      float64 `json:"a"` // nanoseconds or bytes, as in the files
	B      float64 `json:"b"`
	// Ratio is B to A, corrected for drift, with its 95 % interval; the
	// interval is a point where the metric is exact.
	Ratio float64 `json:"ratio"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	// P is the probability of so much difference by chance (Mann-Whitney U),
	// -1 where the files have no samples, 0 where the metric is exact.
	P        float64 `json:"p"`
	SamplesA int     `json:"samples_a"`
	SamplesB int     `json:"samples_b"`
	Verdict  Verdict `json:"verdict"`

	group     string // whose drift and noise count
	tolerance float64
}

// Compare sets the rows of two results against each other, of whatever
// scenario. Times are corrected for what the references in both files, which
// are all rows that are not ours, say of the two hours: their median
// ratio. Then a difference must be more than noise and more than chance, also
// considering how many rows are compared (Bonferroni).
func Compare(a, b *Result, o CompareOptions) (*Comparison, error) {
	if o.Noise == 0 {
		o.Noise = DefaultNoise
	}
	if o.Noise < 0 || o.Noise >= 1 {
		return nil, fmt.Errorf("compare: noise of %g: want 0 to 1", o.Noise)
	}
	c := &Comparison{Rows: []ComparedRow{}, Drift: map[string]float64{}, Noise: map[string]float64{}, Warnings: []string{}, OnlyA: []string{}, OnlyB: []string{}}
	c.findDrift(a, b, o.Noise)
	rowsA, err := a.choose(o.RowsA, o.RowsB)
	if err != nil {
		return nil, fmt.Errorf("compare %s: %w", a.Name, err)
	}
	rowsB, err := b.choose(o.RowsB, o.RowsA)
	if err != nil {
		return nil, fmt.Errorf("compare %s: %w", b.Name, err)
	}
	for _, row := range rowsA {
		other := findRow(rowsB, row.key)
		if other == nil {
			c.OnlyA = append(c.OnlyA, row.key)
			continue
		}
		c.compareRow(row, other, a.sameDraw(b) && row.chunks == other.chunks)
	}
	for _, row := range rowsB {
		if findRow(rowsA, row.key) == nil {
			c.OnlyB = append(c.OnlyB, row.key)
		}
	}
	if len(c.Rows) == 0 {
		return nil, fmt.Errorf("compare %s with %s: no row is in both", a.Name, b.Name)
	}
	c.judge()
	c.warn(a, b)
	return c, nil
}

func findRow(rows []*resultRow, key string) *resultRow {
	if i := slices.IndexFunc(rows, func(r *resultRow) bool { return r.key == key }); i >= 0 {
		return rows[i]
	}
	return nil
}

// noiseFactor is how much further from the others a row of ours must be than
// nine of ten references are. Nine of ten are within 1.6 deviations of a normal
// distribution; of some dozens of rows all should be within twice that.
const noiseFactor = 2

// findDrift takes, for each kind and metric of time, the median ratio of the references
// for drift, and noise from how far nine of ten are from it.
func (c *Comparison) findDrift(a, b *Result, noise float64) {
	ratios := make(map[string][]float64)
	for _, row := range a.rows {
		other := findRow(b.rows, row.key)
		if row.ours() || other == nil {
			continue
		}
		for name, m := range row.metrics {
			if n, both := other.metrics[name]; both && !m.exact && m.center > 0 && n.center > 0 {
				ratios[row.group(name)] = append(ratios[row.group(name)], n.center/m.center)
			}
		}
	}
	for group, all := range ratios {
		slices.Sort(all)
		drift := (all[(len(all)-1)/2] + all[len(all)/2]) / 2
		off := make([]float64, len(all))
		for i, r := range all {
			off[i] = math.Abs(r/drift - 1)
		}
		slices.Sort(off)
		c.Drift[group], c.Noise[group] = drift, max(noise, noiseFactor*off[(len(off)*9+9)/10-1])
	}
	// A metric that has no reference is left as it is.
	for _, row := range a.rows {
		for name, m := range row.metrics {
			if _, known := c.Drift[row.group(name)]; !known && !m.exact {
				c.Drift[row.group(name)], c.Noise[row.group(name)] = 1, noise
			}
		}
	}
}

// compareRow compares what both rows have. Sizes are exact for the same draw
// of chunks; otherwise the sizes of single chunks are samples.
func (c *Comparison) compareRow(a, b *resultRow, sameDraw bool) {
	for _, name := range a.names() {
		m, n := a.metrics[name], b.metrics[name]
		if n == nil || m.center <= 0 || n.center <= 0 {
			continue
		}
		row := ComparedRow{Row: a.key, group: a.group(name), Metric: name, A: m.center, B: n.center, SamplesA: len(m.samples), SamplesB: len(n.samples), P: -1, tolerance: m.tolerance}
		switch {
		case m.exact && (sameDraw || len(m.samples) == 0 || len(n.samples) == 0):
			row.Ratio, row.P = n.center/m.center, 0
			row.Low, row.High, row.SamplesA, row.SamplesB = row.Ratio, row.Ratio, 0, 0
		case len(m.samples) > 1 && len(n.samples) > 1:
			row.Ratio, row.Low, row.High, row.P = compareSamples(m.samples, n.samples)
		default:
			row.Ratio, row.Low, row.High = n.center/m.center, n.low/m.high, n.high/m.low
		}
		if drift := c.Drift[row.group]; drift > 0 && !m.exact {
			row.Ratio, row.Low, row.High = row.Ratio/drift, row.Low/drift, row.High/drift
		}
		c.Rows = append(c.Rows, row)
	}
}

// judge gives the verdicts, once it is known how many there are.
func (c *Comparison) judge() {
	tests := 0
	used := make(map[string]bool)
	for _, row := range c.Rows {
		used[row.group] = true
		if row.P > 0 {
			tests++
		}
	}
	unused := func(group string, _ float64) bool { return !used[group] }
	maps.DeleteFunc(c.Drift, unused)
	maps.DeleteFunc(c.Noise, unused)
	for i := range c.Rows {
		row := &c.Rows[i]
		noise := max(c.Noise[row.group], row.tolerance) // 0 for sizes of the same draw
		switch {
		case row.P > 0 && row.P >= compareAlpha/float64(tests):
			row.Verdict = Same
			if math.Abs(row.Ratio-1) > noise && min(row.SamplesA, row.SamplesB) < enoughSamples {
				row.Verdict = Unclear
			}
		case row.P == -1 && row.Low == row.High && math.Abs(row.Ratio-1) > noise:
			row.Verdict = Unclear // a single figure each
		case row.P == -1 && row.Low <= 1 && row.High >= 1:
			row.Verdict = Same
		case math.Abs(row.Ratio-1) <= max(noise, 1e-9):
			row.Verdict = Same
		case row.Ratio < 1:
			row.Verdict = Less
		default:
			row.Verdict = More
		}
	}
}

// enoughSamples is how many can show a difference among some dozens of rows.
const enoughSamples = 8

// Differences are the rows in which A and B differ.
func (c *Comparison) Differences() (rows []ComparedRow) {
	for _, row := range c.Rows {
		if row.Verdict == Less || row.Verdict == More {
			rows = append(rows, row)
		}
	}
	return rows
}

func (c *Comparison) warn(a, b *Result) {
	add := func(format string, args ...any) { c.Warnings = append(c.Warnings, fmt.Sprintf(format, args...)) }
	for _, r := range []*Result{a, b} {
		if r.Interrupted {
			add("%s was interrupted", r.Name)
		}
	}
	if a.CPU != b.CPU {
		add("made on different processors (%s, %s): only ratios to the references say anything", a.CPU, b.CPU)
	}
	if a.Go != b.Go {
		add("made with different versions of Go (%s, %s)", a.Go, b.Go)
	}
	if slices.ContainsFunc(c.Rows, func(row ComparedRow) bool { return slices.Contains(exactMetrics, row.Metric) && row.P != 0 }) {
		add("measured on different chunks: sizes are compared as samples")
	}
	for group, drift := range c.Drift {
		if math.Abs(drift-1) > WideSpread {
			add("%s of the references differs by %+.0f%%, which is taken out: the machine was not the same", group, 100*(drift-1))
		}
	}
	slices.SortFunc(c.Warnings, strings.Compare)
}
