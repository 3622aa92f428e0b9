package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sort"
	"strings"
)

// The limits of a result file.
const (
	MaxResultBytes = 256 << 20
	maxResultRows  = 100_000
)

// ErrNoResult is the error for a file that holds no rows of a benchmark.
var ErrNoResult = errors.New("no benchmark result")

// Result is the JSON of any scenario, as far as [Compare] needs it.
type Result struct {
	Name        string // of the file
	CPU, Go     string
	Interrupted bool

	draw string // says which chunks; "" if the scenario does not
	rows []*resultRow
}

// resultRow is one row: what tells it from others, and its figures.
type resultRow struct {
	fields  map[string]string
	key     string
	chunks  string // that it was measured on, as far as the row says
	clock   string // of its times, likewise
	metrics map[string]*metric
}

// metric is one figure, in nanoseconds or bytes.
type metric struct {
	center    float64
	low, high float64 // least and most; the same as center if not known
	samples   []float64
	// exact says that measuring again gives the same, but for the share
	// tolerance.
	exact     bool
	tolerance float64
}

// rowFields tell rows apart, in the order in which they are shown.
var rowFields = []string{"kind", "name", "scheme", "level", "op", "form", "streams", "stage", "dimension", "workers"}

// exactMetrics are sizes. Others, such as memory, say little when compared.
var exactMetrics = []string{"payload_bytes", "sector_bytes"}

// storeMetrics are sizes of stores, which have times and lengths of names in
// them, and storeTolerance what that may come to.
var storeMetrics = []string{"bytes", "repeat_bytes"}

const storeTolerance = 0.02

// ourTargets are names of rows of backups that are no references.
var ourTargets = []string{"tree", "repo", "repo-exact"}

// ours reports whether the row is not a reference.
func (r *resultRow) ours() bool {
	name := r.fields["name"]
	return name == "" || strings.HasPrefix(name, "strata") || slices.Contains(ourTargets, name)
}

// group names the figures that vary alike: those of a metric, a kind and a clock.
func (r *resultRow) group(metric string) string {
	return strings.Join(strings.Fields(r.fields["kind"]+" "+r.clock+" "+metric), " ")
}

func (r *resultRow) names() []string {
	var names []string
	for name := range r.metrics {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// LoadResult reads the JSON that a scenario has printed or kept.
func LoadResult(path string) (*Result, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("load result: %w", err)
	}
	defer f.Close() // read only: nothing to lose
	r, err := ReadResult(f)
	if err != nil {
		return nil, fmt.Errorf("load result %s: %w", path, err)
	}
	r.Name = path
	return r, nil
}

// ReadResult is [LoadResult] from an open stream. The error is ErrNoResult for
// JSON of another sort.
func ReadResult(in io.Reader) (*Result, error) {
	data, err := io.ReadAll(io.LimitReader(in, MaxResultBytes+1))
	if err != nil {
		return nil, err
	}
	if len(data) > MaxResultBytes {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrNoResult, MaxResultBytes)
	}
	var file struct {
		Environment Environment                  `json:"environment"`
		Interrupted bool                         `json:"interrupted"`
		Source      string                       `json:"source"`
		Seed        json.Number                  `json:"seed"`
		Rows        []map[string]json.RawMessage `json:"rows"`
		Inflate     []map[string]json.RawMessage `json:"inflate"` // of bench codec
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrNoResult, err)
	}
	if len(file.Rows)+len(file.Inflate) > maxResultRows {
		return nil, fmt.Errorf("%w: more than %d rows", ErrNoResult, maxResultRows)
	}
	r := &Result{CPU: file.Environment.CPU, Go: file.Environment.Go, Interrupted: file.Interrupted}
	if file.Source != "" {
		r.draw = file.Source + " " + file.Seed.String()
	}
	for _, raw := range slices.Concat(file.Rows, file.Inflate) {
		row := readRow(raw)
		if len(row.metrics) > 0 && findRow(r.rows, row.key) == nil {
			r.rows = append(r.rows, row)
		}
	}
	if len(r.rows) == 0 {
		return nil, fmt.Errorf("%w: no rows with figures", ErrNoResult)
	}
	return r, nil
}

