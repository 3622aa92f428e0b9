package surface

import "math"

// The game's ranges of a condition's numbers.
const (
	maxMultiplier = 20    // of the surface depth, either way
	lowestAnchor  = -2032 // of an anchor's number, whatever it is relative to
	highestAnchor = 2031
)

func (p *parser) condition(value any, depth int) (*condition, error) {
	o, kind, err := p.open(value, depth)
	if err != nil {
		return nil, err
	}
	c := new(condition)
	switch kind {
	case "minecraft:not":
		return p.not(o, depth)
	case "minecraft:biome":
		return p.biomeCondition(o)
	case "minecraft:noise_threshold":
		return c, c.noise(o)
	case "minecraft:vertical_gradient":
		return c, c.gradient(o)
	case "minecraft:y_above":
		return c, c.aboveY(o)
	case "minecraft:water":
		return c, c.water(o)
	case "minecraft:stone_depth":
		return c, c.stoneDepth(o)
	case "minecraft:temperature":
		c.kind = conditionTemperature
	case "minecraft:steep":
		c.kind = conditionSteep
	case "minecraft:hole":
		c.kind = conditionHole
	case "minecraft:above_preliminary_surface":
		c.kind = conditionAboveSurface
	default:
		return nil, within("type", invalid("no condition is named %.100q", kind))
	}
	return c, nil
}

func (p *parser) not(o object, depth int) (*condition, error) {
	value, err := o.field("invert")
	if err != nil {
		return nil, err
	}
	inner, err := p.condition(value, depth+1)
	return &condition{kind: conditionNot, inner: inner}, within("invert", err)
}

func (p *parser) biomeCondition(o object) (*condition, error) {
	value, err := o.field("biome_is")
	if err != nil {
		return nil, err
	}
	ids, err := p.biomes(value)
	return &condition{kind: conditionBiome, biomes: ids}, within("biome_is", err)
}

// fields reads fields in turn until one fails.
type fields struct {
	object
	err error
}

func (f *fields) number(name string, low, high int) int32 {
	if f.err != nil {
		return 0
	}
	var v int
	v, f.err = f.integer(name, low, high)
	return int32(v)
}

func (f *fields) flag(name string) (v bool) {
	if f.err == nil {
		v, f.err = f.boolean(name)
	}
	return v
}

func (f *fields) real(name string) (v float64) {
	if f.err == nil {
		v, f.err = f.float(name)
	}
	return v
}

func (f *fields) name(name string) (v string) {
	if f.err == nil {
		v, f.err = f.id(name)
	}
	return v
}

// anchor reads a vertical anchor: an object with one of three fields.
func (f *fields) anchor(name string) anchor {
	if f.err != nil {
		return anchor{}
	}
	value, err := f.field(name)
	if err != nil {
		f.err = err
		return anchor{}
	}
	inner, _ := value.(map[string]any)
	var found anchor
	count := 0
	for kind, field := range []string{"absolute", "above_bottom", "below_top"} {
		if _, ok := inner[field]; !ok {
			continue
		}
		count++
		offset, err := object(inner).integer(field, lowestAnchor, highestAnchor)
		if err != nil {
			f.err = within(name, err)
			return anchor{}
		}
		found = anchor{anchorKind(kind), offset}
	}
	if count != 1 {
		f.err = within(name, invalid("has %d of absolute, above_bottom and below_top, must have one", count))
	}
	return found
}

func (c *condition) noise(o object) error {
	f := fields{object: o}
	*c = condition{
		kind: conditionNoise,
		name: f.name("noise"),
		low:  f.real("min_threshold"),
		high: f.real("max_threshold"),
	}
	if _, ok := o["is_3d"]; ok {
		c.solid = f.flag("is_3d")
	}
	return f.err
}

func (c *condition) gradient(o object) error {
	f := fields{object: o}
	*c = condition{
		kind:     conditionGradient,
		name:     f.name("random_name"),
		anchor:   f.anchor("true_at_and_below"),
		anchorTo: f.anchor("false_at_and_above"),
	}
	return f.err
}

func (c *condition) aboveY(o object) error {
	f := fields{object: o}
	*c = condition{
		kind:       conditionAboveY,
		anchor:     f.anchor("anchor"),
		multiplier: f.number("surface_depth_multiplier", -maxMultiplier, maxMultiplier),
		addStone:   f.flag("add_stone_depth"),
	}
	return f.err
}

func (c *condition) water(o object) error {
	f := fields{object: o}
	*c = condition{
		kind:       conditionWater,
		offset:     f.number("offset", math.MinInt32, math.MaxInt32),
		multiplier: f.number("surface_depth_multiplier", -maxMultiplier, maxMultiplier),
		addStone:   f.flag("add_stone_depth"),
	}
	return f.err
}

func (c *condition) stoneDepth(o object) error {
	f := fields{object: o}
	*c = condition{
		kind:       conditionStoneDepth,
		offset:     f.number("offset", math.MinInt32, math.MaxInt32),
		addSurface: f.flag("add_surface_depth"),
		secondary:  f.number("secondary_depth_range", math.MinInt32, math.MaxInt32),
	}
	if f.err != nil {
		return f.err
	}
	side, err := o.text("surface_type")
	if err != nil {
		return err
	}
	if side != "floor" && side != "ceiling" {
		return within("surface_type", invalid("%.50q is neither floor nor ceiling", side))
	}
	c.ceiling = side == "ceiling"
	return nil
}
