package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// noisyRun is the JSON of a run on a machine of some speed: rows of ours and
// references, with samples that vary by spread, ours slower by the factor.
func noisyRun(t *testing.T, random *rand.Rand, machine, spread, ours float64) *Result {
	t.Helper()
	type row struct {
		Name      string  `json:"name"`
		Level     int     `json:"level"`
		Kind      string  `json:"kind"`
		NS        int64   `json:"compress_ns"`
		SamplesNS []int64 `json:"compress_samples_ns"`
		Payload   float64 `json:"payload_bytes"`
	}
	var rows []row
	for _, name := range []string{"strata", "stdlib", "klauspost"} {
		for level := 1; level <= 9; level++ {
			r := row{Name: name, Level: level, Kind: "full", Payload: 9000 - 300*float64(level)}
			center := 50_000 * float64(level) * machine * (1 + spread/4*random.NormFloat64())
			if name == "strata" {
				center *= ours
			}
			for range 10 {
				r.SamplesNS = append(r.SamplesNS, int64(center*(1+spread*random.Float64())))
			}
			r.NS = r.SamplesNS[0]
			rows = append(rows, r)
		}
	}
	data, err := json.Marshal(map[string]any{"rows": rows, "source": "w", "seed": 1})
	if err != nil {
		t.Fatal(err)
	}
	result, err := ReadResult(strings.NewReader(string(data)))
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func TestTwoRunsOfTheSameBuildShowNoDifference(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	wrong := 0
	for range 100 {
		// One of the hours was a third slower.
		c, err := Compare(noisyRun(t, random, 1, 0.04, 1), noisyRun(t, random, 1.3, 0.04, 1), CompareOptions{})
		if err != nil {
			t.Fatal(err)
		}
		wrong += min(1, len(c.Differences()))
	}
	if wrong > 5 {
		t.Errorf("%d of 100 pairs of runs differ", wrong)
	}
}

func TestASlowerBuildShowsItsRatio(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 9))
	c, err := Compare(noisyRun(t, random, 1, 0.02, 1), noisyRun(t, random, 0.7, 0.02, 1.25), CompareOptions{})
	if err != nil {
		t.Fatal(err)
	}
	found := c.Differences()
	if len(found) != 9 {
		t.Fatalf("%d rows differ, want our 9: %+v", len(found), found)
	}
	for _, row := range found {
		if !strings.Contains(row.Row, "strata") || row.Verdict != More || math.Abs(row.Ratio-1.25) > 0.06 || row.Low > row.Ratio || row.High < row.Ratio || row.P > 0.01 {
			t.Errorf("%+v", row)
		}
	}
	if drift := c.Drift["full compress_ns"]; math.Abs(drift-0.7) > 0.03 || !strings.Contains(strings.Join(c.Warnings, "\n"), "compress_ns of the references differs by -") {
		t.Errorf("drift %g, warnings %q", drift, c.Warnings)
	}
}

