package density

import (
	"encoding/json"
	"strconv"
	"strings"

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
