package density

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"strata/pregen/worldgen/noise"
)

func TestMalformedFunctionsNameTheirPlace(t *testing.T) {
	l := newTestLoader(documents{
		"worldgen/density_function pack:cycle":   `{"type": "abs", "argument": "pack:cycle2"}`,
		"worldgen/density_function pack:cycle2":  `{"type": "abs", "argument": "pack:cycle"}`,
		"worldgen/density_function pack:broken":  `{"type": "abs", "argument": {"type": "clamp", "input": 1, "min": 0}}`,
		"worldgen/density_function pack:garbage": `{"type": `,
		"worldgen/density_function pack:two":     `1 2`,
		"worldgen/noise pack:bad":                `{"firstOctave": 1, "amplitudes": []}`,
	})
	deep := strings.Repeat(`{"type": "abs", "argument": `, MaxDepth) + "1" + strings.Repeat("}", MaxDepth)
	here := func(path string) string { return "test test, " + path + ": " }
	for _, c := range []struct {
		text, want string
		cause      error
	}{
		{`true`, "test test: malformed", ErrFormat},
		{`2000000`, "test test: malformed", ErrFormat},
		{`1e999`, "test test: malformed", ErrFormat},
		{`{}`, here("type"), ErrFormat},
		{`{"type": "nothing"}`, here("type"), ErrFormat},
		{`{"type": "other:abs", "argument": 1}`, here("type"), ErrFormat},
		{`{"type": "abs"}`, here("argument"), ErrFormat},
		{`{"type": "abs", "argument": []}`, here("argument"), ErrFormat},
		{`{"type": "add", "argument1": 1, "argument2": {"type": "cube", "argument": null}}`, here("argument2.argument"), ErrFormat},
		{`{"type": "noise", "noise": "pack:missing", "xz_scale": 1, "y_scale": 1}`, here("noise"), fs.ErrNotExist},
		{`{"type": "noise", "noise": "pack:bad", "xz_scale": 1, "y_scale": 1}`, here("noise"), noise.ErrParameters},
		{`{"type": "noise", "noise": {"firstOctave": 0, "amplitudes": [1]}, "xz_scale": 1, "y_scale": 1}`, here("noise"), ErrFormat},
		{`{"type": "noise", "noise": "n", "xz_scale": "1", "y_scale": 1}`, here("xz_scale"), ErrFormat},
		{`{"type": "clamp", "input": 1, "min": -1e7, "max": 1}`, here("min"), ErrFormat},
		{`{"type": "y_clamped_gradient", "from_y": -5000, "to_y": 1, "from_value": 1, "to_value": 1}`, here("from_y"), ErrFormat},
		{`{"type": "interval_select", "input": 1, "thresholds": [1], "functions": [1]}`, here("functions"), ErrFormat},
		{`{"type": "interval_select", "input": 1, "thresholds": [1, "a"], "functions": [1, 1, 1]}`, here("thresholds[1]"), ErrFormat},
		{`{"type": "interval_select", "input": 1, "thresholds": [1], "functions": [1, {}]}`, here("functions[1].type"), ErrFormat},
		{`{"type": "weird_scaled_sampler", "input": 1, "noise": "n", "rarity_value_mapper": "type_3"}`, here("rarity_value_mapper"), ErrFormat},
		{`{"type": "old_blended_noise", "xz_scale": 0, "y_scale": 1, "xz_factor": 80, "y_factor": 160, "smear_scale_multiplier": 8}`, "test test: ", noise.ErrParameters},
		{`{"type": "find_top_surface", "density": 1, "upper_bound": 1, "lower_bound": 1, "cell_height": 0}`, here("cell_height"), ErrFormat},
		{`{"type": "spline", "spline": {"coordinate": 1, "points": []}}`, here("spline.points"), ErrFormat},
		{`{"type": "spline", "spline": {"coordinate": 1, "points": [{"location": 1, "derivative": 1}]}}`, here("spline.points[0].value"), ErrFormat},
		{`{"type": "spline", "spline": {"coordinate": 1, "points": [{"location": 1e40, "derivative": 1, "value": 1}]}}`, here("spline.points[0].location"), ErrFormat},
		{`"pack:missing"`, "worldgen/density_function pack:missing: ", fs.ErrNotExist},
		{`"pack:cycle"`, "worldgen/density_function pack:cycle: ", ErrCycle},
		{`"pack:broken"`, "worldgen/density_function pack:broken, argument.max: ", ErrFormat},
		{`"pack:garbage"`, "worldgen/density_function pack:garbage: ", ErrFormat},
		{`"pack:two"`, "worldgen/density_function pack:two: ", ErrFormat},
		{deep, "test test, argument.argument", ErrLimit},
		{strings.Repeat(" ", MaxDocumentBytes+1), "test test: ", ErrLimit},
	} {
		_, err := l.Inline("test", "test", "", []byte(c.text))
		var typed *Error
		if !errors.As(err, &typed) || !errors.Is(err, c.cause) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%.150s: %.200v, want %s... for %v", c.text, err, c.want, c.cause)
		}
	}
}

func TestRoutersNameTheirPlace(t *testing.T) {
	l := newTestLoader(documents{
		"worldgen/noise_settings pack:shape":  `{"noise": {"min_y": 0, "height": 100, "size_horizontal": 1, "size_vertical": 1}}`,
		"worldgen/noise_settings pack:wide":   `{"noise": {"min_y": 0, "height": 96, "size_horizontal": 3, "size_vertical": 1}}`,
		"worldgen/noise_settings pack:router": `{"noise": {"min_y": 0, "height": 96, "size_horizontal": 1, "size_vertical": 1}, "noise_router": {"barrier": 0}}`,
		"worldgen/noise_settings pack:none":   `{"noise": {"min_y": 0, "height": 96, "size_horizontal": 1, "size_vertical": 1}}`,
	})
	for id, want := range map[string]string{
		"pack:shape": ", noise: ", "pack:wide": ", noise: ", "pack:none": ", noise_router: ",
		"pack:router": ", noise_router.fluid_level_floodedness: ", "pack:absent": ": ",
	} {
		_, _, err := l.Settings(id)
		var typed *Error
		if !errors.As(err, &typed) || !strings.HasPrefix(err.Error(), "worldgen/noise_settings "+id+want) {
			t.Errorf("%s: %v, want ...%s...", id, err, want)
		}
	}
}

func TestEvaluationsWithoutEndAreRefused(t *testing.T) {
	d := documents{"worldgen/density_function pack:f0": `{"type": "y_clamped_gradient", "from_y": 0, "to_y": 1, "from_value": 0, "to_value": 1}`}
	for i := range 40 {
		d[fmt.Sprintf("worldgen/density_function pack:f%d", i+1)] =
			fmt.Sprintf(`{"type": "add", "argument1": "pack:f%d", "argument2": "pack:f%d"}`, i, i)
	}
	l := newTestLoader(d)
	n, err := l.Function("pack:f40")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Compile(l.Graph(), Router{FinalDensity: n}, Shape{CellWidth: 4, CellHeight: 4}); !errors.Is(err, ErrLimit) {
		t.Errorf("a function of 2^40 steps: %v", err)
	}
}
