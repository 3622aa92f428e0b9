package density

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"strata/pregen/worldgen/noise"
	"strata/pregen/worldgen/settings"
)

const (
	maxConstant = 1e6 // of numbers that are values

	// Heights of gradients and searches are within twice the build height.
	minHeight, maxHeight = -4064, 4062
)

// object reads the fields of a function. The first error stays in err, and
// what is read after it does not count.
type object struct {
	loader *Loader
	at     place
	fields map[string]any
	err    error
}

func (o *object) fail(err error) {
	if o.err == nil {
		o.err = err
	}
}

// field returns a field that must be there.
func (o *object) field(name string) (place, any) {
	at := o.at.field(name)
	value, ok := o.fields[name]
	if !ok {
		o.fail(at.malformed("missing"))
	}
	return at, value
}

func (o *object) text(name string) string {
	at, value := o.field(name)
	text, ok := value.(string)
	if !ok {
		o.fail(at.malformed("not a text"))
	}
	return text
}

func (o *object) function(name string) Node {
	at, value := o.field(name)
	if o.err != nil {
		return 0
	}
	n, err := o.loader.function(at, value)
	if err != nil {
		o.fail(err)
	}
	return n
}

// number reads a number within bounds.
func (o *object) number(name string, low, high float64) float64 {
	at, value := o.field(name)
	number, ok := value.(json.Number)
	if !ok {
		o.fail(at.malformed("not a number"))
		return 0
	}
	v, err := parseNumber(at, number, low, high)
	if err != nil {
		o.fail(err)
	}
	return v
}

// scale reads a number of any size.
func (o *object) scale(name string) float64 { return o.number(name, -maxFloat, maxFloat) }

// value reads a number of the range of constants.
func (o *object) value(name string) float64 { return o.number(name, -maxConstant, maxConstant) }

// integer reads a whole number; as in the game, a fraction is cut off.
func (o *object) integer(name string, low, high int) float64 {
	return float64(int(o.number(name, float64(low), float64(high))))
}

const maxFloat = 1.7976931348623157e308

func parseNumber(at place, number json.Number, low, high float64) (float64, error) {
	v, err := strconv.ParseFloat(string(number), 64)
	if err != nil || v < low || v > high {
		return 0, at.malformed("%s is not within %v to %v", number, low, high)
	}
	return v, nil
}

// noise reads the id of a noise and sets it.
func (o *object) noise(n *node, name string) {
	at := o.at.field(name)
	id := o.text(name)
	if o.err != nil {
		return
	}
	n.noiseID = settings.ID(id)
	made, err := o.loader.noises.Named(n.noiseID)
	if err != nil {
		o.fail(at.wrap(err))
		return
	}
	n.noise, n.reach = made, o.loader.reach(n.noiseID, made)
}

// node reads the function by its type.
func (o *object) node() Node {
	name := strings.TrimPrefix(o.text("type"), settings.DefaultNamespace+":")
	if o.err != nil {
		return 0
	}
	read, ok := readers[name]
	if !ok {
		o.fail(o.at.field("type").malformed("unknown type %q", name))
		return 0
	}
	return read(o)
}

// add interns a node that was read, unless something was wrong with it.
func (o *object) add(n node) Node {
	if o.err != nil {
		return 0
	}
	return o.loader.graph.intern(n)
}

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