// sameDraw reports whether both were measured on the same chunks, as far as
// they say.
func (r *Result) sameDraw(o *Result) bool { return r.draw == o.draw }

func readRow(raw map[string]json.RawMessage) *resultRow {
	row := &resultRow{fields: make(map[string]string), metrics: make(map[string]*metric)}
	for _, name := range rowFields {
		if value, there := raw[name]; there {
			row.fields[name] = plainValue(value)
		}
	}
	row.key, row.chunks, row.clock = row.keyWithout(), plainValue(raw["chunks"]), plainValue(raw["clock"])
	_, isStore := raw["repeat_bytes"]
	for name := range raw {
		stem, isTime := strings.CutSuffix(name, "ns")
		switch {
		case slices.Contains(exactMetrics, name):
			if m := readMetric(raw, name, "", "", "sizes"); m != nil {
				m.exact = true
				row.metrics[name] = m
			}
		case isStore && slices.Contains(storeMetrics, name):
			if m := readMetric(raw, name, "", "", ""); m != nil {
				m.exact, m.tolerance = true, storeTolerance
				row.metrics[name] = m
			}
		case isTime && (stem == "" || strings.HasSuffix(stem, "_")) && !derivedTime(stem):
			if m := readMetric(raw, name, stem+"min_ns", stem+"max_ns", stem+"samples_ns"); m != nil {
				row.metrics[name] = m
			}
		}
	}
	return row
}

// derivedTime reports whether a time belongs to another one, or is a goal.
func derivedTime(stem string) bool {
	for _, part := range strings.Split(strings.TrimSuffix(stem, "_"), "_") {
		switch part {
		case "min", "max", "p50", "p95", "p99", "wall", "process", "goal", "samples", "reference":
			return true
		}
	}
	return false
}

// readMetric returns nil if there is no such number.
func readMetric(raw map[string]json.RawMessage, name, low, high, samples string) *metric {
	m := &metric{}
	if json.Unmarshal(raw[name], &m.center) != nil || m.center <= 0 {
		return nil
	}
	m.low, m.high = m.center, m.center
	for _, bound := range []struct {
		name string
		into *float64
	}{{low, &m.low}, {high, &m.high}} {
		var v float64
		if json.Unmarshal(raw[bound.name], &v) == nil && v > 0 {
			*bound.into = v
		}
	}
	var all []float64
	if json.Unmarshal(raw[samples], &all) == nil && !slices.ContainsFunc(all, func(v float64) bool { return v <= 0 }) {
		m.samples = all
	}
	return m
}

func plainValue(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(bytes.TrimSpace(raw))
}

// keyWithout is what a row is called, some of its fields left out.
func (r *resultRow) keyWithout(fields ...string) string {
	var parts []string
	for _, name := range rowFields {
		if value := r.fields[name]; value != "" && !slices.Contains(fields, name) {
			parts = append(parts, value)
		}
	}
	return strings.Join(parts, " ")
}

// choose returns the rows with the wanted values. Keys that either side chooses
// by do not tell rows apart any more; it is an error if two rows are then
// called the same.
func (r *Result) choose(want, otherWant map[string]string) ([]*resultRow, error) {
	var ignored []string
	for _, chosen := range []map[string]string{want, otherWant} {
		for name := range chosen {
			if !slices.Contains(rowFields, name) {
				return nil, fmt.Errorf("rows have no %q: want one of %s", name, strings.Join(rowFields, ", "))
			}
			ignored = append(ignored, name)
		}
	}
	var rows []*resultRow
	for _, row := range r.rows {
		fits := true
		for name, value := range want {
			fits = fits && row.fields[name] == value
		}
		if !fits {
			continue
		}
		same := *row
		same.key = row.keyWithout(ignored...)
		if same.key == "" {
			same.key = "row"
		}
		if findRow(rows, same.key) != nil {
			return nil, fmt.Errorf("more than one row is %q: choose by more", same.key)
		}
		rows = append(rows, &same)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("no row has %v", want)
	}
	return rows, nil
}
