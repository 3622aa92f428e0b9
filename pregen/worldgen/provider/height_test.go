package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"strata/bench/testbed"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
)

var overworld = provider.Span{MinY: -64, Height: 384}

// ends is the part of a height provider that gives its range.
func ends(low, high int) string {
	return fmt.Sprintf(`"min_inclusive":{"absolute":%d},"max_inclusive":{"absolute":%d}`, low, high)
}

func TestAnchorsAreToldFromTheEndsOfTheSpan(t *testing.T) {
	for text, want := range map[string]int32{
		`{"absolute":-5}`:     -5,
		`{"above_bottom":8}`:  -56,
		`{"below_top":1}`:     318,
		`{"below_top":-2031}`: 2350,
	} {
		a, err := provider.ParseAnchor(value(t, text))
		if err != nil {
			t.Fatal(err)
		}
		if got := a.In(overworld); got != want {
			t.Errorf("%s is %d, want %d", text, got, want)
		}
	}
}

// Each provider reaches both ends of its range and nothing beyond, and favours
// the part it says.
func TestHeightsDrawInTheirRange(t *testing.T) {
	source := rng.NewLegacy(testbed.Seed(t))
	for _, c := range []struct {
		text      string
		low, high int32
		below     float64 // share of draws below the middle
	}{
		{`{"absolute":7}`, 7, 7, 0},
		{`{"type":"constant","value":{"above_bottom":1}}`, -63, -63, 0},
		{`{"type":"uniform",` + ends(-2, 7) + `}`, -2, 7, 0.5},
		{`{"type":"uniform",` + ends(4, 3) + `}`, 4, 4, 0},
		{`{"type":"biased_to_bottom",` + ends(0, 9) + `}`, 0, 8, 0.86},
		{`{"type":"biased_to_bottom","inner":3,` + ends(0, 9) + `}`, 0, 8, 0.82},
		{`{"type":"biased_to_bottom","inner":30,` + ends(0, 9) + `}`, 0, 0, 1},
		{`{"type":"very_biased_to_bottom",` + ends(0, 9) + `}`, 0, 8, 0.963},
		{`{"type":"very_biased_to_bottom","inner":11,` + ends(0, 9) + `}`, 0, 0, 1},
		{`{"type":"trapezoid",` + ends(0, 9) + `}`, 0, 9, 0.5},
		{`{"type":"trapezoid","plateau":20,` + ends(0, 9) + `}`, 0, 9, 0.5},
		{`{"type":"trapezoid",` + ends(9, 0) + `}`, 9, 9, 0},
		{`{"type":"weighted_list","distribution":[{"data":{"absolute":1},"weight":3},
			{"data":{"absolute":0},"weight":0},{"data":{"absolute":9},"weight":1}]}`, 1, 9, 0.75},
	} {
		h, err := provider.ParseHeight(value(t, c.text))
		if err != nil {
			t.Fatal(err)
		}
		low, high, below := int32(1000), int32(-1000), 0
		const samples = 20000
		for range samples {
			y := h.Sample(&source, overworld)
			low, high = min(low, y), max(high, y)
			if 2*y < c.low+c.high+1 && c.low < c.high {
				below++
			}
		}
		if low != c.low || high != c.high {
			t.Errorf("%s drew %d to %d, want %d to %d", c.text, low, high, c.low, c.high)
		}
		if share := float64(below) / samples; c.low < c.high && (share < c.below-0.03 || share > c.below+0.03) {
			t.Errorf("%s drew %.3f in the lower half, want about %.2f", c.text, share, c.below)
		}
	}
}

func TestBadHeightsAreRefused(t *testing.T) {
	nested := `{"absolute":1}`
	for range 20 {
		nested = `{"type":"weighted_list","distribution":[{"weight":1,"data":` + nested + `}]}`
	}
	long := `{"weight":1,"data":{"absolute":1}}`
	long = `{"type":"weighted_list","distribution":[` + long + strings.Repeat(","+long, 1024) + `]}`
	for text, want := range map[string]string{
		`3`:                              "not an object",
		`{}`:                             "none of",
		`{"absolute":1,"below_top":2}`:   "both absolute and below_top",
		`{"absolute":2032}`:              "not in -2032 to 2031",
		`{"absolute":0.5}`:               "not an integer",
		`{"absolute":"1"}`:               "not a number",
		`{"type":"uniform"}`:             "min_inclusive: missing",
		`{"type":"nope"}`:                "unknown height provider minecraft:nope",
		`{"type":"weighted_list"}`:       "distribution: missing",
		`{"type":"constant","value":{}}`: "value: none of",
		`{"type":"trapezoid","plateau":-1,` + ends(0, 1) + `}`:                          "plateau: -1 is not in",
		`{"type":"biased_to_bottom","inner":0,` + ends(0, 1) + `}`:                      "inner: 0 is not in",
		`{"type":"biased_to_bottom","inner":2147483647,` + ends(0, 1) + `}`:             "inner: 2147483647",
		`{"type":"weighted_list","distribution":[]}`:                                    "not a list with entries",
		`{"type":"weighted_list","distribution":[{"data":{"absolute":1},"weight":0}]}`:  "no entry has a weight",
		`{"type":"weighted_list","distribution":[{"data":{"absolute":1},"weight":-1}]}`: "distribution[0].weight: -1",
		`{"type":"weighted_list","distribution":[{"data":{"absolute":1},"weight":2147483647},
			{"data":{"absolute":1},"weight":1}]}`: "distribution[1].weight: 1",
		nested: "deeper than 16",
		long:   "more than 1024",
	} {
		_, err := provider.ParseHeight(value(t, text))
		refused(t, text[:min(len(text), 80)], err, want)
	}
}
