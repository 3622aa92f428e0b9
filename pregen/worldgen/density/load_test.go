package density

import (
	"fmt"
	"io/fs"
	"math"
	"strings"
	"testing"

	"strata/pregen/worldgen/noise"
	"strata/pregen/worldgen/settings"
)

// documents is a source of a few documents, by registry and id.
type documents map[string]string

func (d documents) Document(registry, id string) ([]byte, error) {
	text, ok := d[registry+" "+id]
	if !ok {
		return nil, fmt.Errorf("%s %s: %w", registry, id, fs.ErrNotExist)
	}
	return []byte(text), nil
}

func (d documents) IDs(string) ([]string, error)         { return nil, nil }
func (d documents) Tag(string, string) ([]string, error) { return nil, fs.ErrNotExist }

func newTestLoader(d documents) *Loader {
	all := documents{"worldgen/noise minecraft:n": `{"firstOctave": -3, "amplitudes": [1, 0.5]}`}
	for name, text := range d {
		all[name] = text
	}
	return NewLoader(all, noise.NewSet(5, false, settings.Noises(all)))
}

// evaluate loads a function and evaluates it at a block, by the loader's graph
// and by a program.
func evaluate(t *testing.T, l *Loader, text string, x, y, z int) float64 {
	t.Helper()
	n, err := l.Inline("test", "test", "", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	plain := newPoints(l.Graph(), nil).at(n, x, y, z)
	p, err := Compile(l.Graph(), Router{FinalDensity: n}, Shape{Height: 384, CellWidth: 4, CellHeight: 8})
	if err != nil {
		t.Fatal(err)
	}
	if got := p.NewChunk().At(n, x, y, z); !sameBits(got, plain) {
		t.Errorf("%s: the program gives %v, the graph %v", text, got, plain)
	}
	return plain
}

func TestEveryTypeGivesWhatItSays(t *testing.T) {
	l := newTestLoader(documents{
		"worldgen/density_function minecraft:y":      `{"type": "y_clamped_gradient", "from_y": -100, "to_y": 100, "from_value": -100, "to_value": 100}`,
		"worldgen/density_function pack:dir/twice_y": `{"type": "mul", "argument1": 2, "argument2": "y"}`,
	})
	n, err := l.noises.Named("minecraft:n")
	if err != nil {
		t.Fatal(err)
	}
	blended, err := l.noises.Blended(noise.BlendedParameters{XZScale: 1, YScale: 1, XZFactor: 80, YFactor: 160, SmearScale: 8})
	if err != nil {
		t.Fatal(err)
	}
	const x, y, z = 7, 3, -9
	fx, fy, fz := float64(x), float64(y), float64(z)
	spline := `{"coordinate": "y", "points": [
		{"location": 0, "value": 1, "derivative": 0.5},
		{"location": 2, "value": {"coordinate": "y", "points": [{"location": 0, "value": 4, "derivative": 1}]}, "derivative": 2}]}`
	for _, c := range []struct {
		text string
		want float64
	}{
		{`-2.5`, -2.5},
		{`"y"`, 3},
		{`"minecraft:y"`, 3},
		{`"pack:dir/twice_y"`, 6},
		{`{"type": "constant", "argument": 4}`, 4},
		{`{"type": "minecraft:blend_alpha"}`, 1},
		{`{"type": "blend_offset"}`, 0},
		{`{"type": "beardifier"}`, 0},
		{`{"type": "abs", "argument": -4}`, 4},
		{`{"type": "square", "argument": -4}`, 16},
		{`{"type": "cube", "argument": -4}`, -64},
		{`{"type": "half_negative", "argument": -4}`, -2},
		{`{"type": "half_negative", "argument": 4}`, 4},
		{`{"type": "quarter_negative", "argument": -4}`, -1},
		{`{"type": "invert", "argument": -4}`, -0.25},
		{`{"type": "squeeze", "argument": -4}`, -0.5 + 1.0/24},
		{`{"type": "squeeze", "argument": 0.5}`, 0.25 - 0.125/24},
		{`{"type": "blend_density", "argument": "y"}`, 3},
		{`{"type": "cache_2d", "argument": "y"}`, 3},
		{`{"type": "cache_once", "argument": "y"}`, 3},
		{`{"type": "cache_all_in_cell", "argument": "y"}`, 3},
		{`{"type": "flat_cache", "argument": "y"}`, 3}, // outside of chunks
		{`{"type": "interpolated", "argument": "y"}`, 3},
		{`{"type": "add", "argument1": "y", "argument2": "y"}`, 6},
		{`{"type": "mul", "argument1": "y", "argument2": "y"}`, 9},
		{`{"type": "min", "argument1": "y", "argument2": 2}`, 2},
		{`{"type": "max", "argument1": "y", "argument2": 4}`, 4},
		{`{"type": "clamp", "input": "y", "min": 1, "max": 2}`, 2},
		{`{"type": "clamp", "input": -3, "min": 1, "max": 2}`, 1},
		{`{"type": "range_choice", "input": "y", "min_inclusive": 3, "max_exclusive": 4, "when_in_range": 1, "when_out_of_range": 2}`, 1},
		{`{"type": "range_choice", "input": "y", "min_inclusive": 2, "max_exclusive": 3, "when_in_range": 1, "when_out_of_range": 2}`, 2},
		{`{"type": "interval_select", "input": "y", "thresholds": [-1, 3], "functions": [5, 6, 7]}`, 7},
		{`{"type": "interval_select", "input": "y", "thresholds": [3.5], "functions": ["y", 7]}`, 3},
		{`{"type": "interval_select", "input": "y", "thresholds": [], "functions": ["y"]}`, 3},
		{`{"type": "y_clamped_gradient", "from_y": 4, "to_y": 8, "from_value": 9, "to_value": 1}`, 9},
		{`{"type": "y_clamped_gradient", "from_y": 1, "to_y": 5, "from_value": 9, "to_value": 1}`, 5},
		{`{"type": "noise", "noise": "n", "xz_scale": 0.3, "y_scale": 2}`, n.At(fx*0.3, fy*2, fz*0.3)},
		{`{"type": "shifted_noise", "noise": "n", "xz_scale": 0.3, "y_scale": 2, "shift_x": 1, "shift_y": "y", "shift_z": 3}`, n.At(float64(fx*0.3)+1, fy*2+3, float64(fz*0.3)+3)},
		{`{"type": "shift", "argument": "n"}`, n.At(fx/4, fy/4, fz/4) * 4},
		{`{"type": "shift_a", "argument": "n"}`, n.At(fx/4, 0, fz/4) * 4},
		{`{"type": "shift_b", "argument": "n"}`, n.At(fz/4, fx/4, 0) * 4},
		{`{"type": "weird_scaled_sampler", "input": -0.6, "noise": "n", "rarity_value_mapper": "type_1"}`, 0.75 * math.Abs(n.At(fx/0.75, fy/0.75, fz/0.75))},
		{`{"type": "weird_scaled_sampler", "input": -0.45, "noise": "n", "rarity_value_mapper": "type_1"}`, math.Abs(n.At(fx, fy, fz))},
		{`{"type": "weird_scaled_sampler", "input": 0.2, "noise": "n", "rarity_value_mapper": "type_1"}`, 1.5 * math.Abs(n.At(fx/1.5, fy/1.5, fz/1.5))},
		{`{"type": "weird_scaled_sampler", "input": 0.5, "noise": "n", "rarity_value_mapper": "type_1"}`, 2 * math.Abs(n.At(fx/2, fy/2, fz/2))},
		{`{"type": "weird_scaled_sampler", "input": -0.8, "noise": "n", "rarity_value_mapper": "type_2"}`, 0.5 * math.Abs(n.At(fx*2, fy*2, fz*2))},
		{`{"type": "weird_scaled_sampler", "input": 0.6, "noise": "n", "rarity_value_mapper": "type_2"}`, 2 * math.Abs(n.At(fx/2, fy/2, fz/2))},
		{`{"type": "weird_scaled_sampler", "input": 0.75, "noise": "n", "rarity_value_mapper": "type_2"}`, 3 * math.Abs(n.At(fx/3, fy/3, fz/3))},
		{`{"type": "old_blended_noise", "xz_scale": 1, "y_scale": 1, "xz_factor": 80, "y_factor": 160, "smear_scale_multiplier": 8}`, blended.At(x, y, z)},
		{`{"type": "end_islands"}`, noise.NewIslands(5).At(x, z)},
		{`{"type": "spline", "spline": {"coordinate": "y", "points": [{"location": 3, "value": 1, "derivative": 0}, {"location": 3, "value": 2, "derivative": 0}]}}`, 2},
		{`{"type": "spline", "spline": 0.1}`, float64(float32(0.1))},
		{`{"type": "spline", "spline": ` + spline + `}`, 4 + 3 + 2}, // beyond both
		{`{"type": "spline", "spline": ` + strings.ReplaceAll(spline, `"location": 2`, `"location": 6`) + `}`, 4 - 1.125},
		{`{"type": "find_top_surface", "density": {"type": "add", "argument1": 10, "argument2": {"type": "mul", "argument1": -1, "argument2": "y"}}, "upper_bound": 39.5, "lower_bound": -8, "cell_height": 4}`, 8},
		{`{"type": "find_top_surface", "density": 1, "upper_bound": -8, "lower_bound": -8, "cell_height": 4}`, -8},
		{`{"type": "find_top_surface", "density": -1, "upper_bound": 50, "lower_bound": -7, "cell_height": 4}`, -7},
	} {
		if got := evaluate(t, l, c.text, x, y, z); got != c.want {
			t.Errorf("%s is %v, want %v", c.text, got, c.want)
		}
	}
}

func TestMinAndMaxLeaveOutTheirRightArgumentByTheGamesBounds(t *testing.T) {
	// The game takes 0.5 for the least square of 0.5 to 3, which is right by
	// accident, and 2 for that of -3 to 2, which is 0.
	l := newTestLoader(documents{
		"worldgen/density_function minecraft:g": `{"type": "y_clamped_gradient", "from_y": 0, "to_y": 250, "from_value": 0.5, "to_value": 3}`,
	})
	const gSquare = `{"type": "square", "argument": "g"}`
	for _, c := range []struct {
		text string
		want float64
	}{
		{`{"type": "min", "argument1": 0.4, "argument2": ` + gSquare + `}`, 0.4},
		{`{"type": "min", "argument1": 0.6, "argument2": ` + gSquare + `}`, 0.25},
		{`{"type": "max", "argument1": 9.5, "argument2": ` + gSquare + `}`, 9.5},
		{`{"type": "max", "argument1": 0.1, "argument2": ` + gSquare + `}`, 0.25},
		{`{"type": "mul", "argument1": {"type": "blend_offset"}, "argument2": {"type": "invert", "argument": {"type": "blend_offset"}}}`, 0},
	} {
		if got := evaluate(t, l, c.text, 0, 0, 0); got != c.want {
			t.Errorf("%s is %v, want %v", c.text, got, c.want)
		}
	}
	if got := evaluate(t, l, `{"type": "mul", "argument1": 0, "argument2": {"type": "invert", "argument": 0}}`, 0, 0, 0); got == got {
		t.Errorf("a plain 0 times infinity is %v", got)
	}
}

func TestEqualFunctionsAreOneNode(t *testing.T) {
	l := newTestLoader(nil)
	load := func(text string) Node {
		n, err := l.Inline("test", "test", "", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	a := load(`{"type": "add", "argument1": {"type": "noise", "noise": "n", "xz_scale": 1, "y_scale": 0}, "argument2": {"type": "blend_alpha"}}`)
	b := load(`{"type": "minecraft:add", "argument2": {"type": "blend_alpha"}, "argument1": {"type": "noise", "y_scale": 0.0, "xz_scale": 1, "noise": "minecraft:n"}}`)
	c := load(`{"type": "add", "argument1": {"type": "noise", "noise": "n", "xz_scale": 1, "y_scale": 0.5}, "argument2": {"type": "blend_alpha"}}`)
	if a != b || a == c {
		t.Errorf("nodes %d, %d of equal functions and %d of another", a, b, c)
	}
	s := load(`{"type": "spline", "spline": {"coordinate": 1, "points": [{"location": 0, "value": 1, "derivative": 0}]}}`)
	u := load(`{"type": "spline", "spline": {"coordinate": 1, "points": [{"location": 0, "value": 1, "derivative": 2}]}}`)
	if s == u {
		t.Error("splines that differ are one node")
	}
}

func FuzzInline(f *testing.F) {
	f.Add([]byte(`{"type": "add", "argument1": {"type": "abs", "argument": "pack:a"}, "argument2": {"type": "noise", "noise": "n", "xz_scale": 1, "y_scale": 0}}`))
	f.Add([]byte(`{"type": "interval_select", "input": {"type": "shift", "argument": "n"}, "thresholds": [1], "functions": [{"type": "end_islands"}, 2]}`))
	f.Add([]byte(`{"type": "spline", "spline": {"coordinate": "pack:a", "points": [{"location": 1, "derivative": 1, "value": 1}, {"location": 0, "derivative": 1, "value": 5e30}]}}`))
	f.Add([]byte(`{"type": "range_choice", "input": {"type": "interpolated", "argument": "pack:a"}, "min_inclusive": 0, "max_exclusive": 1, "when_in_range": {"type": "squeeze", "argument": "pack:a"}, "when_out_of_range": {"type": "invert", "argument": 0}}`))
	f.Add([]byte(`{"type": "find_top_surface", "density": {"type": "flat_cache", "argument": "pack:a"}, "upper_bound": {"type": "cube", "argument": "pack:a"}, "lower_bound": 0, "cell_height": 3}`))
	f.Add([]byte(`{"type": "min", "argument1": {"type": "cache_all_in_cell", "argument": {"type": "interpolated", "argument": "pack:a"}}, "argument2": {"type": "max", "argument1": {"type": "beardifier"}, "argument2": {"type": "weird_scaled_sampler", "input": 0, "noise": "n", "rarity_value_mapper": "type_2"}}}`))
	f.Add([]byte(`{"type": "max", "argument1": {"type": "y_clamped_gradient", "from_y": 3, "to_y": 3, "from_value": 1, "to_value": 2}, "argument2": 1}`))
	f.Add([]byte(`{"type": "max", "argument1": {"type": "noise", "noise": "n", "xz_scale": 1e308, "y_scale": 1}, "argument2": 1}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		l := newTestLoader(documents{"worldgen/density_function pack:a": `{"type": "y_clamped_gradient", "from_y": -8, "to_y": 8, "from_value": -3, "to_value": 4}`})
		n, err := l.Inline("test", "test", "", text)
		if err != nil || countSteps(l.Graph())[n] > 200 {
			return
		}
		shape := Shape{MinY: -16, Height: 32, CellWidth: 8, CellHeight: 4}
		p, err := Compile(l.Graph(), Router{FinalDensity: n, VeinToggle: n}, shape)
		if err != nil {
			return
		}
		c, r := p.NewChunk(), newReference(l.Graph(), shape, -1, 2)
		c.Begin(-1, 2)
		checkChunk(t, c, r, &Router{FinalDensity: n, VeinToggle: n})
	})
}
