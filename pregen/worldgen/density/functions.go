package density

import (
	"encoding/json"
	"fmt"

	"strata/pregen/worldgen/noise"
)

// readers reads a function of each type.
var readers map[string]func(*object) Node

// readers has functions that come back to it.
func init() {
	readers = map[string]func(*object) Node{
		"constant":             func(o *object) Node { return o.loader.graph.constant(o.value("argument")) },
		"clamp":                (*object).clamp,
		"y_clamped_gradient":   (*object).gradient,
		"range_choice":         (*object).rangeChoice,
		"interval_select":      (*object).intervalSelect,
		"noise":                (*object).sample,
		"shifted_noise":        (*object).shifted,
		"weird_scaled_sampler": (*object).weird,
		"old_blended_noise":    (*object).blendedNoise,
		"end_islands":          (*object).endIslands,
		"spline":               (*object).splineOf,
		"find_top_surface":     (*object).topSurface,
	}
	for _, k := range []kind{add, mul, minimum, maximum} {
		readers[k.String()] = func(o *object) Node { return o.pair(k) }
	}
	for _, k := range []kind{
		abs, square, cube, halfNegative, quarterNegative, invert, squeeze,
		flatCache, interpolated, cache2D, cacheOnce, cacheAllInCell, blendDensity,
	} {
		readers[k.String()] = func(o *object) Node { return o.add(node{kind: k, a: o.function("argument")}) }
	}
	for _, k := range []kind{blendAlpha, blendOffset, beardifier} {
		readers[k.String()] = func(o *object) Node { return o.add(node{kind: k}) }
	}
	for _, k := range []kind{shift, shiftA, shiftB} {
		readers[k.String()] = func(o *object) Node {
			n := node{kind: k}
			o.noise(&n, "argument")
			return o.add(n)
		}
	}
}

func (o *object) pair(k kind) Node {
	a, b := o.function("argument1"), o.function("argument2")
	if o.err != nil {
		return 0
	}
	return o.loader.graph.two(k, a, b)
}

func (o *object) clamp() Node {
	n := node{kind: clamp, a: o.function("input"), p: [4]float64{o.value("min"), o.value("max")}}
	return o.add(n)
}

func (o *object) gradient() Node {
	return o.add(node{kind: gradient, p: [4]float64{
		o.integer("from_y", minHeight, maxHeight), o.integer("to_y", minHeight, maxHeight),
		o.value("from_value"), o.value("to_value"),
	}})
}

func (o *object) rangeChoice() Node {
	return o.add(node{
		kind: rangeChoice,
		a:    o.function("input"), b: o.function("when_in_range"), c: o.function("when_out_of_range"),
		p: [4]float64{o.value("min_inclusive"), o.value("max_exclusive")},
	})
}

func (o *object) intervalSelect() Node {
	n := node{kind: intervalSelect, a: o.function("input")}
	at, value := o.field("thresholds")
	thresholds, _ := value.([]any)
	for i, value := range thresholds {
		number, _ := value.(json.Number)
		v, err := parseNumber(at.field(fmt.Sprintf("[%d]", i)), number, -maxFloat, maxFloat)
		if err != nil {
			o.fail(err)
			return 0
		}
		n.thresholds = append(n.thresholds, v)
	}
	at, value = o.field("functions")
	functions, _ := value.([]any)
	if len(functions) != len(thresholds)+1 {
		o.fail(at.malformed("%d functions for %d thresholds, not one more", len(functions), len(thresholds)))
		return 0
	}
	for i, value := range functions {
		f, err := o.loader.function(at.field(fmt.Sprintf("[%d]", i)), value)
		if err != nil {
			o.fail(err)
			return 0
		}
		n.functions = append(n.functions, f)
	}
	return o.add(n)
}

func (o *object) sample() Node {
	n := node{kind: sample, p: [4]float64{o.scale("xz_scale"), o.scale("y_scale")}}
	o.noise(&n, "noise")
	return o.add(n)
}

func (o *object) shifted() Node {
	n := node{
		kind: shiftedSample,
		a:    o.function("shift_x"), b: o.function("shift_y"), c: o.function("shift_z"),
		p: [4]float64{o.scale("xz_scale"), o.scale("y_scale")},
	}
	o.noise(&n, "noise")
	return o.add(n)
}

func (o *object) weird() Node {
	n := node{kind: weirdScaled, a: o.function("input")}
	switch mapper := o.text("rarity_value_mapper"); mapper {
	case "type_1":
		n.p[0] = 1
	case "type_2":
		n.p[0] = 2
	default:
		o.fail(o.at.field("rarity_value_mapper").malformed("%q is not type_1 or type_2", mapper))
	}
	o.noise(&n, "noise")
	return o.add(n)
}

func (o *object) blendedNoise() Node {
	p := noise.BlendedParameters{
		XZScale: o.scale("xz_scale"), YScale: o.scale("y_scale"),
		XZFactor: o.scale("xz_factor"), YFactor: o.scale("y_factor"),
		SmearScale: o.scale("smear_scale_multiplier"),
	}
	if o.err != nil {
		return 0
	}
	// Equal parameters make equal noises: the key has them, the noise is made
	// for the first.
	n := node{kind: blendedNoise, noiseID: fmt.Sprintf("%x", p)}
	if have, ok := o.loader.graph.known[string(n.key())]; ok {
		return have
	}
	made, err := o.loader.noises.Blended(p)
	if err != nil {
		o.fail(o.at.wrap(err))
		return 0
	}
	n.blended = made
	return o.add(n)
}

func (o *object) endIslands() Node {
	if g := o.loader.graph; g.islands == nil {
		g.islands = noise.NewIslands(o.loader.noises.World())
	}
	return o.add(node{kind: endIslands})
}

func (o *object) topSurface() Node {
	return o.add(node{
		kind: topSurface, a: o.function("density"), b: o.function("upper_bound"),
		p: [4]float64{o.integer("lower_bound", minHeight, maxHeight), o.integer("cell_height", 1, 1<<31-1)},
	})
}
