package provider_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"strata/bench/testbed"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
)

// value parses a JSON text as the document test/x.
func value(t *testing.T, text string) provider.Value {
	t.Helper()
	v, err := provider.Parse("test", "x", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// refused checks that an error names the place and the problem.
func refused(t *testing.T, text string, err error, want string) {
	t.Helper()
	wrong, ok := errors.AsType[*provider.ValueError](err)
	if !ok || wrong.Document != "test x" || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: error %v, want one about %q", text, err, want)
	}
}

func TestFloatsDrawInTheirRange(t *testing.T) {
	source := rng.NewLegacy(testbed.Seed(t))
	for _, c := range []struct {
		text      string
		low, high float32
		mean      float64
		draws     int // of the source
	}{
		{`0.25`, 0.25, 0.25, 0.25, 0},
		{`{"type":"constant","value":-3}`, -3, -3, -3, 0},
		{`{"type":"minecraft:uniform","min_inclusive":-1,"max_exclusive":3}`, -1, 3, 1, 1},
		{`{"type":"trapezoid","min":0,"max":6,"plateau":2}`, 0, 6, 3, 2},
		{`{"type":"clamped_normal","mean":2,"deviation":1,"min":-10,"max":14}`, -10, 14, 2, -1},
	} {
		f, err := provider.ParseFloat(value(t, c.text), float32(math.NaN()), float32(math.NaN()))
		if err != nil {
			t.Fatal(err)
		}
		if f.Min() != c.low || f.Max() != c.high {
			t.Errorf("%s tells of %v to %v", c.text, f.Min(), f.Max())
		}
		if f.Gaussian() != (c.draws < 0) {
			t.Errorf("%s draws Gaussians: %v", c.text, f.Gaussian())
		}
		before := source
		f.Sample(&source)
		if c.draws >= 0 {
			if before.Consume(c.draws); before != source {
				t.Errorf("%s does not draw %d times", c.text, c.draws)
			}
		}
		const samples = 20000
		sum := 0.0
		for range samples {
			v := f.Sample(&source)
			if v < c.low || v > c.high {
				t.Fatalf("%s drew %v", c.text, v)
			}
			sum += float64(v)
		}
		if mean := sum / samples; math.Abs(mean-c.mean) > 0.06 {
			t.Errorf("%s has a mean of %v, want about %v", c.text, mean, c.mean)
		}
	}
}

func TestBadFloatsAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		`"1"`:                 "not an object",
		`1e39`:                "single precision",
		`{}`:                  "type: missing",
		`{"type":3}`:          "type: not a text",
		`{"type":"x:y"}`:      "unknown float provider x:y",
		`{"type":"constant"}`: "value: missing",
		`{"type":"uniform","min_inclusive":1,"max_exclusive":1}`:            "not above",
		`{"type":"uniform","min_inclusive":"a","max_exclusive":1}`:          "min_inclusive: not a number",
		`{"type":"trapezoid","min":0,"max":6,"plateau":7}`:                  "wider",
		`{"type":"clamped_normal","mean":2,"deviation":1,"min":1,"max":0}`:  "below",
		`{"type":"uniform","min_inclusive":-2e38,"max_exclusive":3e38}`:     "single precision",
		`{"type":"uniform","min_inclusive":-1.5,"max_exclusive":0}`:         "not in -1 to 1",
		`{"type":"trapezoid","min":0,"max":1.5,"plateau":0}`:                "not in -1 to 1",
		`{"type":"clamped_normal","mean":0,"deviation":1,"min":-2,"max":0}`: "not in -1 to 1",
		`-1.01`: "not in -1 to 1",
	} {
		_, err := provider.ParseFloat(value(t, text), -1, 1)
		refused(t, text, err, want)
	}
}

func TestDocumentsThatAreNotJSONAreRefused(t *testing.T) {
	for _, text := range []string{"", "{", "{} {}", "{}x", strings.Repeat("[", 20000)} {
		_, err := provider.Parse("test", "x", []byte(text))
		refused(t, text[:min(len(text), 9)], err, "")
	}
	_, err := provider.Parse("test", "x", make([]byte, provider.MaxDocument+1))
	refused(t, "a long document", err, "at most")
}