func TestLevelsOfOneFileCanBeCompared(t *testing.T) {
	r := noisyRun(t, rand.New(rand.NewPCG(1, 1)), 1, 0.02, 1)
	c, err := Compare(r, r, CompareOptions{RowsA: map[string]string{"level": "1", "name": "strata"}, RowsB: map[string]string{"level": "9", "name": "strata"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Rows) != 2 || c.Rows[0].Row != "full" {
		t.Fatalf("%+v", c.Rows)
	}
	if row := c.Rows[0]; row.Metric != "compress_ns" || math.Abs(row.Ratio-9) > 0.3 || row.Verdict != More {
		t.Errorf("time %+v, want 9 times", row)
	}
	if row := c.Rows[1]; row.Metric != "payload_bytes" || row.Ratio != (9000-2700)/(9000-300.0) || row.P != 0 || row.Verdict != Less {
		t.Errorf("size %+v", row)
	}
	if _, err := Compare(r, r, CompareOptions{RowsA: map[string]string{"level": "77"}}); err == nil || !strings.Contains(err.Error(), "no row has") {
		t.Errorf("got %v", err)
	}
	if _, err := Compare(r, r, CompareOptions{RowsA: map[string]string{"color": "red"}}); err == nil || !strings.Contains(err.Error(), `rows have no "color"`) {
		t.Errorf("got %v", err)
	}
	if _, err := Compare(r, r, CompareOptions{RowsB: map[string]string{"name": "strata"}, RowsA: map[string]string{"kind": "full"}}); err == nil || !strings.Contains(err.Error(), "more than one row") {
		t.Errorf("got %v", err)
	}
}

// Results from before there were samples have fastest and slowest passes.
func TestKeptResultsOfEveryScenarioCompareWithThemselves(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("results", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%q, %v", files, err)
	}
	read := 0
	for _, path := range files {
		r, err := LoadResult(path)
		if errors.Is(err, ErrNoResult) {
			continue // a record of another sort
		}
		if err != nil {
			t.Fatal(err)
		}
		c, err := Compare(r, r, CompareOptions{})
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		read++
		for _, row := range c.Rows {
			if row.Ratio != 1 || row.Verdict != Same {
				t.Errorf("%s: %+v", path, row)
			}
		}
	}
	if read < 3 {
		t.Errorf("%d of %q are results", read, files)
	}
}

func TestPassesWithoutSamplesDifferWhereTheirRangesDo(t *testing.T) {
	read := func(ns, low, high int) *Result {
		r, err := ReadResult(strings.NewReader(fmt.Sprintf(`{"rows": [{"name": "strata", "op": "walk", "ns": %d, "min_ns": %d, "max_ns": %d}, {"name": "strata", "op": "skip", "ns": %d}]}`, ns, low, high, ns)))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, tt := range []struct {
		b          *Result
		walk, skip Verdict
	}{
		{read(105, 98, 110), Same, Unclear},
		{read(150, 140, 160), More, Unclear},
		{read(60, 55, 70), Less, Unclear},
		{read(101, 99, 102), Same, Same},
	} {
		c, err := Compare(read(100, 95, 104), tt.b, CompareOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if c.Rows[0].Verdict != tt.walk || c.Rows[1].Verdict != tt.skip {
			t.Errorf("walk %+v, skip %+v, want %s and %s", c.Rows[0], c.Rows[1], tt.walk, tt.skip)
		}
	}
}

// Sizes of two draws vary; sizes of one draw do not.
func TestSizesOfOtherChunksAreSamples(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 3))
	draw := func(seed, n int, factor float64) *Result {
		total, sizes := 0.0, []int{}
		for range n {
			n := int(factor * (4000 + 4000*random.Float64()))
			sizes, total = append(sizes, n), total+float64(n)
		}
		data, err := json.Marshal(map[string]any{"source": "w", "seed": seed, "rows": []any{map[string]any{"name": "strata", "payload_bytes": total / float64(n), "chunks": n, "sizes": sizes}}})
		if err != nil {
			t.Fatal(err)
		}
		r, err := ReadResult(strings.NewReader(string(data)))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, tt := range []struct {
		b    *Result
		want Verdict
	}{{draw(2, 300, 1), Same}, {draw(1, 280, 1), Same}, {draw(3, 300, 1.2), More}} {
		c, err := Compare(draw(1, 300, 1), tt.b, CompareOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if c.Rows[0].Verdict != tt.want || !strings.Contains(strings.Join(c.Warnings, "\n"), "different chunks") {
			t.Errorf("%+v, want %s; warnings %q", c.Rows[0], tt.want, c.Warnings)
		}
	}
}

func TestReadResultRefusesOtherFiles(t *testing.T) {
	for _, text := range []string{"", "{", "[]", `{"rows": []}`, `{"rows": [{"name": "x"}]}`, `{"rows": 3}`, `{"rows": [{"name": "x", "ns": -4}]}`, `{"rows": [{"ns": "fast"}]}`} {
		if _, err := ReadResult(strings.NewReader(text)); !errors.Is(err, ErrNoResult) {
			t.Errorf("%q: got %v", text, err)
		}
	}
	if _, err := LoadResult(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

// Whatever a file holds, reading it ends in a result or ErrNoResult, and a
// result can be compared with itself.
func FuzzReadResult(f *testing.F) {
	f.Add(`{"rows": [{"name": "strata", "level": 6, "compress_ns": 5, "compress_samples_ns": [4, 5, 6], "payload_bytes": 7, "sizes": [7]}]}`)
	f.Add(`{"rows": [{"name": "strata", "ns": 1e300, "min_ns": 1, "max_ns": 2}, {"name": "x", "ns": 3}], "seed": 5, "source": "w"}`)
	f.Add(`{"rows": [{"level": {}, "ns": 1}], "inflate": [null]}`)
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ReadResult(strings.NewReader(text))
		if err != nil {
			if !errors.Is(err, ErrNoResult) {
				t.Fatal(err)
			}
			return
		}
		c, err := Compare(r, r, CompareOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if found := c.Differences(); len(found) > 0 {
			t.Errorf("a result differs from itself: %+v", found)
		}
	})
}

// Stores have times in them: two runs of one build differ by some bytes.
func TestStoresOfBackupsAreComparedWithATolerance(t *testing.T) {
	read := func(bytes int, create int64) *Result {
		r, err := ReadResult(strings.NewReader(fmt.Sprintf(`{"rows": [
			{"name": "repo", "bytes": %d, "repeat_bytes": 600, "create_ns": %d, "repeat_ns": 50, "repeat_samples_ns": [40, 50, 60]},
			{"name": "rsync", "bytes": 900000, "repeat_bytes": 80000, "create_ns": %d, "repeat_ns": 90, "repeat_samples_ns": [80, 90, 95]}]}`, bytes, create, 2*create)))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	verdicts := func(a, b *Result) map[string]Verdict {
		c, err := Compare(a, b, CompareOptions{})
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]Verdict{}
		for _, row := range c.Rows {
			found[row.Row+" "+row.Metric] = row.Verdict
		}
		return found
	}
	base := read(100_000, 1000)
	// The machine took twice as long, which rsync says too.
	for row, verdict := range verdicts(base, read(100_900, 2000)) {
		if verdict != Same {
			t.Errorf("%s: %s", row, verdict)
		}
	}
	if found := verdicts(base, read(120_000, 1000)); found["repo bytes"] != More || found["rsync bytes"] != Same {
		t.Errorf("verdicts %v", found)
	}
}

// Times by different clocks have references of their own.
func TestDriftIsThatOfTheClock(t *testing.T) {
	read := func(wall, cpu float64) *Result {
		var rows []string
		for _, name := range []string{"strata", "other"} {
			for op, clock := range map[string]string{"write": "wall", "load": "thread_cpu"} {
				ns := map[string]float64{"wall": wall, "thread_cpu": cpu}[clock]
				rows = append(rows, fmt.Sprintf(`{"name": %q, "op": %q, "clock": %q, "ns": %g, "min_ns": %g, "max_ns": %g}`, name, op, clock, 1000*ns, 990*ns, 1010*ns))
			}
		}
		r, err := ReadResult(strings.NewReader(`{"rows": [` + strings.Join(rows, ",") + `]}`))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	c, err := Compare(read(1, 1), read(3, 1.5), CompareOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if c.Drift["wall ns"] != 3 || c.Drift["thread_cpu ns"] != 1.5 || len(c.Differences()) != 0 {
		t.Errorf("drift %v, differences %v", c.Drift, c.Differences())
	}
}
