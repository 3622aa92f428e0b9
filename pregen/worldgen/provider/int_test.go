package provider_test

import (
	"testing"

	"strata/bench/testbed"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
)

func TestIntsDrawInTheirRange(t *testing.T) {
	source := rng.NewLegacy(testbed.Seed(t))
	for _, c := range []struct {
		text      string
		low, high int32
		mean      float64
	}{
		{`4`, 4, 4, 4},
		{`{"type":"constant","value":-3}`, -3, -3, -3},
		{`{"type":"uniform","min_inclusive":-1,"max_inclusive":3}`, -1, 3, 1},
		{`{"type":"biased_to_bottom","min_inclusive":1,"max_inclusive":3}`, 1, 3, 1.5},
		{`{"type":"trapezoid","min":-7,"max":7,"plateau":0}`, -7, 7, 0},
		{`{"type":"trapezoid","min":0,"max":6,"plateau":2}`, 0, 6, 3},
		{`{"type":"clamped","min_inclusive":0,"max_inclusive":9,"source":{"type":"uniform","min_inclusive":-3,"max_inclusive":1}}`, 0, 1, 0.2},
		{`{"type":"clamped_normal","mean":0,"deviation":3,"min_inclusive":-10,"max_inclusive":10}`, -10, 10, 0},
		{`{"type":"weighted_list","distribution":[{"data":2,"weight":9},{"data":{"type":"uniform","min_inclusive":3,"max_inclusive":5},"weight":1}]}`, 2, 5, 2.2},
	} {
		p, err := provider.ParseInt(value(t, c.text), -10, 10)
		if err != nil {
			t.Fatal(err)
		}
		if p.Min() != c.low || p.Max() != c.high {
			t.Errorf("%s tells of %d to %d, want %d to %d", c.text, p.Min(), p.Max(), c.low, c.high)
		}
		const samples = 20000
		sum, met := 0.0, map[int32]bool{}
		for range samples {
			v := p.Sample(&source)
			if v < c.low || v > c.high {
				t.Fatalf("%s drew %d", c.text, v)
			}
			sum += float64(v)
			met[v] = true
		}
		if mean := sum / samples; mean < c.mean-0.15 || mean > c.mean+0.15 {
			t.Errorf("%s has a mean of %v, want about %v", c.text, mean, c.mean)
		}
		if c.high-c.low < 9 && len(met) != int(c.high-c.low+1) {
			t.Errorf("%s drew %v", c.text, met)
		}
	}
}

func TestBadIntsAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		`"1"`:                "not an object",
		`1.5`:                "not an integer",
		`11`:                 "not in -10 to 10",
		`99999999`:           "not in",
		`{"type":"x:y"}`:     "unknown integer provider",
		`{"type":"uniform"}`: "min_inclusive: missing",
		`{"type":"trapezoid","min":0,"max":6,"plateau":7}`:                        "plateau",
		`{"type":"uniform","min_inclusive":3,"max_inclusive":2}`:                  "below",
		`{"type":"uniform","min_inclusive":-11,"max_inclusive":2}`:                "not in -10 to 10",
		`{"type":"weighted_list","distribution":[]}`:                              "not a list with entries",
		`{"type":"weighted_list","distribution":[{"data":2,"weight":0}]}`:         "no entry has a weight",
		`{"type":"clamped_normal","mean":0,"min_inclusive":0,"max_inclusive":1}`:  "deviation: missing",
		`{"type":"clamped","min_inclusive":0,"max_inclusive":1,"source":{"a":1}}`: "source.type: missing",
	} {
		_, err := provider.ParseInt(value(t, text), -10, 10)
		refused(t, text, err, want)
	}
}
